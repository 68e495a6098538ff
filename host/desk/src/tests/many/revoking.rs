//! Revoking a grant on an ended card.

use super::*;
use dmplz_core::request::Term;

/// Plays a card that was answered with a grant at 1000, and the given presses on it.
async fn granted(presses: Vec<(Millis, Event)>, lost: &[&'static str]) -> World {
    let world = World { events: presses.into(), ..World::default() };
    serve(world, transport(), 1, lost, async |office: &Office| {
        office.ask("A");
        office.until(1000).await;
        let scope = ApprovalScope::Granted { term: Term::HalfHour };
        close(&office.commands, "A", &Outcome::Approved { by: approver("bob"), scope });
        office.until(60_000).await;
    })
    .await
}

#[tokio::test(start_paused = true)]
async fn a_press_takes_the_grant_back_and_the_choice_with_it() {
    let presses =
        vec![press(2000, "revoke", "ann", 10), press(3000, "revoke", "ann", 10), press(4000, "revoke", "bob", 10)];
    let world = granted(presses, &[]).await;
    insta::assert_snapshot!(story(&world), @"
    post 🔐 Claude Code asks for permission: Bash A
    revise 10: ✅ Approved: Bash A [may be taken back]
    = grant of req-1 taken back by ann at 2000
    acknowledge ann-revoke-2000 You will be asked again from now on.
    revise 10: ✅ Approved: Bash A
    acknowledge ann-revoke-3000 -
    acknowledge bob-revoke-4000 This permission request has already expired. (request_id: old-10)
    ");
    let ended = world.saved.last().unwrap().ended.clone().unwrap();
    assert!(ended.told("Bash").ends_with("🚫 Asked again from now on: ann · now"), "{}", ended.told("Bash"));
}

#[tokio::test(start_paused = true)]
async fn who_may_not_answer_may_not_take_a_grant_back() {
    let bot = |(at, event)| match event {
        Event::Chosen(press) => (at, Event::Chosen(Chosen { user: User { is_bot: true, ..press.user }, ..press })),
        said => (at, said),
    };
    let world = granted(vec![press(2000, "revoke", "eve", 10), bot(press(3000, "revoke", "ann", 10))], &[]).await;
    insta::assert_snapshot!(story(&world), @r"
    post 🔐 Claude Code asks for permission: Bash A
    revise 10: ✅ Approved: Bash A [may be taken back]
    acknowledge eve-revoke-2000 You may not answer this request.
    acknowledge ann-revoke-3000 You may not answer this request.
    ");
}

#[tokio::test(start_paused = true)]
async fn a_press_on_a_grant_that_is_over_is_told_so_and_the_choice_goes() {
    let world = granted(vec![press(2000, "revoke", "bob", 10)], &["over"]).await;
    insta::assert_snapshot!(story(&world), @"
    post 🔐 Claude Code asks for permission: Bash A
    revise 10: ✅ Approved: Bash A [may be taken back]
    = grant of req-1 taken back by bob at 2000
    acknowledge bob-revoke-2000 This permission has already ended. You will be asked again.
    revise 10: ✅ Approved: Bash A
    ");
}

#[tokio::test(start_paused = true)]
async fn a_grant_that_could_not_be_taken_back_keeps_its_choice() {
    let world = granted(vec![press(2000, "revoke", "bob", 10)], &["broken"]).await;
    insta::assert_snapshot!(story(&world), @"
    post 🔐 Claude Code asks for permission: Bash A
    revise 10: ✅ Approved: Bash A [may be taken back]
    = grant of req-1 taken back by bob at 2000
    acknowledge bob-revoke-2000 The permission could not be revoked. Please try again, or run: dmplz grants revoke
    ");
    assert!(world.saved.last().unwrap().ended.as_ref().is_some_and(Ended::is_revocable));
}

#[tokio::test(start_paused = true)]
async fn what_was_taken_back_elsewhere_or_ended_by_itself_is_said_once_and_the_choice_goes() {
    for (by, line) in [
        (Some("Zoe"), "🚫 Asked again from now on: Zoe · now"),
        (None, "This permission has already ended. You will be asked again."),
    ] {
        let world = serve(World::default(), transport(), 1, &[], async |office: &Office| {
            office.ask("A");
            office.until(1000).await;
            let ungranted = |id: &str| {
                let (id, by) = (id.to_owned(), by.map(str::to_owned));
                office.commands.try_send(Command::Ungranted { id, by }).unwrap();
            };
            // While the card is open, it has no grant to revoke.
            ungranted("req-1");
            office.until(1500).await;
            let scope = ApprovalScope::Granted { term: Term::HalfHour };
            close(&office.commands, "A", &Outcome::Approved { by: approver("bob"), scope });
            office.until(2000).await;
            ["req-2", "req-1", "req-1"].into_iter().for_each(ungranted);
            office.until(5000).await;
        })
        .await;
        insta::allow_duplicates! {
            insta::assert_snapshot!(story(&world), @r"
            post 🔐 Claude Code asks for permission: Bash A
            revise 10: ✅ Approved: Bash A [may be taken back]
            revise 10: ✅ Approved: Bash A
            ");
        }
        let ended = world.saved.last().unwrap().ended.clone().unwrap();
        assert!(ended.told("Bash").ends_with(line), "{}", ended.told("Bash"));
    }
}

#[tokio::test(start_paused = true)]
async fn a_revoke_on_a_card_that_is_up_or_has_no_grant_takes_nothing_back() {
    let presses = vec![press(500, "revoke", "ann", 10), press(1500, "approve", "ann", 10)];
    let world = World { events: presses.into(), ..World::default() };
    let world = serve(world, transport(), 1, &[], async |office: &Office| {
        office.ask("A");
        office.until(1000).await;
        close(&office.commands, "A", &Outcome::Approved { by: approver("bob"), scope: ApprovalScope::Once });
        office.until(5000).await;
    })
    .await;
    assert!(!story(&world).contains("taken back"), "{}", story(&world));
}
