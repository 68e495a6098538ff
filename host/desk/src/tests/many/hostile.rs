use proptest::prelude::*;

use super::*;

#[tokio::test(start_paused = true)]
async fn an_hour_without_the_messenger_ends_nothing_and_is_told_once() {
    let minutes = |minutes: u64| minutes * 60_000;
    let events = [press(minutes(70), "approve", "ann", 10), press(minutes(75), "approve", "ann", 20)];
    let world = World { events: events.into(), outage: Some((minutes(1), minutes(61))), ..World::default() };
    let world = serve(world, transport(), 2, &[], async |office: &Office| {
        office.ask("A");
        office.until(minutes(5)).await;
        office.ask("B");
        office.until(minutes(80)).await;
    })
    .await;
    let story = story(&world);
    assert!(story.contains("= A approved at 4200000") && story.contains("= B approved at 4500000"), "{story}");
    let told: Vec<_> = story.lines().filter(|line| line.contains("reachable")).collect();
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].contains("the messenger cannot be reached") && told[1].contains("yes"), "{told:?}");
    let calls = world.log.len();
    assert!(calls < 1500, "{calls} calls in an hour");
}

#[tokio::test(start_paused = true)]
async fn the_gateway_waits_until_the_operator_fixes_an_error() {
    let errors =
        ["post", "receive"].into_iter().flat_map(|call| vec![(call, ProviderError::Unauthorized); 5]).collect();
    let world = World { events: [press(600_000, "approve", "ann", 10)].into(), errors, ..World::default() };
    let world = serve(world, transport(), 1, &[], async |office: &Office| {
        office.ask("A");
        office.until(700_000).await;
    })
    .await;
    assert!(story(&world).contains("= A approved at 600000"), "{}", story(&world));
}

#[tokio::test(start_paused = true)]
async fn a_card_that_breaks_the_provider_holds_nobody_up() {
    let errors = vec![("post", ProviderError::Rejected(None))];
    let events = [press(1000, "approve", "ann", 10), press(9000, "approve", "ann", 20)];
    let world = World { events: events.into(), errors, ..World::default() };
    let world = serve(world, transport(), 1, &[], async |office: &Office| {
        ["A", "B"].into_iter().for_each(|id| office.ask(id));
        office.until(10_000).await;
    })
    .await;
    let story = story(&world);
    assert!(story.contains("= A unshown: the messenger calls the request malformed at 0"), "{story}");
    assert!(story.contains("= B approved at 1000") && story.contains("= A approved at 9000"), "{story}");
}

#[tokio::test(start_paused = true)]
async fn a_flood_of_strangers_does_not_keep_a_deny_waiting() {
    let mut events: VecDeque<_> = (0..900).map(|_| press(1000, "approve", "eve", 10)).collect();
    events.push_back(press(1000, "deny", "ann", 10));
    let world = World { events, slow: vec![("acknowledge", 3000); 100], ..World::default() };
    let world = serve(world, transport(), 1, &[], async |office: &Office| {
        office.ask("A");
        office.until(1500).await;
    })
    .await;
    assert!(story(&world).contains("= A denied by ann at 1000"), "{}", story(&world));
    assert!(!story(&world).contains("approved"), "{}", story(&world));
}

/// A world with two cards. The prompt for the reason of the first one's denial, at 1000, is never posted.
fn unprompted(then: impl IntoIterator<Item = (Millis, Event)>) -> World {
    let events = std::iter::once(press(1000, "deny", "ann", 10)).chain(then).collect();
    World { events, slow: vec![("prompt", 1_000_000)], ..World::default() }
}

#[tokio::test(start_paused = true)]
async fn strangers_who_press_on_a_busy_card_hold_up_no_deny_on_another() {
    for presses in [1, 90] {
        let strangers = (0..presses).map(|_| press(2000, "approve", "eve", 10));
        let world = unprompted(strangers.chain([press(2001, "deny", "ann", 20)]));
        let world = serve(world, transport(), 2, &[], async |office: &Office| {
            ["A", "B"].into_iter().for_each(|id| office.ask(id));
            office.until(60_000).await;
        })
        .await;
        assert!(story(&world).contains("= B denied by ann at 2001"), "{presses}: {}", story(&world));
    }
}

#[tokio::test(start_paused = true)]
async fn people_who_may_answer_hold_up_other_cards_for_two_seconds_at_most() {
    let members = (0..90).map(|_| press(2000, "approve", "bob", 10));
    let world = unprompted(members.chain([press(2001, "deny", "ann", 20)]));
    let world = serve(world, transport(), 2, &[], async |office: &Office| {
        ["A", "B"].into_iter().for_each(|id| office.ask(id));
        office.until(60_000).await;
    })
    .await;
    assert!(story(&world).contains("= B denied by ann at 4000"), "{}", story(&world));
}

#[tokio::test(start_paused = true)]
async fn a_reaction_that_stays_set_on_a_busy_card_holds_up_no_deny_on_another() {
    let deny = |at, on| reaction(at, "deny", "ann", on);
    // Every poll reports it again.
    let events = [deny(1000, 10), deny(2000, 10), deny(3000, 10), deny(4000, 10), deny(4000, 20)].into();
    let world = World { events, ..unprompted([]) };
    let world = serve(world, reactions(), 2, &[], async |office: &Office| {
        ["A", "B"].into_iter().for_each(|id| office.ask(id));
        office.until(20_000).await;
    })
    .await;
    assert!(story(&world).contains("= B denied by ann at 4000"), "{}", story(&world));
}

#[tokio::test(start_paused = true)]
async fn a_deny_has_room_on_a_busy_card_that_strangers_fill() {
    let tagged = |(at, event): (Millis, Event)| match event {
        Event::Chosen(press) => (at, Event::Chosen(Chosen { tag: Some("TAGA".into()), ..press })),
        said => (at, said),
    };
    let strangers = (0..90).map(|_| press(200, "deny", "eve", 10));
    let events = strangers.chain([press(200, "deny", "ann", 10)]).map(tagged).collect();
    // The card is busy until its tag is stored.
    let world = World { events, writing: 1000, ..World::default() };
    let world = serve(world, transport(), 1, &[], async |office: &Office| {
        office.ask("A");
        office.until(1100).await;
    })
    .await;
    assert!(story(&world).contains("= A denied by ann at 1000"), "{}", story(&world));
}

#[tokio::test(start_paused = true)]
async fn presses_on_many_cards_that_nobody_remembers_are_all_answered() {
    let events = (100..200).map(|card| press(1000, "approve", "ann", card)).collect();
    let world = World { events, slow: vec![("acknowledge", 500); 100], ..World::default() };
    let world = serve(world, transport(), 1, &[], async |office: &Office| office.until(3500).await).await;
    let told = world.log.iter().filter(|line| line.starts_with("acknowledge")).count();
    assert_eq!(told, 100, "{}", story(&world));
}

#[tokio::test(start_paused = true)]
async fn a_press_in_another_chat_allows_nothing_whatever_tag_it_carries() {
    let (at, event) = press(1000, "approve", "ann", 10);
    let Event::Chosen(mut away) = event else { unreachable!() };
    away.message.chat = "another".into();
    away.tag = Some("TAGA".into());
    let events = [(at, Event::Chosen(away)), press(2000, "approve", "bob", 10)];
    let world = World { events: events.into(), ..World::default() };
    let world = serve(world, transport(), 1, &[], async |office: &Office| {
        office.ask("A");
        office.until(5000).await;
    })
    .await;
    let story = story(&world);
    assert!(story.contains("acknowledge ann-approve-1000") && !story.contains("at 1000"), "{story}");
    assert!(story.contains("= A approved at 2000"), "{story}");
}

fn any_event() -> impl Strategy<Value = (Millis, Event)> {
    let who = prop_oneof![Just("ann"), Just("bob"), Just("eve")];
    let what = prop_oneof![Just("approve"), Just("session"), Just("deny"), Just("skip"), Just("x")];
    prop_oneof![
        (0_u64..100_000, what, who.clone(), 0_u64..8).prop_map(|(at, choice, by, on)| press(at, choice, by, on * 10)),
        (0_u64..100_000, who, 0_u64..80, 0_u64..8).prop_map(|(at, by, id, to)| answers(at, "because", by, id, to * 10)),
    ]
}

fn any_error() -> impl Strategy<Value = (&'static str, ProviderError)> {
    let call = prop_oneof![Just("post"), Just("prompt"), Just("receive"), Just("acknowledge"), Just("revise")];
    let error = prop_oneof![
        Just(ProviderError::Unavailable(None)),
        Just(ProviderError::RateLimited(None)),
        Just(ProviderError::Unauthorized),
        Just(ProviderError::Broken("trap".into())),
        Just(ProviderError::TooLarge),
        Just(ProviderError::Rejected(None)),
    ];
    (call, error)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn whatever_comes_the_owner_hears_only_authorised_people_and_a_deny_is_never_followed_by_an_allow(
        mut events in prop::collection::vec(any_event(), 0..20),
        errors in prop::collection::vec(any_error(), 0..12),
        active in 1_usize..4,
    ) {
        events.sort_by_key(|(at, _)| *at);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        let world = World { events: events.into(), errors, ..World::default() };
        let world = runtime.block_on(serve(world, transport(), active, &[], async |office: &Office| {
            ["A", "B", "C", "D"].into_iter().for_each(|id| office.ask(id));
            office.until(300_000).await;
        }));
        let story = story(&world);
        for id in ["A", "B", "C", "D"] {
            let lines: Vec<_> = story.lines().filter(|line| line.starts_with(&format!("= {id} "))).collect();
            let decided = lines.iter().filter(|line| !line.contains("denied by") && !line.contains("unshown")).count();
            prop_assert!(decided <= 1, "answered twice: {story}");
            let denied = lines.iter().any(|line| line.contains("denied by"));
            prop_assert!(!denied || !lines.iter().any(|line| line.contains(" approved")), "a deny was lost: {story}");
        }
        prop_assert!(!story.contains("denied by eve"), "{story}");
    }
}
