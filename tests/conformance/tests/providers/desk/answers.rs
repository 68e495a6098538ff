//! Cases about answers to requests.

use dmplz_conformance::{Asking, Doing, JIN, MINA, Office, Platform, ROBOT, Trouble, every_provider};
use dmplz_core::request::{ApprovalScope, ExpiredCause, Outcome, ReasonSource, Resolver};

every_provider! {
    in Office:
    an_approval_is_taken_and_shown,
    an_approval_for_the_session_is_one,
    a_denial_takes_the_reason_of_the_denier,
    a_denial_can_be_without_a_reason,
    a_reason_that_does_not_come_is_not_waited_for_for_ever,
    nobody_answers,
    strangers_and_programs_decide_nothing,
    who_never_saw_the_card_decides_nothing,
    only_words_of_the_denier_after_the_prompt_count,
    a_denial_beats_an_approval_of_the_same_moment,
    a_request_that_is_stopped_retires_its_card,
    a_request_longer_than_a_message_is_shown_whole_and_can_be_answered,
}

async fn an_approval_is_taken_and_shown<P: Platform>(office: &Office<P>) {
    let asking = Asking::new(&office.platform.private(JIN), "Approve");
    let outcome = office
        .ask(asking, async |office: &Office<P>, chat: &str| {
            let card = office.question(chat).await;
            let shown = office.shown(&card);
            assert!(shown.text.contains("git push origin Approve # _now_"), "{shown:?}");
            assert!(shown.text.contains("/srv/*shop*"), "{shown:?}");
            office.press(&card, "approve", JIN).await;
        })
        .await;
    assert!(
        matches!(&outcome, Outcome::Approved { by, scope: ApprovalScope::Once } if by.id() == JIN.known::<P>().id),
        "{outcome:?}"
    );
    let chat = office.last_card();
    let shown = office.shown(&chat);
    let who = format!("{} · now", JIN.known::<P>().name);
    assert!(shown.text.starts_with("✅ Approved: Bash") && shown.text.contains(&who), "{shown:?}");
    assert_eq!(shown.choices, Vec::<String>::new());
}

async fn an_approval_for_the_session_is_one<P: Platform>(office: &Office<P>) {
    let asking = Asking::new(&office.platform.private(JIN), "Session");
    let outcome = office
        .ask(asking, async |office: &Office<P>, chat: &str| {
            let card = office.question(chat).await;
            office.press(&card, "session", JIN).await;
        })
        .await;
    assert!(matches!(&outcome, Outcome::Approved { scope: ApprovalScope::Session, .. }), "{outcome:?}");
    assert!(office.shown(&office.last_card()).text.starts_with("🔄 Approved for the session: Bash"));
}

async fn a_denial_takes_the_reason_of_the_denier<P: Platform>(office: &Office<P>) {
    let asking = Asking::new(&office.platform.private(JIN), "Deny");
    let outcome = office
        .ask(asking, async |office: &Office<P>, chat: &str| {
            let card = office.question(chat).await;
            office.press(&card, "deny", JIN).await;
            let prompt = office.prompt(chat).await;
            assert_eq!(office.shown(&prompt).reply_to, P::HAS_REPLIES.then(|| card.id.clone()));
            office.platform.write(&prompt, JIN, "  use a *branch* \n").await;
        })
        .await;
    assert!(
        matches!(&outcome, Outcome::RejectedWithReason { reason, .. } if reason == "use a *branch*"),
        "{outcome:?}"
    );
    let chat = office.chat();
    let shown = office.platform.shown(&chat);
    let ours: Vec<_> = shown.iter().filter(|shown| shown.by_bot).collect();
    assert!(ours[0].text.starts_with("❌ Denied: Bash") && ours[0].text.contains("Reason: use a *branch*"));
    assert_eq!(ours[1].text, "Reason: use a *branch*");
    assert!(ours.iter().all(|shown| shown.choices.is_empty()), "{ours:?}");
}

async fn a_denial_can_be_without_a_reason<P: Platform>(office: &Office<P>) {
    let asking = Asking::new(&office.platform.private(JIN), "Skip");
    let outcome = office
        .ask(asking, async |office: &Office<P>, chat: &str| {
            let card = office.question(chat).await;
            office.press(&card, "deny", JIN).await;
            let prompt = office.prompt(chat).await;
            office.skip(&prompt, JIN).await;
        })
        .await;
    let skipped = matches!(&outcome, Outcome::RejectedNoReason { source: ReasonSource::ExplicitSkip, .. });
    assert!(skipped, "{outcome:?}");
    assert!(office.shown(&office.last_card()).text.contains("No reason given"));
}

async fn a_reason_that_does_not_come_is_not_waited_for_for_ever<P: Platform>(office: &Office<P>) {
    let asking = Asking { reason_timeout: 1500, ..Asking::new(&office.platform.private(JIN), "Silent") };
    let outcome = office
        .ask(asking, async |office: &Office<P>, chat: &str| {
            let card = office.question(chat).await;
            office.press(&card, "deny", JIN).await;
        })
        .await;
    let silent = matches!(&outcome, Outcome::RejectedNoReason { source: ReasonSource::Timeout, .. });
    assert!(silent, "{outcome:?}");
    assert!(office.shown(&office.last_card()).text.contains("No reason given (time was up)"));
}

async fn nobody_answers<P: Platform>(office: &Office<P>) {
    let asking = Asking { deadline: 1500, ..Asking::new(&office.platform.private(JIN), "Nobody") };
    let outcome = office.ask(asking, async |_: &Office<P>, _: &str| {}).await;
    assert_eq!(outcome, Outcome::Expired(ExpiredCause::Nobody));
    let shown = office.shown(&office.last_card());
    assert!(shown.text.starts_with("⌛ Expired: Bash"), "{shown:?}");
    assert_eq!(shown.choices, Vec::<String>::new());
}

async fn strangers_and_programs_decide_nothing<P: Platform>(office: &Office<P>) {
    let group = office.platform.group();
    let asking = Asking { listed: vec![JIN.id_on::<P>()], ..Asking::new(&group, "Strangers") };
    let outcome = office
        .ask(asking, async |office: &Office<P>, chat: &str| {
            let card = office.question(chat).await;
            let press = office.press(&card, "approve", MINA).await;
            let robot = office.press(&card, "session", ROBOT).await;
            let no = "You may not answer this request.";
            assert!(office.platform.await_told(&press, &card, no).await);
            assert!(office.platform.await_told(&robot, &card, no).await);
            office.press(&card, "approve", JIN).await;
        })
        .await;
    assert!(
        matches!(&outcome, Outcome::Approved { by, scope: ApprovalScope::Once } if by.id() == JIN.id_on::<P>()),
        "{outcome:?}"
    );
}

async fn who_never_saw_the_card_decides_nothing<P: Platform>(office: &Office<P>) {
    let asking = Asking { reason_timeout: 1000, ..Asking::new(&office.platform.private(JIN), "Guessed") };
    let outcome = office
        .ask(asking, async |office: &Office<P>, chat: &str| {
            let card = office.question(chat).await;
            office.platform.guess(chat, "approve");
            office.press(&card, "deny", JIN).await;
            office.platform.guess(chat, "skip");
        })
        .await;
    let silent = matches!(outcome, Outcome::RejectedNoReason { source: ReasonSource::Timeout, .. });
    assert!(silent, "{outcome:?}");
}

async fn only_words_of_the_denier_after_the_prompt_count<P: Platform>(office: &Office<P>) {
    let listed = vec![JIN.id_on::<P>(), MINA.id_on::<P>()];
    let asking = Asking { listed, ..Asking::new(&office.platform.group(), "Words") };
    let outcome = office
        .ask(asking, async |office: &Office<P>, chat: &str| {
            let card = office.question(chat).await;
            office.platform.say(chat, JIN, "hm, let me see");
            office.press(&card, "deny", JIN).await;
            let prompt = office.prompt(chat).await;
            office.platform.write(&prompt, MINA, "I would allow it").await;
            office.platform.write(&prompt, ROBOT, "build failed").await;
            office.give_reason(&prompt, JIN, "not today").await;
        })
        .await;
    assert!(matches!(&outcome, Outcome::RejectedWithReason { reason, .. } if reason == "not today"), "{outcome:?}");
}

async fn a_denial_beats_an_approval_of_the_same_moment<P: Platform>(office: &Office<P>) {
    let listed = vec![JIN.id_on::<P>(), MINA.id_on::<P>()];
    let asking = Asking { listed, reason_timeout: 1000, ..Asking::new(&office.platform.group(), "Race") };
    let outcome = office
        .ask(asking, async |office: &Office<P>, chat: &str| {
            // Before the first look: both presses come in one. Over a connection that is kept they do anyhow.
            let is_held = !P::PERSISTENT && office.platform.fail(Doing::Receive, Trouble::Hangs, 1);
            let card = office.question(chat).await;
            if is_held {
                office.looked(Doing::Receive).await;
            }
            office.press(&card, "approve", MINA).await;
            office.press(&card, "deny", JIN).await;
            office.platform.release();
        })
        .await;
    assert!(outcome.rejection().is_some(), "{outcome:?}");
}

async fn a_request_that_is_stopped_retires_its_card<P: Platform>(office: &Office<P>) {
    let outcome = office
        .ask(Asking::new(&office.platform.private(JIN), "Stop"), async |office: &Office<P>, chat: &str| {
            office.question(chat).await;
            office.stop();
        })
        .await;
    assert_eq!(outcome, Outcome::ResolvedElsewhere(Resolver::Stopped));
    let shown = office.shown(&office.last_card());
    assert!(shown.text.starts_with("↩️ Settled elsewhere: Bash"), "{shown:?}");
    assert_eq!(shown.choices, Vec::<String>::new());
}

async fn a_request_longer_than_a_message_is_shown_whole_and_can_be_answered<P: Platform>(office: &Office<P>) {
    // Backquotes make it grow where they must be escaped, so that even the shortened card is too large at first.
    let command = format!("echo '{}' # the end", "```*_`\n".repeat(3000));
    let asking = Asking { command: command.clone(), ..Asking::new(&office.platform.private(JIN), "Long") };
    let outcome = office
        .ask(asking, async |office: &Office<P>, chat: &str| {
            let card = office.question(chat).await;
            let files: Vec<_> = office.platform.shown(chat).into_iter().flat_map(|shown| shown.files).collect();
            let [(_, bytes)] = files.as_slice() else { panic!("one file: {files:?}") };
            assert!(String::from_utf8_lossy(bytes).contains(&command), "the whole of it");
            office.press(&card, "deny", JIN).await;
            let prompt = office.prompt(chat).await;
            office.skip(&prompt, JIN).await;
        })
        .await;
    assert!(outcome.rejection().is_some(), "{outcome:?}");
    assert!(office.shown(&office.last_card()).text.starts_with("❌ Denied: Bash"));
}
