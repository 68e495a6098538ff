//! Cards whose users come back after their choices expired.

use dmplz_core::claude::Scope;
use dmplz_core::request::ApprovalScope;

use super::*;

const STALE: &str = "The choices on this card are more than 15 minutes old. Please check them, then press again.";

const fn minutes(count: Millis) -> Millis {
    count * 60_000
}

/// Runs a desk alone, with an hour to answer.
async fn run_long(transport: Transport, events: Vec<(Millis, Event)>, offer: Offer) -> (Outcome, World) {
    let world = World { events: events.into(), offer: Some(offer), ..World::default() };
    run_until(transport, world, "git push", None, minutes(60)).await
}

fn told<'a>(world: &'a World, press: &str) -> &'a str {
    let told = |line: &'a String| line.strip_prefix("acknowledge ")?.strip_prefix(press)?.strip_prefix(' ');
    world.log.iter().find_map(told).unwrap_or_else(|| panic!("no sign for {press}: {}", log(world)))
}

#[tokio::test(start_paused = true)]
async fn a_place_that_was_chosen_long_ago_is_looked_at_again_before_anything_is_stored_there() {
    let (late, again) = (minutes(20), minutes(21));
    let events = vec![
        press(1000, "scope-user", "ann", 10),
        press(late, "always-user", "ann", 10),
        press(late + 200, "always-user", "ann", 10),
        press(again, "always-local", "ann", 10),
    ];
    let (outcome, world) = run_long(transport(), events, suggestion()).await;
    assert!(matches!(
        outcome,
        Outcome::Approved { scope: ApprovalScope::Always { scope: Scope::Local, broad: false }, .. }
    ));
    assert_eq!(told(&world, &format!("ann-always-user-{late}")), STALE);
    assert!(told(&world, &format!("ann-always-user-{}", late + 200)).starts_with("The card has changed"));
    let drawn = world.log.iter().filter(|line| line.starts_with("revise 10: 🔐")).count();
    assert_eq!(drawn, 2, "for the place, and anew: {}", log(&world));
    assert!(log(&world).contains(&format!("= approved_always at {again}")), "{}", log(&world));
}

#[tokio::test(start_paused = true)]
async fn a_denial_is_taken_however_old_the_card_is() {
    let events = vec![press(1000, "scope-user", "ann", 10), press(minutes(50), "deny", "ann", 10)];
    let (outcome, world) = run_long(transport(), events, suggestion()).await;
    assert!(outcome.rejection().is_some(), "{}", log(&world));
    assert!(log(&world).contains(&format!("= rejected_no_reason at {}", minutes(51))), "{}", log(&world));
}

#[tokio::test(start_paused = true)]
async fn answers_that_wait_for_long_are_kept_and_asked_about_anew() {
    let begun = |second: u64| {
        [("q1-o2", 1000, 10), ("q2-o1", 5000, second), ("q2-next", 9000, second)].map(|(id, at, on)| (at, id, on))
    };
    // With reactions there is a new menu, because the reactions on the old one are still set.
    let events = begun(20).into_iter().chain([(minutes(30), "submit", 30), (minutes(32), "submit", 40)]);
    let events = events.map(|(at, id, on)| reaction(at, id, "ann", on)).collect();
    let (outcome, world) = run_long(reactions(), events, questions()).await;
    assert_eq!(name(&outcome), "answered", "{}", log(&world));
    assert_eq!(log(&world).matches(STALE).count(), 1, "{}", log(&world));
    assert!(log(&world).contains(&format!("= answered at {}", minutes(32))), "{}", log(&world));
    let events = begun(10).into_iter().chain([(minutes(30), "submit", 10), (minutes(31), "submit", 10)]);
    let events = events.map(|(at, id, on)| press(at, id, "ann", on)).collect();
    let (outcome, world) = run_long(transport(), events, questions()).await;
    assert_eq!(name(&outcome), "answered", "{}", log(&world));
    assert_eq!(told(&world, &format!("ann-submit-{}", minutes(30))), STALE);
    assert!(log(&world).contains(&format!("= answered at {}", minutes(31))), "{}", log(&world));
}
