use dmplz_core::card::Style;
use proptest::prelude::*;

use super::*;

fn down() -> ProviderError {
    ProviderError::Unavailable(None)
}

#[tokio::test(start_paused = true)]
async fn a_temporary_error_is_retried_until_the_deadline() {
    let errors = vec![
        ("open", down()),
        ("post", ProviderError::RateLimited(Some(2000))),
        ("post", down()),
        ("receive", ProviderError::Broken("trap".into())),
        ("receive", ProviderError::Conflict(None)),
    ];
    let world = World { errors, events: [press(1000, "approve", "ann", 10)].into(), ..World::default() };
    assert_eq!(name(&run(world, "ls", None).await.0), "approved");
    let world = World { errors: (0..5000).map(|_| ("post", down())).collect(), ..World::default() };
    let (outcome, world) = run(world, "ls", None).await;
    let why = down().into();
    assert_eq!(outcome, Outcome::Expired(dmplz_core::request::ExpiredCause::Failed(why)), "nobody could answer");
    assert!(log(&world).contains("= expired at 300000"));
}

/// A provider may have posted before it broke.
#[tokio::test(start_paused = true)]
async fn a_post_that_broke_is_tried_once_more_and_no_further() {
    for call in ["post", "prompt"] {
        let errors = std::iter::repeat_n((call, ProviderError::Broken("trap".into())), 20).collect();
        let world = World { errors, events: [press(1000, "deny", "ann", 10)].into(), ..World::default() };
        let (_, world) = run(world, "ls", None).await;
        let tries = log(&world).lines().filter(|line| line.starts_with(call) && line.contains("broke")).count();
        assert_eq!(tries, 2, "{}", log(&world));
    }
}

#[tokio::test(start_paused = true)]
async fn an_error_that_the_operator_must_fix_ends_the_request_at_once_without_a_decision() {
    for error in [ProviderError::Unauthorized, ProviderError::NotFound, ProviderError::Denied(None)] {
        for call in ["post", "receive"] {
            let world = World { errors: vec![(call, error.clone())], ..World::default() };
            let (outcome, world) = run(world, "ls", None).await;
            assert_eq!(name(&outcome), "expired", "{}", log(&world));
            assert!(log(&world).contains("= expired at 0"), "{}", log(&world));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_deny_stands_when_the_reason_step_or_the_messenger_fails() {
    let denied = || [press(1000, "deny", "ann", 10)].into();
    let cases: Vec<World> = vec![
        World {
            errors: vec![("acknowledge", down()), ("revise", ProviderError::Unauthorized)],
            events: denied(),
            ..World::default()
        },
        World { slow: vec![("acknowledge", 120_000)], events: denied(), ..World::default() },
    ];
    for world in cases {
        let (outcome, world) = run(world, "ls", None).await;
        assert!(outcome.rejection().is_some(), "{}", log(&world));
    }
    // The prompt fails permanently, or for as long as the request lasts.
    for (error, times) in [(ProviderError::Denied(None), 1), (down(), 5000)] {
        let errors = std::iter::repeat_n(("prompt", error), times).collect();
        let (outcome, world) = run(World { events: denied(), errors, ..World::default() }, "ls", None).await;
        assert!(outcome.rejection().is_some(), "{}", log(&world));
    }
}

/// A provider that is stopped in the middle of a call is thrown away with its connections.
#[tokio::test(start_paused = true)]
async fn a_post_that_could_not_return_in_time_is_not_begun() {
    let world = World {
        events: [press(1000, "deny", "ann", 10)].into(),
        slow: vec![("prompt", 59_970)],
        errors: std::iter::repeat_n(("prompt", ProviderError::RateLimited(Some(1))), 5).collect(),
        ..World::default()
    };
    let (outcome, world) = run(world, "ls", None).await;
    assert!(outcome.rejection().is_some(), "{}", log(&world));
    let tries = log(&world).lines().filter(|line| line.starts_with("prompt")).count();
    assert_eq!(tries, 1, "{}", log(&world));
}

#[tokio::test(start_paused = true)]
async fn a_card_that_is_too_large_after_all_goes_out_with_less_text_and_a_file() {
    let world = World {
        errors: vec![("post", ProviderError::TooLarge), ("post", ProviderError::TooLarge)],
        events: [press(1000, "approve", "ann", 10)].into(),
        ..World::default()
    };
    let (outcome, world) = run(world, &"x".repeat(3000), None).await;
    assert_eq!(name(&outcome), "approved");
    assert!(world.log[3].ends_with("Bash +file"), "{}", log(&world));
}

#[tokio::test(start_paused = true)]
async fn a_card_still_being_posted_when_the_request_ends_is_retired_if_it_appears() {
    let (outcome, world) = run(World { slow: vec![("post", 1600)], ..World::default() }, "ls", Some(1000)).await;
    assert_eq!(name(&outcome), "resolved_elsewhere");
    assert!(log(&world).contains("revise 10:"), "{}", log(&world));
    let (_, world) = run(World { slow: vec![("post", 50_000)], ..World::default() }, "ls", Some(1000)).await;
    assert!(log(&world).contains("= resolved_elsewhere at 1000"), "{}", log(&world));
    assert_eq!(world.saved[0].stage, Stage::Posting);
}

#[tokio::test(start_paused = true)]
async fn a_messenger_that_hangs_cannot_hold_the_end_up() {
    let world = World { slow: vec![("receive", 900_000)], ..World::default() };
    let (_, world) = run(world, "ls", None).await;
    assert!(log(&world).contains("= expired at 300250"), "{}", log(&world));
    let world =
        World { slow: vec![("revise", 900_000)], events: [press(5, "approve", "ann", 10)].into(), ..World::default() };
    let (outcome, world) = run(world, "ls", None).await;
    assert_eq!(name(&outcome), "approved");
    assert_eq!(world.saved.last().unwrap().stage, Stage::Deciding, "left for the next process");
}

/// Returns how a request with a limit of 300 s ends.
pub(super) async fn end_of(world: World, stop_at: Option<Millis>) -> String {
    let (_, world) = run(world, "ls", stop_at).await;
    world.log.into_iter().find(|line| line.starts_with("= ")).unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_denial_does_not_wait_for_words_to_others() {
    let late = |at| press(at, "approve", "ann", 3);
    let world = World {
        slow: vec![("acknowledge", 60_000); 12],
        events: (0..10).map(|n| late(296_000 + n)).chain([press(297_000, "deny", "ann", 10)]).collect(),
        ..World::default()
    };
    assert_eq!(end_of(world, None).await, "= rejected_no_reason at 300000");
    let together = (0..10).map(|_| late(1000)).chain([press(1000, "approve", "ann", 10)]).collect();
    let world = World { slow: vec![("acknowledge", 60_000); 12], events: together, ..World::default() };
    assert_eq!(end_of(world, None).await, "= approved at 1000");
}

#[tokio::test(start_paused = true)]
async fn a_stopped_hook_ends_at_once_whatever_is_being_said() {
    for slow in ["acknowledge", "prompt"] {
        let world =
            World { slow: vec![(slow, 60_000)], events: [press(1000, "deny", "ann", 10)].into(), ..World::default() };
        assert_eq!(end_of(world, Some(2000)).await, "= rejected_no_reason at 2000", "{slow}");
    }
    let orphan = Progress { card: Some(message(3)), ..Progress::new("OLD", subject("ls")) };
    let world = World { slow: vec![("revise", 60_000)], orphans: vec![orphan], ..World::default() };
    assert_eq!(end_of(world, Some(2000)).await, "= resolved_elsewhere at 2000");
}

#[tokio::test(start_paused = true)]
async fn a_denial_that_is_seen_after_the_time_counts_and_an_approval_does_not() {
    for (choice, end) in [("deny", "rejected_no_reason"), ("tell", "rejected_no_reason"), ("approve", "expired")] {
        let world = World {
            slow: vec![("receive", 300_200)],
            events: [press(299_000, choice, "ann", 10)].into(),
            ..World::default()
        };
        assert_eq!(end_of(world, None).await, format!("= {end} at 300200"), "{choice}");
    }
}

#[tokio::test(start_paused = true)]
async fn cards_of_dead_processes_do_not_hold_up_an_answer() {
    let orphan = |n: u64| Progress { card: Some(message(n)), ..Progress::new("OLD", subject("ls")) };
    let world = World {
        slow: vec![("revise", 2000); 40],
        orphans: (100..140).map(orphan).collect(),
        events: [press(10, "deny", "ann", 10), press(20, "skip", "ann", 20)].into(),
        ..World::default()
    };
    assert_eq!(end_of(world, None).await, "= rejected_no_reason at 20");
}

#[tokio::test(start_paused = true)]
async fn after_a_pause_in_which_presses_are_dropped_people_are_asked_once_to_press_again() {
    for (kept, until, asked) in [(Some(150), 100_000, 0), (Some(150), 200_000, 1), (None, 200_000, 0)] {
        let events = [press(250_000, "approve", "ann", 10)].into();
        let world = World { outage: Some((30_000, until)), events, ..World::default() };
        let (outcome, world) = run_by(Transport { presses_kept: kept, ..transport() }, world, "ls", None).await;
        assert_eq!(name(&outcome), "approved", "{kept:?} {until}");
        let again = world.log.iter().filter(|line| line.starts_with("post ") && line.contains("press it again"));
        assert_eq!(again.count(), asked, "{kept:?} {until}: {}", log(&world));
    }
}

#[tokio::test(start_paused = true)]
async fn a_provider_whose_looks_do_not_wait_is_not_asked_in_a_circle() {
    let world = World { impatient: true, events: [press(10_000, "approve", "ann", 10)].into(), ..World::default() };
    let (outcome, world) = run(world, "ls", None).await;
    assert_eq!(name(&outcome), "approved");
    assert!(world.log.iter().filter(|line| line.starts_with("receive")).count() <= 102, "{}", log(&world));
}

fn any_error() -> impl Strategy<Value = (&'static str, ProviderError)> {
    let call = prop_oneof![Just("post"), Just("receive"), Just("acknowledge"), Just("revise")];
    let error = prop_oneof![
        Just(down()),
        Just(ProviderError::Unreachable(NoConnection::other("no such name"))),
        Just(ProviderError::Deadline),
        Just(ProviderError::RateLimited(None)),
        Just(ProviderError::Unauthorized),
        Just(ProviderError::Broken("trap".into())),
        Just(ProviderError::TooLarge),
    ];
    (call, error)
}

fn any_event() -> impl Strategy<Value = (Millis, Event)> {
    let who = prop_oneof![Just("ann"), Just("bob"), Just("eve")];
    let what = prop_oneof![Just("approve"), Just("session"), Just("deny"), Just("skip")];
    prop_oneof![
        (0_u64..400_000, what, who.clone(), 1_u64..4).prop_map(|(at, choice, by, on)| press(at, choice, by, on * 10)),
        (0_u64..400_000, who, 0_u64..50).prop_map(|(at, by, id)| says(at, "because", by, id)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn whatever_fails_an_allow_needs_an_authorised_press_and_the_end_comes_by_the_deadline(
        mut events in prop::collection::vec(any_event(), 0..12),
        errors in prop::collection::vec(any_error(), 0..12),
        stop_at in prop::option::of(0_u64..310_000),
    ) {
        events.sort_by_key(|(at, _)| *at);
        let allowed_by = |event: &Event| matches!(event, Event::Chosen(press)
            if press.user.id != "eve" && matches!(press.choice.as_str(), "approve" | "session"));
        let anybody = events.iter().any(|(_, event)| allowed_by(event));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        let (outcome, world) =
            runtime.block_on(run(World { events: events.into(), errors, ..World::default() }, "ls", stop_at));
        let log = log(&world);
        prop_assert!(anybody || !name(&outcome).starts_with("approved"), "{}", log);
        let ended: Vec<_> = world.log.iter().filter_map(|line| line.strip_prefix("= ")).collect();
        let [end] = ended.as_slice() else { panic!("one end: {log}") };
        let at: u64 = end.rsplit(' ').next().unwrap().parse().unwrap();
        prop_assert!(at <= 300_000 + 610, "{}", log);
        let denied = world.saved.iter().any(|progress| progress.denier.is_some());
        prop_assert!(!denied || outcome.rejection().is_some(), "a deny was lost: {}", log);
    }
}

/// If a poll reads one card after the other, past cards do not delay the request's own.
#[tokio::test(start_paused = true)]
async fn a_deny_is_not_lost_because_a_look_at_cards_of_the_past_takes_long() {
    let style = Style { lang: Lang::En, answering: Answering::Reactions, limits: transport().limits };
    let past = Watch {
        message: message(5),
        tag: String::new(),
        choices: dmplz_core::card::choices(style, &Offer::plain(true), &Default::default()),
        text: false,
    };
    let world = World {
        events: [press(100, "deny", "ann", 10)].into(),
        recent: vec![past],
        slow_past: 5_000,
        impatient: true,
        ..World::default()
    };
    let (outcome, world) = run_until(reactions(), world, "ls", None, 2_000).await;
    assert!(outcome.rejection().is_some(), "{}", log(&world));
}

/// A past card where the bot was removed since.
fn elsewhere(world: World) -> World {
    let past = Watch { message: message(5), tag: String::new(), choices: Vec::new(), text: true };
    World { recent: vec![past], past_denied: true, ..world }
}

#[tokio::test(start_paused = true)]
async fn a_past_card_where_the_bot_may_not_look_any_more_ends_no_request() {
    for transport in [transport(), reactions()] {
        let world = World { events: [press(1000, "approve", "ann", 10)].into(), ..World::default() };
        let (outcome, world) = run_until(transport, elsewhere(world), "ls", None, 60_000).await;
        assert_eq!(name(&outcome), "approved", "{}", log(&world));
    }
}

#[tokio::test(start_paused = true)]
async fn the_chat_itself_still_ends_a_request_where_the_bot_may_not_look() {
    let errors = vec![("receive", ProviderError::Denied(None)); 2];
    let world = World { errors, ..World::default() };
    let (outcome, world) = run(elsewhere(world), "ls", None).await;
    assert_eq!(name(&outcome), "expired", "{}", log(&world));
    assert!(log(&world).contains("= expired at 0"), "{}", log(&world));
}

/// Returns a press on the request's card that identifies it by the tag only.
fn tagged(at: Millis, choice: &str, by: &str) -> (Millis, Event) {
    let (at, Event::Chosen(press)) = press(at, choice, by, 10) else { unreachable!() };
    (at, Event::Chosen(Chosen { tag: Some("TAG".into()), ..press }))
}

#[tokio::test(start_paused = true)]
async fn what_is_pressed_on_a_card_whose_posting_is_not_confirmed_counts() {
    for fails in [false, true] {
        for (choice, ends) in [("deny", "rejected_no_reason at 64000"), ("approve", "approved at 4000")] {
            let slow = if fails { Vec::new() } else { vec![("post", 300_000)] };
            let posting_fails = fails.then_some((0, 300_000));
            let events = [tagged(4000, choice, "ann")].into();
            let (_, world) = run(World { slow, posting_fails, events, ..World::default() }, "ls", None).await;
            assert!(log(&world).contains(&format!("= {ends}")), "{fails} {choice}: {}", log(&world));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_press_by_nobody_who_may_answer_tells_where_an_unconfirmed_card_is() {
    let events = [tagged(4000, "deny", "eve"), press(60_000, "approve", "ann", 10)].into();
    let (_, world) = run(World { posting_fails: Some((0, 300_000)), events, ..World::default() }, "ls", None).await;
    assert!(log(&world).contains("= approved at 60000"), "{}", log(&world));
    assert!(log(&world).contains("acknowledge eve-deny-4000 "), "{}", log(&world));
}
