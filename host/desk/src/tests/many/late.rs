//! Presses that are read only after the request's time, because the process or the messenger was away. The owner ends the
//! request; until it does, a denial counts.

use super::*;

/// Asks a request whose time is over after this many milliseconds.
fn ask_until(office: &Office, at: Millis) {
    let deadline = office.started + Duration::from_millis(at);
    office.commands.try_send(Command::Ask(Box::new(Job { deadline, ..office.job("A") }))).unwrap();
}

/// A world in which polls hang until after the request's time, which is 8 s.
fn hanging(events: Vec<(Millis, Event)>) -> World {
    World { events: events.into(), slow: vec![("receive", 8250); 2], ..World::default() }
}

#[tokio::test(start_paused = true)]
async fn a_denial_that_is_read_after_the_time_counts_while_the_owner_has_not_ended_the_request() {
    let world = hanging(vec![press(6000, "deny", "ann", 10)]);
    let world = serve(world, transport(), 1, &[], async |office: &Office| {
        ask_until(office, 8000);
        office.until(9000).await;
    })
    .await;
    assert!(story(&world).contains("= A denied by ann at 8100"), "{}", story(&world));
    assert!(!story(&world).contains("This request"), "{}", story(&world));
}

#[tokio::test(start_paused = true)]
async fn an_approval_that_is_read_after_the_time_counts_for_nothing_and_is_told_so() {
    let world = hanging(vec![press(6000, "approve", "ann", 10)]);
    let world = serve(world, transport(), 1, &[], async |office: &Office| {
        ask_until(office, 8000);
        office.until(9000).await;
    })
    .await;
    assert!(!story(&world).contains("= A "), "{}", story(&world));
    assert!(story(&world).contains("acknowledge ann-approve-6000 This request has expired"), "{}", story(&world));
}

#[tokio::test(start_paused = true)]
async fn a_messenger_that_comes_back_just_before_the_time_is_over_is_asked_before_it_is() {
    let events = [press(1000, "deny", "eve", 10), press(6000, "deny", "ann", 10)];
    let world = World { events: events.into(), outage: Some((1000, 7000)), ..World::default() };
    let world = serve(world, transport(), 1, &[], async |office: &Office| {
        ask_until(office, 7100);
        office.until(7110).await;
    })
    .await;
    assert!(story(&world).contains("= A denied by ann at 7"), "{}", story(&world));
}

#[tokio::test(start_paused = true)]
async fn the_owner_hears_of_a_poll_that_began_after_the_time_as_soon_as_it_is_over() {
    for transport in [transport(), Transport { persistent: true, ..transport() }, reactions()] {
        serve(World::default(), transport, 1, &[], async |office: &Office| {
            ask_until(office, 8000);
            office.until(8200).await;
            let looked = office.world.borrow().looked.clone();
            assert!(looked.iter().any(|began| *began >= 8000), "{looked:?}");
        })
        .await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_card_that_cannot_be_posted_in_time_is_not_tried_again_and_a_denial_on_it_counts() {
    let (at, Event::Chosen(pressed)) = press(8300, "deny", "ann", 10) else { unreachable!() };
    let pressed = Event::Chosen(Chosen { tag: Some("TAGA".into()), ..pressed });
    let world = World { events: [(at, pressed)].into(), posting_fails: Some((0, 20_000)), ..World::default() };
    let world = serve(world, transport(), 1, &[], async |office: &Office| {
        ask_until(office, 8000);
        office.until(30_000).await;
    })
    .await;
    assert!(story(&world).contains("= A denied by ann at 8300"), "{}", story(&world));
    assert!(story(&world).matches("post ").count() < 12, "{}", story(&world));
}

#[tokio::test(start_paused = true)]
async fn the_end_of_a_requests_time_leaves_the_owner_time_to_store_the_presses_on_other_cards() {
    // The prompt of the denial is never posted, so the second press waits.
    let events = [press(1000, "deny", "ann", 20), press(7990, "approve", "bob", 20)];
    let world = World { events: events.into(), slow: vec![("prompt", 1_000_000)], ..World::default() };
    serve(world, transport(), 2, &[], async |office: &Office| {
        ask_until(office, 8000);
        office.ask("B");
        office.until(9000).await;
        let looked = office.world.borrow().looked.clone();
        let next = looked.iter().copied().find(|began| *began > 7990);
        assert!(next.is_some_and(|began| began >= 8240), "{looked:?}");
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_past_card_where_the_bot_may_not_look_any_more_hides_no_card_that_waits() {
    for transport in [transport(), reactions()] {
        let past = Watch { message: message(5), tag: String::new(), choices: Vec::new(), text: true };
        let events = [press(3000, "deny", "ann", 10)].into();
        let world = World { events, recent: vec![past], past_denied: true, ..World::default() };
        let world = serve(world, transport, 1, &[], async |office: &Office| {
            ask_until(office, 60_000);
            office.until(10_000).await;
        })
        .await;
        assert!(story(&world).contains("= A denied by ann at "), "{}", story(&world));
    }
}
