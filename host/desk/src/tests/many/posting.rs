//! A messenger may show a card long before it replies, or never reply. Answers on the card count nevertheless.

use super::*;

/// Returns a press on a card that identifies it by the tag only.
fn tagged(at: Millis, choice: &str, by: &str, on: u64) -> (Millis, Event) {
    let (at, Event::Chosen(press)) = press(at, choice, by, on) else { unreachable!() };
    (at, Event::Chosen(Chosen { tag: Some("TAGA".into()), ..press }))
}

/// A world in which posting a card takes `lasts` milliseconds, or fails for that long.
fn unconfirmed(events: Vec<(Millis, Event)>, fails: bool, lasts: Millis) -> World {
    let slow = if fails { Vec::new() } else { vec![("post", lasts)] };
    World { events: events.into(), slow, posting_fails: fails.then_some((0, lasts)), ..World::default() }
}

/// Returns what happens in it until a given time.
async fn posted_late(events: Vec<(Millis, Event)>, fails: bool, until: Millis) -> String {
    let world = unconfirmed(events, fails, 20_000);
    let world = serve(world, Transport { persistent: true, ..transport() }, 1, &[], async |office: &Office| {
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
async fn a_denial_that_does_not_tell_the_message_of_its_card_counts_at_once_and_the_card_shows_its_end() {
    let (at, Event::Chosen(press)) = tagged(1000, "deny", "ann", 10) else { unreachable!() };
    let message = MessageRef { id: String::new(), sequence: 0, ..press.message };
    let world = unconfirmed(vec![(at, Event::Chosen(Chosen { message, ..press }))], false, 20_000);
    let world = serve(world, Transport { persistent: true, ..transport() }, 1, &[], async |office: &Office| {
        office.ask("A");
        office.until(30_000).await;
        close(&office.commands, "A", &Outcome::Expired(dmplz_core::request::ExpiredCause::Nobody));
        office.until(60_000).await;
    })
    .await;
    let story = story(&world);
    assert!(story.contains("= A denied by ann at 1000"), "{story}");
    // The prompt is message 10.
    assert!(story.contains("revise 20: ⌛ Expired") && !story.contains("revise : "), "{story}");
}

#[tokio::test(start_paused = true)]
async fn a_poll_begins_while_a_card_is_being_posted_whose_answers_are_typed() {
    for (answering, polls) in [(Answering::Buttons, 1), (Answering::Typed, 2)] {
        let world = unconfirmed(Vec::new(), false, 20_000);
        let world = serve(world, Transport { answering, ..transport() }, 1, &[], async |office: &Office| {
            office.until(1000).await;
            office.ask("A");
            office.until(2000).await;
        })
        .await;
        let found = world.log.iter().filter(|line| line.starts_with("receive")).count();
        assert_eq!(found, polls, "{answering:?}: {:?}", world.log);
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

#[tokio::test(start_paused = true)]
async fn a_press_tells_where_its_card_is_which_is_then_not_posted_again() {
    for fails in [false, true] {
        let world = unconfirmed(vec![tagged(1000, "deny", "eve", 10)], fails, 90_000);
        let world = serve(world, Transport { persistent: true, ..transport() }, 1, &[], async |office: &Office| {
            office.ask("A");
            office.until(2000).await;
            let posts = office.world.borrow().log.iter().filter(|line| line.starts_with("post ")).count();
            office.until(80_000).await;
            let later = office.world.borrow().log.iter().filter(|line| line.starts_with("post ")).count();
            assert_eq!(posts, later, "{fails}");
        })
        .await;
        // The next process knows it, too.
        assert_eq!(world.saved.last().unwrap().card, Some(message(10)), "{fails}: {}", story(&world));
    }
}

#[tokio::test(start_paused = true)]
async fn a_menu_that_cannot_be_taken_away_is_gone_once_the_request_has_ended() {
    let events = [reaction(1000, "q1-o2", "ann", 10), reaction(5000, "q2-back", "ann", 20)];
    let world = World { events: events.into(), offer: Some(questions()), ..World::default() };
    let world = serve(world, reactions(), 1, &[], async |office: &Office| {
        office.ask("A");
        office.until(4000).await;
        office.world.borrow_mut().errors.push(("revise", ProviderError::Rejected(None)));
        office.until(20_000).await;
        close(&office.commands, "A", &Outcome::Expired(dmplz_core::request::ExpiredCause::Nobody));
        office.until(60_000).await;
    })
    .await;
    let story = story(&world);
    assert_eq!(story.matches("revise 20: ⤵️").count(), 1, "{story}");
    assert!(story.contains("revise 20: ⌛ Expired"), "{story}");
}
