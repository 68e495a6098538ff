//! News is told once per user and card, and every press is acknowledged.

use super::*;

/// Returns the acknowledgements in order: `who-choice-when words`.
fn signs(world: &World) -> Vec<&str> {
    world.log.iter().filter_map(|line| line.strip_prefix("acknowledge ")).collect()
}

/// Returns the acknowledgements that had a notice.
fn words(world: &World) -> Vec<&str> {
    signs(world).into_iter().filter(|sign| !sign.ends_with(" -")).collect()
}

async fn alone(transport: Transport, events: Vec<(Millis, Event)>) -> World {
    run_by(transport, World { events: events.into(), ..World::default() }, "ls", None).await.1
}

#[tokio::test(start_paused = true)]
async fn a_card_that_ended_tells_each_person_once_and_each_denial() {
    let events = vec![
        press(1000, "approve", "bob", 3),
        press(2000, "deny", "bob", 3),
        press(3000, "approve", "eve", 3),
        press(4000, "approve", "bob", 4),
        press(5000, "approve", "bob", 3),
        press(6000, "approve", "ann", 10),
    ];
    let world = alone(transport(), events).await;
    let late = |id: u64| format!("This permission request has already expired. (request_id: old-{id})");
    let told = [("bob-approve", 1000, 3), ("bob-deny", 2000, 3), ("eve-approve", 3000, 3), ("bob-approve", 4000, 4)];
    let told = told.map(|(who, at, on)| format!("{who}-{at} {}", late(on)));
    assert_eq!(words(&world), told);
    assert_eq!(signs(&world).len(), 6, "each press has its sign: {}", log(&world));
    let reactions = vec![
        reaction(1000, "approve", "bob", 3),
        reaction(3000, "deny", "bob", 3),
        reaction(5000, "approve", "eve", 3),
        reaction(8000, "approve", "ann", 10),
    ];
    let world = alone(self::reactions(), reactions).await;
    assert_eq!(words(&world).len(), 2, "{}", log(&world));
}

#[tokio::test(start_paused = true)]
async fn a_card_that_nobody_knows_tells_each_person_once() {
    let on = UNKNOWN;
    let events = || {
        vec![
            press(1000, "approve", "bob", on),
            press(2000, "approve", "bob", on),
            press(3000, "deny", "eve", on),
            press(4000, "deny", "bob", on + 1),
            press(5000, "approve", "ann", 10),
        ]
    };
    let world = alone(transport(), events()).await;
    assert_eq!((words(&world).len(), signs(&world).len()), (3, 5), "{}", log(&world));
    let world = World { events: events().into(), ..World::default() };
    let world = serve(world, transport(), 1, &[], async |office: &Office| {
        office.ask("A");
        office.until(9000).await;
    })
    .await;
    assert_eq!((words(&world).len(), signs(&world).len()), (3, 5), "{}", story(&world));
}

#[tokio::test(start_paused = true)]
async fn a_step_that_is_past_tells_each_person_once() {
    let events = vec![
        press(1000, "q1-o2", "ann", 10),
        press(2000, "q1-o1", "bob", 10),
        press(3000, "q1-o2", "bob", 10),
        press(4000, "submit", "bob", 10),
        press(5000, "q1-o1", "ann", 10),
        press(6000, "deny", "ann", 10),
    ];
    let world = World { events: events.into(), offer: Some(questions()), ..World::default() };
    let world = run_by(transport(), world, "ls", None).await.1;
    let told: Vec<_> = words(&world).iter().map(|sign| sign.split_once(' ').unwrap().0.to_owned()).collect();
    assert_eq!(told, ["bob-q1-o1-2000", "ann-q1-o1-5000"], "{}", log(&world));
    assert_eq!(signs(&world).len(), 6, "{}", log(&world));
}

#[tokio::test(start_paused = true)]
async fn who_denied_is_told_once_and_how_it_ended_once() {
    let events = [
        press(1000, "deny", "ann", 10),
        press(2000, "approve", "bob", 10),
        press(3000, "session", "bob", 10),
        press(4000, "skip", "ann", 20),
        press(5000, "approve", "bob", 10),
        press(6000, "approve", "bob", 10),
        press(7000, "approve", "eve", 10),
    ];
    let world = World { events: events.into(), ..World::default() };
    let world = serve(world, transport(), 1, &[], async |office: &Office| {
        office.ask("A");
        office.until(9000).await;
    })
    .await;
    let told: Vec<_> = words(&world).iter().map(|sign| sign.split_once(' ').unwrap().0.to_owned()).collect();
    assert_eq!(told, ["bob-approve-2000", "bob-approve-5000", "eve-approve-7000"], "{}", story(&world));
    assert_eq!(signs(&world).len(), 7, "{}", story(&world));
}

#[tokio::test(start_paused = true)]
async fn who_was_first_is_told_once_while_the_end_is_on_its_way_and_after_it() {
    let events = [
        press(1000, "approve", "ann", 10),
        press(1500, "approve", "ann", 10),
        press(2000, "session", "ann", 10),
        press(5000, "approve", "ann", 10),
        press(6000, "approve", "bob", 10),
    ];
    let world = World { events: events.into(), ..World::default() };
    let world = serve(world, transport(), 1, &["A"], async |office: &Office| {
        office.ask("A");
        office.until(3000).await;
        close(&office.commands, "A", &Outcome::Approved { by: approver("bob"), scope: ApprovalScope::Once });
        office.until(9000).await;
    })
    .await;
    let told: Vec<_> = words(&world).iter().map(|sign| sign.split_once(' ').unwrap().0.to_owned()).collect();
    assert_eq!(told, ["ann-approve-1000", "bob-approve-6000"], "{}", story(&world));
    assert_eq!(signs(&world).len(), 5, "{}", story(&world));
}

#[tokio::test(start_paused = true)]
async fn every_press_that_could_not_be_stored_gets_a_reply() {
    let events = [press(1000, "approve", "ann", 10), press(2000, "approve", "ann", 10)];
    let world = World { events: events.into(), ..World::default() };
    let world = serve(world, transport(), 1, &["disk"], async |office: &Office| {
        office.ask("A");
        office.until(9000).await;
    })
    .await;
    assert_eq!(words(&world).len(), 2, "{}", story(&world));
}
