//! A messenger may show a card long before it says so, or never say so: people answer it all the same.

use super::*;

/// A press on a card of which nobody here knows where it is: its tag tells.
fn tagged(at: Millis, choice: &str, by: &str, on: u64) -> (Millis, Event) {
    let (at, Event::Chosen(press)) = press(at, choice, by, on) else { unreachable!() };
    (at, Event::Chosen(Chosen { tag: Some("TAGA".into()), ..press }))
}

/// Serves a request whose posting takes 20 s, or whose posting fails for so long.
async fn posted_late(events: Vec<(Millis, Event)>, fails: bool, until: Millis) -> String {
    let (slow, outage) = if fails { (Vec::new(), Some((0, 20_000))) } else { (vec![("post", 20_000)], None) };
    let world = World { events: events.into(), slow, ..World::default() };
    let world = serve(world, Transport { persistent: true, ..transport() }, 1, &[], async |office: &Office| {
        office.world.borrow_mut().posting_fails = outage;
        office.ask("A");
        office.until(until).await;
    })
    .await;
    story(&world)
}

#[tokio::test(start_paused = true)]
async fn a_denial_of_a_card_whose_posting_is_not_confirmed_counts_at_once() {
    for fails in [false, true] {
        let story = posted_late(vec![tagged(1000, "deny", "ann", 10)], fails, 9000).await;
        assert!(story.contains("= A denied by ann at 1000"), "{fails}: {story}");
        assert!(story.contains("acknowledge ann-deny-1000"), "{fails}: {story}");
        assert!(story.contains("prompt "), "they are asked why: {fails}: {story}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_approval_of_a_card_whose_posting_is_not_confirmed_counts_and_the_card_shows_its_end() {
    for fails in [false, true] {
        let story = posted_late(vec![tagged(1000, "approve", "ann", 10)], fails, 60_000).await;
        assert!(story.contains("= A approved at 1000"), "{fails}: {story}");
        assert!(story.contains("revise 10: ✅ Approved: Bash A"), "{fails}: {story}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_card_is_posted_on_while_somebody_presses_it_who_may_not_answer() {
    for fails in [false, true] {
        let events = vec![tagged(1000, "deny", "eve", 10), press(60_000, "deny", "ann", 10)];
        let story = posted_late(events, fails, 90_000).await;
        assert!(story.contains("acknowledge eve-deny-1000 "), "{fails}: {story}");
        assert!(story.contains("= A denied by ann at 60000"), "{fails}: {story}");
    }
}
