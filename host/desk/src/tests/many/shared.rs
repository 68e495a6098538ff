use super::*;
use dmplz_core::request::{ApprovalScope, Denial};

#[tokio::test(start_paused = true)]
async fn requests_are_shown_one_after_the_other_as_they_came() {
    let events =
        [press(1000, "approve", "ann", 10), press(2000, "session", "ann", 20), press(3000, "approve", "ann", 30)];
    let world = World { events: events.into(), ..World::default() };
    let world = serve(world, transport(), 1, &[], async |office: &Office| {
        ["A", "B", "C"].into_iter().for_each(|id| office.ask(id));
        office.until(5000).await;
    })
    .await;
    insta::assert_snapshot!(story(&world), @r"
    post 🔐 Claude Code asks for permission: Bash A
    = A approved at 1000
    acknowledge ann-approve-1000 -
    revise 10: ✅ Approved: Bash A
    post 🔐 Claude Code asks for permission: Bash B
    = B approved_session at 2000
    acknowledge ann-session-2000 -
    revise 20: 🔄 Approved for the session: Bash B
    post 🔐 Claude Code asks for permission: Bash C
    = C approved at 3000
    acknowledge ann-approve-3000 -
    revise 30: ✅ Approved: Bash C
    ");
}

#[tokio::test(start_paused = true)]
async fn after_a_pause_in_which_presses_are_dropped_the_chat_is_told_once_for_all_cards() {
    let events = [press(260_000, "approve", "ann", 10), press(261_000, "approve", "ann", 20)].into();
    let world = World { outage: Some((30_000, 200_000)), events, ..World::default() };
    let kept = Transport { presses_kept: Some(150), ..transport() };
    let world = serve(world, kept, 2, &[], async |office: &Office| {
        ["A", "B"].into_iter().for_each(|id| office.ask(id));
        office.until(270_000).await;
    })
    .await;
    assert_eq!(story(&world).matches("press it again").count(), 1, "{}", story(&world));
    assert!(story(&world).contains("= B approved at 261000"), "{}", story(&world));
}

#[tokio::test(start_paused = true)]
async fn a_request_that_ended_while_it_waited_is_never_shown() {
    let world = World { events: [press(3000, "approve", "ann", 10)].into(), ..World::default() };
    let world = serve(world, transport(), 1, &[], async |office: &Office| {
        ["A", "B", "C"].into_iter().for_each(|id| office.ask(id));
        office.until(1000).await;
        close(&office.commands, "B", &Outcome::ResolvedElsewhere(Resolver::Stopped));
        office.until(5000).await;
    })
    .await;
    assert!(!story(&world).contains("Bash B"), "{}", story(&world));
    assert!(story(&world).ends_with("post 🔐 Claude Code asks for permission: Bash C"), "{}", story(&world));
}

#[tokio::test(start_paused = true)]
async fn a_request_that_ended_before_the_desk_heard_of_it_is_never_shown() {
    let world = serve(World::default(), transport(), 1, &[], async |office: &Office| {
        office.ask("A");
        close(&office.commands, "A", &Outcome::ResolvedElsewhere(Resolver::Terminal));
        office.ask("B");
        office.until(1000).await;
    })
    .await;
    insta::assert_snapshot!(story(&world), @"post 🔐 Claude Code asks for permission: Bash B");
}

#[tokio::test(start_paused = true)]
async fn an_answer_from_elsewhere_ends_the_card_and_a_late_press_loses() {
    let by = approver("bob");
    let events =
        [press(1000, "approve", "ann", 10), press(3000, "approve", "ann", 10), press(4000, "approve", "bob", 10)];
    let world = World { events: events.into(), ..World::default() };
    let world = serve(world, transport(), 1, &["A"], async |office: &Office| {
        office.ask("A");
        office.until(2000).await;
        close(&office.commands, "A", &Outcome::Approved { by, scope: ApprovalScope::Once });
        office.until(5000).await;
    })
    .await;
    insta::assert_snapshot!(story(&world), @r"
    post 🔐 Claude Code asks for permission: Bash A
    = A approved at 1000
    acknowledge ann-approve-1000 bob was first
    revise 10: ✅ Approved: Bash A
    acknowledge ann-approve-3000 -
    acknowledge bob-approve-4000 This permission request has already expired. (request_id: old-10)
    ");
}

#[tokio::test(start_paused = true)]
async fn a_request_is_free_to_be_followed_before_its_card_can_show_its_end() {
    let world = World { outage: Some((2000, 30_000)), ..World::default() };
    let world = serve(world, transport(), 1, &[], async |office: &Office| {
        office.ask("A");
        office.ask("B");
        office.until(2500).await;
        close(&office.commands, "A", &Outcome::Expired(dmplz_core::request::ExpiredCause::Nobody));
        office.until(60_000).await;
    })
    .await;
    assert!(story(&world).contains("revise 10: ⌛ Expired: Bash A"), "{}", story(&world));
    assert!(story(&world).contains("post 🔐 Claude Code asks for permission: Bash B"), "{}", story(&world));
}

#[tokio::test(start_paused = true)]
async fn each_denial_has_its_reason_by_a_reply_to_its_prompt() {
    let events = [
        press(1000, "deny", "ann", 10),
        press(2000, "deny", "ann", 20),
        says(3000, "which?", "ann", 41),
        answers(4000, "second", "ann", 42, 40),
        answers(5000, "first", "ann", 43, 30),
    ];
    let world = World { events: events.into(), ..World::default() };
    let world = serve(world, transport(), 2, &[], async |office: &Office| {
        ["A", "B"].into_iter().for_each(|id| office.ask(id));
        office.until(9000).await;
    })
    .await;
    let story = story(&world);
    assert!(story.contains("post You denied several requests."), "{story}");
    assert!(story.contains("= B rejected_with_reason at 4000") && story.contains("= A rejected_with_reason at 5000"));
    assert!(story.contains("revise 40: Reason: second") && story.contains("revise 30: Reason: first"), "{story}");
}

#[tokio::test(start_paused = true)]
async fn the_only_denial_that_waits_takes_words_without_a_reply() {
    let events = [press(1000, "deny", "ann", 20), says(3000, "not that", "ann", 31), says(3500, "me too", "bob", 32)];
    let world = World { events: events.into(), ..World::default() };
    let world = serve(world, transport(), 2, &[], async |office: &Office| {
        ["A", "B"].into_iter().for_each(|id| office.ask(id));
        office.until(9000).await;
    })
    .await;
    assert!(story(&world).contains("= B rejected_with_reason at 3000"), "{}", story(&world));
    assert!(!story(&world).contains("= A "), "{}", story(&world));
}

#[tokio::test(start_paused = true)]
async fn a_card_that_was_up_before_a_restart_is_not_posted_again() {
    let world = World { events: [press(1000, "approve", "ann", 3)].into(), ..World::default() };
    let world = serve(world, transport(), 1, &[], async |office: &Office| {
        let progress =
            Progress { stage: Stage::Waiting, card: Some(message(3)), ..Progress::new("TAGA", subject("ls")) };
        office.commands.try_send(Command::Ask(Box::new(Job { progress: Some(progress), ..office.job("A") }))).unwrap();
        office.ask("B");
        office.until(5000).await;
    })
    .await;
    insta::assert_snapshot!(story(&world), @r"
    = A approved at 1000
    acknowledge ann-approve-1000 -
    revise 3: ✅ Approved: Bash
    post 🔐 Claude Code asks for permission: Bash B
    ");
}

#[tokio::test(start_paused = true)]
async fn a_card_of_before_a_restart_that_only_a_press_tells_of_shows_the_end_too() {
    let (at, Event::Chosen(pressed)) = press(1000, "approve", "ann", 3) else { unreachable!() };
    let pressed = Event::Chosen(Chosen { tag: Some("TAGA".into()), ..pressed });
    let world = World { events: [(at, pressed)].into(), ..World::default() };
    let world = serve(world, transport(), 1, &[], async |office: &Office| {
        let progress = Progress { stage: Stage::Posting, ..Progress::new("TAGA", subject("ls")) };
        office.ask("B");
        let job = Job { progress: Some(progress), is_over: true, ..office.job("A") };
        office.commands.try_send(Command::Ask(Box::new(job))).unwrap();
        office.until(5000).await;
        let elsewhere = Outcome::ResolvedElsewhere(Resolver::Terminal);
        close(&office.commands, "A", &elsewhere);
        office.until(6000).await;
    })
    .await;
    insta::assert_snapshot!(story(&world), @r"
    post 🔐 Claude Code asks for permission: Bash B
    acknowledge ann-approve-1000 This request was answered already.
    revise 3: ↩️ Settled elsewhere: Bash
    ");
}

#[tokio::test(start_paused = true)]
async fn a_card_that_appears_once_the_request_has_ended_is_written_down_before_it_is_known_how() {
    let world = World { slow: vec![("post", 500)], ..World::default() };
    let world = serve(world, transport(), 1, &[], async |office: &Office| {
        office.ask("A");
        office.until(100).await;
        office.commands.try_send(Command::Resolved { id: "A".into() }).unwrap();
        office.until(5000).await;
    })
    .await;
    assert_eq!(world.saved.last().unwrap().card, Some(message(10)));
}

#[tokio::test(start_paused = true)]
async fn a_denial_before_a_restart_goes_on_waiting_for_the_words_of_who_denied() {
    for prompt in [Some(message(4)), None] {
        let events = [press(500, "approve", "bob", 3), says(1000, "no", "bob", 21), says(2000, "because", "ann", 22)];
        let world = World { events: events.into(), ..World::default() };
        let world = serve(world, transport(), 1, &[], async |office: &Office| {
            let progress =
                Progress { card: Some(message(3)), prompt: prompt.clone(), ..Progress::new("TAGA", subject("ls")) };
            let denied =
                Denial { by: approver("ann"), until: office.started + Duration::from_secs(60), instead: false };
            let job = Job { progress: Some(progress), denied: Some(denied), ..office.job("A") };
            office.commands.try_send(Command::Ask(Box::new(job))).unwrap();
            office.until(5000).await;
        })
        .await;
        let story = story(&world);
        assert!(story.contains("= A rejected_with_reason at 2000") && !story.contains("= A approved"), "{story}");
        assert_eq!(story.matches("prompt").count(), usize::from(prompt.is_none()), "{story}");
    }
}

#[tokio::test(start_paused = true)]
async fn both_ways_of_answering_work() {
    let standing = |(at, event): (Millis, Event)| match event {
        Event::Chosen(press) => (at, Event::Chosen(Chosen { token: String::new(), ..press })),
        said => (at, said),
    };
    let reactions = Transport { answering: Answering::Reactions, poll_interval: 1000, ..transport() };
    let events = [
        standing(press(1000, "deny", "ann", 10)),
        standing(press(2500, "deny", "ann", 10)),
        says(5000, "no_reason", "ann", 21),
        standing(press(9000, "approve", "ann", 30)),
    ];
    let world = World { events: events.into(), impatient: true, ..World::default() };
    let world = serve(world, reactions, 1, &[], async |office: &Office| {
        ["A", "B"].into_iter().for_each(|id| office.ask(id));
        office.until(20_000).await;
    })
    .await;
    let story = story(&world);
    assert_eq!(story.matches("denied by ann").count(), 1, "{story}");
    assert!(story.contains("= A rejected_no_reason at 5") && story.contains("= B approved at 9"), "{story}");
    let looks = world.log.iter().filter(|line| line.starts_with("receive")).count();
    assert!(looks < 40, "{looks} looks");
}
