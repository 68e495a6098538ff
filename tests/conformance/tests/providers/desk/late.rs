//! Input that comes too late, and cards whose process died.

use dmplz_conformance::{Asking, Doing, JIN, MINA, Office, Platform, Shown, every_provider};
use dmplz_core::messenger::{Answering, MessageRef};
use dmplz_core::request::Outcome;

every_provider! {
    in Office:
    a_press_on_a_card_that_ended_is_told_once_that_it_came_late,
    each_person_who_comes_late_is_told_once,
    words_after_the_time_for_them_are_told_that_they_came_late,
    a_reaction_that_decided_is_no_late_press,
    a_card_whose_process_died_is_retired_by_the_next_one,
    a_denial_whose_process_died_is_no_approval_later,
}

const LATE: &str = "This permission request has already expired. (request_id: First)";

/// Lets a request expire. Returns its card.
async fn expired<P: Platform>(office: &Office<P>) -> MessageRef {
    let asking = Asking { deadline: 1500, ..Asking::new(&office.platform.private(JIN), "First") };
    let outcome = office.ask(asking, async |_: &Office<P>, _: &str| {}).await;
    assert!(matches!(outcome, Outcome::Expired(_)), "{outcome:?}");
    office.last_card()
}

fn told<P: Platform>(office: &Office<P>, line: &str) -> usize {
    office.platform.shown(&office.chat()).iter().filter(|shown| shown.text == line).count()
}

async fn a_press_on_a_card_that_ended_is_told_once_that_it_came_late<P: Platform>(office: &Office<P>) {
    let old = expired(office).await;
    // If no process receives the press, the person sees that it failed.
    let early = match P::PERSISTENT {
        true => None,
        false => Some(office.press(&old, "approve", JIN).await),
    };
    for (name, first) in [("Second", true), ("Third", false)] {
        let asking = Asking::new(&office.platform.private(JIN), name);
        let outcome = office
            .ask(asking, async |office: &Office<P>, chat: &str| {
                let card = office.question(chat).await;
                if first {
                    let late = match &early {
                        Some(early) => early.clone(),
                        None => office.press(&old, "approve", JIN).await,
                    };
                    assert!(office.platform.await_told(&late, &old, LATE).await, "{:#?}", office.platform.shown(chat));
                    office.press(&old, "deny", JIN).await;
                }
                office.press(&card, "approve", JIN).await;
            })
            .await;
        assert!(matches!(outcome, Outcome::Approved { .. }), "{outcome:?}");
    }
    assert!(office.shown(&old).text.starts_with("⌛ Expired"), "late input changes nothing");
    // A notice about a denial by a button is sent each time. A reaction stays, and its notice is sent once.
    let most = if P::ANSWERING != Answering::Reactions { 2 } else { 1 };
    assert!(told(office, LATE) <= most);
}

async fn each_person_who_comes_late_is_told_once<P: Platform>(office: &Office<P>) {
    let group = office.platform.group();
    let listed = vec![JIN.id_on::<P>(), MINA.id_on::<P>()];
    let asking = |name: &'static str| Asking { listed: listed.clone(), ..Asking::new(&group, name) };
    let first = Asking { deadline: 1500, ..asking("First") };
    office.ask(first, async |_: &Office<P>, _: &str| {}).await;
    let old = office.last_card();
    for (name, choice, news) in [("Second", "approve", true), ("Third", "deny", false)] {
        let outcome = office
            .ask(asking(name), async |office: &Office<P>, chat: &str| {
                let card = office.question(chat).await;
                for person in [JIN, MINA] {
                    let late = office.press(&old, choice, person).await;
                    if news {
                        assert!(
                            office.platform.await_told(&late, &old, LATE).await,
                            "{:#?}",
                            office.platform.shown(chat)
                        );
                    }
                }
                office.press(&card, "approve", JIN).await;
            })
            .await;
        assert!(matches!(outcome, Outcome::Approved { .. }), "{outcome:?}");
    }
    let lines = told(office, LATE);
    assert!(matches!(lines, 0 | 2), "in a dialog, or a line each: {lines}");
}

async fn words_after_the_time_for_them_are_told_that_they_came_late<P: Platform>(office: &Office<P>) {
    let asking = Asking { reason_timeout: 1200, ..Asking::new(&office.platform.private(JIN), "First") };
    let mut opened = None;
    office
        .ask(asking, async |office: &Office<P>, chat: &str| {
            let card = office.question(chat).await;
            office.press(&card, "deny", JIN).await;
            if !P::READS_CHAT {
                let prompt = office.prompt(chat).await;
                opened = office.platform.open_form(&prompt, JIN).map(|press| (prompt, press));
            }
        })
        .await;
    let words = match &opened {
        Some((prompt, press)) => (office.platform.fill(press, "because of Friday").await, prompt.clone()),
        None => (None, office.platform.say(&office.chat(), JIN, "because of Friday")),
    };
    let asking = Asking::new(&office.platform.private(JIN), "Second");
    let outcome = office
        .ask(asking, async |office: &Office<P>, chat: &str| {
            let card = office.question(chat).await;
            match &words {
                (Some(form), prompt) => assert!(office.platform.await_told(form, prompt, LATE).await),
                (None, words) => {
                    let told = office.card(chat, |it| it.text == LATE).await;
                    assert!(!P::HAS_REPLIES || office.follower(words).await == told);
                }
            }
            office.press(&card, "approve", JIN).await;
        })
        .await;
    assert!(matches!(outcome, Outcome::Approved { .. }), "{outcome:?}");
}

async fn a_reaction_that_decided_is_no_late_press<P: Platform>(office: &Office<P>) {
    for name in ["First", "Second"] {
        let asking = Asking { reason_timeout: 1000, ..Asking::new(&office.platform.private(JIN), name) };
        office
            .ask(asking, async |office: &Office<P>, chat: &str| {
                let card = office.question(chat).await;
                office.press(&card, "approve", JIN).await;
            })
            .await;
    }
    let asking = Asking { deadline: 2500, ..Asking::new(&office.platform.private(JIN), "Third") };
    office.ask(asking, async |_: &Office<P>, _: &str| {}).await;
    let lines = office.platform.shown(&office.chat());
    assert!(!lines.iter().any(|shown| shown.text.contains("already expired")), "{lines:#?}");
}

async fn a_card_whose_process_died_is_retired_by_the_next_one<P: Platform>(office: &Office<P>) {
    let asking = Asking::new(&office.platform.private(JIN), "Dies");
    let mut left = None;
    office
        .die_asking(asking, async |office: &Office<P>, chat: &str| {
            left = Some(office.question(chat).await);
            office.looked(Doing::Receive).await;
        })
        .await;
    let left = left.unwrap();
    assert!(!office.shown(&left).choices.is_empty());
    let asking = Asking::new(&office.platform.private(JIN), "Next");
    office
        .ask(asking, async |office: &Office<P>, chat: &str| {
            let ended = office.card(chat, |shown| shown.text.starts_with("⚠️ Interrupted: Bash")).await;
            assert_eq!(ended.id, left.id);
            let card = office.question(chat).await;
            assert_ne!(card.id, left.id);
            office.press(&card, "approve", JIN).await;
        })
        .await;
    assert_eq!(office.shown(&left).choices, Vec::<String>::new());
}

async fn a_denial_whose_process_died_is_no_approval_later<P: Platform>(office: &Office<P>) {
    let group = office.platform.group();
    let listed = vec![JIN.id_on::<P>(), MINA.id_on::<P>()];
    let asking = Asking { listed: listed.clone(), ..Asking::new(&group, "Dies") };
    office
        .die_asking(asking, async |office: &Office<P>, chat: &str| {
            let card = office.question(chat).await;
            office.press(&card, "deny", JIN).await;
            office.prompt(chat).await;
            office.looked(Doing::ReceiveTexts).await;
        })
        .await;
    let cards = office.platform.shown(&office.chat());
    let asking = Asking { listed, deadline: 4000, ..Asking::new(&group, "Next") };
    let outcome = office.ask(asking, async |_: &Office<P>, _: &str| {}).await;
    assert!(matches!(outcome, Outcome::Expired(_)), "{outcome:?}");
    // A notice to somebody who pressed is a message on some messengers, and stays.
    let is_card = |shown: &&Shown| shown.by_bot && shown.text != "You may not answer this request.";
    for old in cards.iter().filter(is_card) {
        let now = office.platform.shown(&office.chat()).into_iter().find(|shown| shown.id == old.id).unwrap();
        assert!(now.choices.is_empty() && now.text != old.text, "{now:?}");
    }
}
