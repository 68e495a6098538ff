use super::*;

#[tokio::test(start_paused = true)]
async fn an_approval_is_handed_over_before_anything_is_said_or_shown() {
    let world = World { events: [press(1500, "approve", "ann", 10)].into(), ..World::default() };
    let (outcome, world) = run(world, "ls", None).await;
    assert_eq!(name(&outcome), "approved");
    insta::assert_snapshot!(log(&world), @r#"
    open Room("c")
    post 🔐 Claude Code asks for permission: Bash
    receive 
    = approved at 1500
    acknowledge ann-approve-1500 -
    revise 10: ✅ Approved: Bash
    "#);
    assert_eq!(
        world.saved.iter().map(|p| p.stage).collect::<Vec<_>>(),
        [Stage::Posting, Stage::Waiting, Stage::Deciding, Stage::Ended]
    );
}

#[tokio::test(start_paused = true)]
async fn a_denial_asks_why_and_closes_both_messages() {
    let events =
        [press(1000, "deny", "ann", 10), says(2000, "not now", "bob", 21), says(3000, "use a branch", "ann", 22)];
    let (outcome, world) = run(World { events: events.into(), ..World::default() }, "git push", None).await;
    assert_eq!(outcome.rejection().unwrap().0, "use a branch");
    insta::assert_snapshot!(log(&world), @r#"
    open Room("c")
    post 🔐 Claude Code asks for permission: Bash
    receive 
    prompt Please write why you deny it (optional).
    receive 1
    acknowledge ann-deny-1000 -
    receive 2
    = rejected_with_reason at 3000
    revise 10: ❌ Denied: Bash
    revise 20: Reason: use a branch
    "#);
}

#[tokio::test(start_paused = true)]
async fn skipping_the_reason_ends_at_once_and_silence_after_a_minute() {
    let events = [press(1000, "deny", "ann", 10), press(1500, "skip", "bob", 20), press(2000, "skip", "ann", 20)];
    let (outcome, world) = run(World { events: events.into(), ..World::default() }, "ls", None).await;
    assert_eq!(format!("{:?}", outcome.rejection().unwrap().1), "ExplicitSkip");
    assert!(log(&world).contains("= rejected_no_reason at 2000"), "{}", log(&world));
    assert!(log(&world).contains("Only the person who denied"), "{}", log(&world));

    let (outcome, world) =
        run(World { events: [press(1000, "deny", "ann", 10)].into(), ..World::default() }, "ls", None).await;
    assert_eq!(format!("{:?}", outcome.rejection().unwrap().1), "Timeout");
    assert!(log(&world).contains("= rejected_no_reason at 61000"), "{}", log(&world));
}

#[tokio::test(start_paused = true)]
async fn a_denial_beats_an_approval_that_comes_in_the_same_look() {
    let events = [press(1000, "approve", "bob", 10), press(1000, "deny", "ann", 10)];
    let (outcome, _) = run(World { events: events.into(), ..World::default() }, "ls", None).await;
    assert!(outcome.rejection().is_some());
}

#[tokio::test(start_paused = true)]
async fn strangers_are_told_that_they_may_not_and_late_presses_once_that_it_is_over() {
    let events = [
        press(1000, "approve", "eve", 10),
        press(2000, "approve", "ann", 3),
        press(3000, "deny", "ann", 3),
        press(4000, "approve", "bob", 10),
    ];
    let (_, world) = run(World { events: events.into(), ..World::default() }, "ls", None).await;
    insta::assert_snapshot!(log(&world), @r#"
    open Room("c")
    post 🔐 Claude Code asks for permission: Bash
    receive 
    receive 1
    acknowledge eve-approve-1000 You may not answer this request.
    receive 2
    acknowledge ann-approve-2000 This permission request has already expired. (request_id: old-3)
    receive 3
    acknowledge ann-deny-3000 This permission request has already expired. (request_id: old-3)
    = approved at 4000
    acknowledge bob-approve-4000 -
    revise 10: ✅ Approved: Bash
    "#);
}

#[tokio::test(start_paused = true)]
async fn nobody_answers_until_the_deadline() {
    let (outcome, world) = run(World::default(), "ls", None).await;
    assert_eq!(name(&outcome), "expired");
    assert!(log(&world).contains("= expired at 300000"), "{}", log(&world));
    assert!(log(&world).ends_with("revise 10: ⌛ Expired: Bash"), "{}", log(&world));
}

#[tokio::test(start_paused = true)]
async fn an_answer_elsewhere_ends_the_wait_at_once_and_never_loses_a_deny() {
    let (outcome, world) = run(World::default(), "ls", Some(1234)).await;
    assert_eq!(name(&outcome), "resolved_elsewhere");
    assert!(log(&world).contains("= resolved_elsewhere at 1234"), "{}", log(&world));
    let world = World { events: [press(1000, "deny", "ann", 10)].into(), ..World::default() };
    let (outcome, _) = run(world, "ls", Some(1234)).await;
    assert!(outcome.rejection().is_some());
}

#[tokio::test(start_paused = true)]
async fn a_standing_reaction_is_dealt_with_once() {
    let standing = |at, choice: &str, by: &str, on| {
        let (at, Event::Chosen(press)) = press(at, choice, by, on) else { unreachable!() };
        (at, Event::Chosen(Chosen { token: String::new(), ..press }))
    };
    let events = [
        standing(1000, "approve", "eve", 10),
        standing(2000, "approve", "eve", 10),
        standing(3000, "deny", "ann", 10),
        standing(4000, "deny", "ann", 10),
    ];
    let (outcome, world) = run(World { events: events.into(), ..World::default() }, "ls", None).await;
    assert!(outcome.rejection().is_some());
    assert_eq!(world.log.iter().filter(|line| line.contains("may not answer")).count(), 1, "{}", log(&world));
    assert_eq!(world.saved.last().unwrap().seen, ["c:10:eve:approve", "c:10:ann:deny"]);
}

#[tokio::test(start_paused = true)]
async fn cards_of_dead_processes_are_retired_once_this_requests_card_is_up() {
    let dead = |tag: &str, stage| Progress { stage, card: Some(message(3)), ..Progress::new(tag, subject("rm x")) };
    let mut prompted = dead("OLD", Stage::Reason);
    prompted.prompt = Some(message(4));
    let never_posted = Progress::new("NEW", subject("ls"));
    let orphans = vec![prompted, dead("OTHER", Stage::Waiting), never_posted];
    // The first orphan's card was deleted.
    let errors = vec![("revise", ProviderError::NotFound)];
    let world = World { orphans, errors, events: [press(10, "approve", "ann", 10)].into(), ..World::default() };
    let (_, world) = run(world, "ls", None).await;
    insta::assert_snapshot!(log(&world), @r#"
    open Room("c")
    post 🔐 Claude Code asks for permission: Bash
    receive 
    revise 3: ⚠️ Interrupted: Bash -> the chat or message was not found
    revise 4: The process that waited for the answer died, so no answer was delivered. Look at the terminal.
    retired OLD
    revise 3: ⚠️ Interrupted: Bash
    retired OTHER
    retired NEW
    = approved at 10
    acknowledge ann-approve-10 -
    revise 10: ✅ Approved: Bash
    "#);
}

#[tokio::test(start_paused = true)]
async fn a_card_that_can_never_be_closed_is_tried_once_and_one_that_may_be_is_kept() {
    let dead = |tag: &str, n| Progress { card: Some(message(n)), ..Progress::new(tag, subject("rm x")) };
    let orphans = vec![dead("KICKED", 3), dead("LATER", 4), dead("LAST", 5)];
    let errors = vec![
        ("revise", ProviderError::Denied(Some("bot was kicked from the group chat".into()))),
        ("revise", ProviderError::Unauthorized),
    ];
    let world = World { orphans, errors, events: [press(10, "approve", "ann", 10)].into(), ..World::default() };
    let (_, world) = run(world, "ls", None).await;
    let retired: Vec<_> = world.log.iter().filter(|line| line.starts_with("retired")).collect();
    assert_eq!(retired, ["retired KICKED", "retired LAST"], "{}", log(&world));
}
