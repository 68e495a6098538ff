//! Taking a grant back on the card of the request that was answered with it.

use dmplz_conformance::{Asking, JIN, Keeper, MINA, Office, Platform, every_provider};
use dmplz_core::messenger::{Answering, MessageRef};
use dmplz_core::request::Offer;

every_provider! {
    in Office:
    a_press_takes_the_grant_back_and_the_choice_with_it,
    a_press_on_a_grant_that_ended_by_itself_is_told_so,
}

const REVOKE: &str = "🚫";

fn asking<P: Platform>(office: &Office<P>) -> Asking<'static> {
    let offer = Offer { granted: true, ..Offer::plain(true) };
    Asking { listed: vec![JIN.id_on::<P>()], offer, ..Asking::new(&office.platform.group(), "Granted") }
}

/// Returns the ended card of a request that Jin answered with a grant; `None` with reactions, because then the card
/// offers nothing to press, and names the command instead.
async fn granted<P: Platform>(office: &Office<P>, chat: &str, keeper: &Keeper) -> Option<MessageRef> {
    let card = office.question(chat).await;
    office.press(&card, "grant-30m", JIN).await;
    if P::ANSWERING == Answering::Reactions {
        let says = "To be asked again, run: dmplz grants revoke";
        let ended = office.card(chat, |shown| shown.text.contains(says) && shown.choices.is_empty()).await;
        assert_eq!((ended.id, keeper.holds()), (card.id, true));
        return None;
    }
    let is_revocable = |choices: &[String]| matches!(choices, [only] if only.starts_with(REVOKE));
    let ended = office.card(chat, |shown| is_revocable(&shown.choices)).await;
    assert_eq!(ended.id, card.id);
    Some(card)
}

async fn a_press_takes_the_grant_back_and_the_choice_with_it<P: Platform>(office: &Office<P>) {
    let people = async |office: &Office<P>, chat: &str, keeper: &Keeper| {
        let Some(card) = granted(office, chat, keeper).await else { return };
        if P::IDENTIFIES {
            let stranger = office.press_shown(&card, REVOKE, MINA);
            assert!(office.platform.await_told(&stranger, &card, "You may not answer this request.").await);
            assert!(keeper.holds() && office.shown(&card).choices.len() == 1, "{:?}", office.shown(&card));
        }
        let press = office.press_shown(&card, REVOKE, JIN);
        assert!(office.platform.await_told(&press, &card, "You will be asked again from now on.").await);
        let again = format!("🚫 Asked again from now on: {} · noon", JIN.known::<P>().name);
        assert_eq!((keeper.holds(), keeper.taken_by()), (false, vec![JIN.known::<P>().name]));
        let ended = office.card(chat, |shown| shown.text.contains(&again)).await;
        assert_eq!((ended.id, office.shown(&card).choices), (card.id, Vec::new()));
    };
    office.serve(asking(office), people).await;
}

async fn a_press_on_a_grant_that_ended_by_itself_is_told_so<P: Platform>(office: &Office<P>) {
    let people = async |office: &Office<P>, chat: &str, keeper: &Keeper| {
        let Some(card) = granted(office, chat, keeper).await else { return };
        keeper.expire();
        let over = "This permission has already ended. You will be asked again.";
        let press = office.press_shown(&card, REVOKE, JIN);
        assert!(office.platform.await_told(&press, &card, over).await);
        let ended = office.card(chat, |shown| shown.id == card.id && shown.text.contains(over)).await;
        assert_eq!((ended.id, office.shown(&card).choices), (card.id, Vec::new()));
        assert_eq!(keeper.taken_by(), Vec::<String>::new());
    };
    office.serve(asking(office), people).await;
}
