//! Requests on bad days: nothing is allowed by an error, and no deny is lost.

use dmplz_conformance::{Asking, Doing, JIN, Office, Platform, Trouble, every_provider};
use dmplz_core::flow::Form;
use dmplz_core::messenger::ProviderError;
use dmplz_core::request::{ExpiredCause, Outcome, ReasonSource};
use dmplz_fakes::On;

every_provider! {
    in Office:
    a_messenger_that_is_down_for_a_while_is_asked_again,
    a_messenger_that_stays_down_allows_nothing,
    a_revoked_token_ends_the_request_at_once,
    a_deny_stands_when_the_messenger_dies_in_the_reason_step,
    a_deny_stands_when_the_prompt_cannot_be_posted,
    a_card_that_is_deleted_allows_nothing,
    a_reply_that_was_lost_still_leads_to_an_answer,
}

async fn a_messenger_that_is_down_for_a_while_is_asked_again<P: Platform>(office: &Office<P>) {
    for (doing, trouble) in [
        (Doing::Post, Trouble::Down),
        (Doing::Receive, Trouble::CutBefore),
        (Doing::Receive, Trouble::Garbled),
        (Doing::Revise, Trouble::Down),
    ] {
        assert!(office.platform.fail(doing, trouble, 1));
    }
    let asking = Asking::new(&office.platform.private(JIN), "Down");
    let outcome = office
        .ask(asking, async |office: &Office<P>, chat: &str| {
            let card = office.question(chat).await;
            office.press(&card, "approve", JIN).await;
        })
        .await;
    assert!(matches!(outcome, Outcome::Approved { .. }), "{outcome:?}");
    assert!(office.shown(&office.last_card()).text.starts_with("✅ Approved"));
}

async fn a_messenger_that_stays_down_allows_nothing<P: Platform>(office: &Office<P>) {
    let chat = office.platform.private(JIN);
    for doing in [Doing::Post, Doing::Receive] {
        assert!(office.platform.fail(doing, Trouble::Down, usize::MAX));
        let name = if doing == Doing::Post { "NoPost" } else { "NoLook" };
        let outcome =
            office.ask(Asking { deadline: 1200, ..Asking::new(&chat, name) }, async |_: &Office<P>, _: &str| {}).await;
        assert!(matches!(outcome, Outcome::Expired(_)), "{doing:?}: {outcome:?}");
        office.platform.heal();
    }
}

async fn a_revoked_token_ends_the_request_at_once<P: Platform>(office: &Office<P>) {
    let chat = office.platform.private(JIN);
    for (doing, name) in [(Doing::Post, "NoPost"), (Doing::Receive, "NoLook")] {
        assert!(office.platform.fail(doing, Trouble::Unauthorized, P::refusals()));
        let outcome = office.ask(Asking::new(&chat, name), async |_: &Office<P>, _: &str| {}).await;
        assert_eq!(outcome, Outcome::Expired(ExpiredCause::Failed(ProviderError::Unauthorized.into())));
    }
}

async fn a_deny_stands_when_the_messenger_dies_in_the_reason_step<P: Platform>(office: &Office<P>) {
    let asking = Asking { reason_timeout: 2500, ..Asking::new(&office.platform.private(JIN), "Dies") };
    let outcome = office
        .ask(asking, async |office: &Office<P>, chat: &str| {
            let card = office.question(chat).await;
            office.press(&card, "deny", JIN).await;
            office.prompt(chat).await;
            assert!(office.platform.strike(Trouble::Unauthorized));
            office.platform.wire().fail(On::any().always(), P::fault(Trouble::Unauthorized).unwrap());
        })
        .await;
    let silent = matches!(outcome, Outcome::RejectedNoReason { source: ReasonSource::Timeout, .. });
    assert!(silent, "{outcome:?}");
}

async fn a_deny_stands_when_the_prompt_cannot_be_posted<P: Platform>(office: &Office<P>) {
    let asking = Asking { reason_timeout: 1500, ..Asking::new(&office.platform.private(JIN), "NoPrompt") };
    let outcome = office
        .ask(asking, async |office: &Office<P>, chat: &str| {
            let card = office.question(chat).await;
            assert!(office.platform.fail(Doing::Post, Trouble::Down, usize::MAX));
            office.press(&card, "deny", JIN).await;
        })
        .await;
    assert!(outcome.rejection().is_some(), "{outcome:?}");
    assert!(office.shown(&office.last_card()).text.starts_with("❌ Denied: Bash"));
}

async fn a_card_that_is_deleted_allows_nothing<P: Platform>(office: &Office<P>) {
    let asking = Asking { deadline: 3000, ..Asking::new(&office.platform.private(JIN), "Deleted") };
    let outcome = office
        .ask(asking, async |office: &Office<P>, chat: &str| {
            let card = office.question(chat).await;
            office.platform.delete(&card);
        })
        .await;
    assert_eq!(outcome, Outcome::Expired(ExpiredCause::Nobody));
}

async fn a_reply_that_was_lost_still_leads_to_an_answer<P: Platform>(office: &Office<P>) {
    assert!(office.platform.fail(Doing::Post, Trouble::CutAfter, 1));
    let asking = Asking { reason_timeout: 1000, ..Asking::new(&office.platform.private(JIN), "Lost") };
    let outcome = office
        .ask(asking, async |office: &Office<P>, chat: &str| {
            office.question(chat).await;
            let all = office.choices(&Form::default()).len();
            // Where a second copy cannot be avoided, the person may well press on the first.
            let first = office
                .platform
                .await_shown(chat, |shown| shown.iter().find(|it| it.choices.len() == all).map(|it| it.place(chat)));
            office.press(&first.await.unwrap(), "deny", JIN).await;
        })
        .await;
    assert!(outcome.rejection().is_some(), "{outcome:?}");
}
