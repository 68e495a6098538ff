//! Texts that are about no request, for an owner that leads something else in the same chat.

use super::*;

/// Asks one request, and looks at what happens in ten seconds.
async fn asked(world: World) -> World {
    serve(world, transport(), 1, &[], async |office: &Office| {
        office.ask("A");
        office.until(10_000).await;
    })
    .await
}

#[tokio::test(start_paused = true)]
async fn a_text_is_the_requests_that_waits_for_it_unless_it_is_certainly_the_owners() {
    let events = [
        says(500, "before anything is asked", "ann", 11),
        press(1000, "deny", "ann", 10),
        says(2000, "/stop", "ann", 60),
        answers(3000, "a reply to the owner's message", "ann", 61, 5),
        says(4000, "the reason", "ann", 62),
        answers(5000, "ok", "ann", 63, 10),
        says(6000, "and more", "ann", 64),
    ];
    let world = World { events: events.into(), own: vec![5], ..World::default() };
    let world = asked(world).await;
    insta::assert_snapshot!(story(&world), @"
    post 🔐 Claude Code asks for permission: Bash A
    = before anything is asked Last at 500
    = A denied by ann at 1000
    prompt Please write why you deny it (optional).
    acknowledge ann-deny-1000 -
    = /stop First at 2000
    = a reply to the owner's message First at 3000
    = A rejected_with_reason at 4000
    revise 10: ❌ Denied: Bash A
    revise 20: Reason: the reason
    = ok Last at 5000
    = and more Last at 6000
    ");
}

#[tokio::test(start_paused = true)]
async fn the_owners_messages_are_watched_without_any_request() {
    let world = World { events: [says(1000, "hello", "ann", 11)].into(), own: vec![5], ..World::default() };
    let polled = Transport { poll_interval: 1000, ..transport() };
    let world = serve(world, polled, 1, &[], async |office: &Office| office.until(10_000).await).await;
    insta::assert_snapshot!(story(&world), @"= hello Last at 1000");
}

fn inside((at, mut event): (Millis, Event)) -> (Millis, Event) {
    match &mut event {
        Event::Chosen(press) => press.message.chat = "t".into(),
        Event::Said(said) => said.message.chat = "t".into(),
    }
    (at, event)
}

#[tokio::test(start_paused = true)]
async fn a_request_is_asked_in_the_thread_where_its_owner_wants_it() {
    let events = [
        inside(press(1000, "deny", "ann", 10)),
        says(2000, "in the chat", "ann", 60),
        inside(says(3000, "the reason", "ann", 61)),
    ];
    let world = World { events: events.into(), own: vec![5], thread: Some("t"), ..World::default() };
    let world = asked(world).await;
    insta::assert_snapshot!(story(&world), @r"
    post 🔐 Claude Code asks for permission: Bash A in t
    = A denied by ann at 1000
    prompt Please write why you deny it (optional). in t
    acknowledge ann-deny-1000 -
    = in the chat Last at 2000
    = A rejected_with_reason at 3000
    revise 10: ❌ Denied: Bash A
    revise 20: Reason: the reason
    ");
}

#[tokio::test(start_paused = true)]
async fn a_request_whose_thread_is_gone_is_asked_in_the_chat() {
    let errors = vec![("post", ProviderError::NotFound)];
    let events = [press(1000, "approve", "ann", 10)].into();
    let world = World { events, errors, thread: Some("t"), ..World::default() };
    let world = asked(world).await;
    insta::assert_snapshot!(story(&world), @r"
    post 🔐 Claude Code asks for permission: Bash A in t -> the chat or message was not found
    post 🔐 Claude Code asks for permission: Bash A
    = A approved at 1000
    acknowledge ann-approve-1000 -
    revise 10: ✅ Approved: Bash A
    ");
}

/// Asks in a thread that is deleted after 1.5 s.
async fn deleted(events: Vec<(Millis, Event)>) -> String {
    let world = World { events: events.into(), thread: Some("t"), deleted: Some(1500), ..World::default() };
    story(&asked(world).await)
}

#[tokio::test(start_paused = true)]
async fn a_request_whose_thread_is_deleted_is_asked_again_in_the_chat() {
    insta::assert_snapshot!(deleted(vec![press(3000, "approve", "ann", 20)]).await, @"
    post 🔐 Claude Code asks for permission: Bash A in t
    post 🔐 Claude Code asks for permission: Bash A
    = A approved at 3000
    acknowledge ann-approve-3000 -
    revise 20: ✅ Approved: Bash A
    ");
}

#[tokio::test(start_paused = true)]
async fn a_denial_whose_thread_is_deleted_stands_and_its_reason_is_asked_for_in_the_chat() {
    let events = vec![inside(press(1000, "deny", "ann", 10)), says(3000, "the reason", "ann", 62)];
    insta::assert_snapshot!(deleted(events).await, @"
    post 🔐 Claude Code asks for permission: Bash A in t
    = A denied by ann at 1000
    prompt Please write why you deny it (optional). in t
    acknowledge ann-deny-1000 -
    prompt Please write why you deny it (optional).
    = A rejected_with_reason at 3000
    revise 30: Reason: the reason
    ");
}

#[tokio::test(start_paused = true)]
async fn an_answered_request_whose_thread_is_deleted_is_not_asked_again() {
    insta::assert_snapshot!(deleted(vec![inside(press(1000, "approve", "ann", 10))]).await, @"
    post 🔐 Claude Code asks for permission: Bash A in t
    = A approved at 1000
    acknowledge ann-approve-1000 -
    revise 10: ✅ Approved: Bash A
    ");
}

#[tokio::test(start_paused = true)]
async fn a_denial_that_arrives_after_its_thread_was_deleted_counts() {
    // Where a message can be pressed, the press carries its tag: a message that is gone cannot be looked at any more.
    let (at, mut press) = inside(press(2000, "deny", "ann", 10));
    if let Event::Chosen(press) = &mut press {
        press.tag = Some("TAGA".into());
    }
    insta::assert_snapshot!(deleted(vec![(at, press)]).await, @"
    post 🔐 Claude Code asks for permission: Bash A in t
    post 🔐 Claude Code asks for permission: Bash A
    = A denied by ann at 2000
    prompt Please write why you deny it (optional).
    acknowledge ann-deny-2000 -
    ");
}
