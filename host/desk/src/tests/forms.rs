//! Cards that change while they are open.

use dmplz_core::claude::{Answered, Scope};
use dmplz_core::request::ApprovalScope;

use super::*;

fn approved_scope(outcome: &Outcome) -> &ApprovalScope {
    let Outcome::Approved { scope, .. } = outcome else { panic!("no approval: {outcome:?}") };
    scope
}

fn answered(question: &str, labels: &[&str], text: Option<&str>) -> Answered {
    let labels = labels.iter().map(|label| (*label).to_owned()).collect();
    Answered { question: question.into(), labels, text: text.map(Into::into) }
}

#[tokio::test(start_paused = true)]
async fn a_place_is_chosen_on_the_card_and_stored_there() {
    let events = [press(1000, "scope-user", "ann", 10), press(3000, "always-user", "bob", 10)];
    let world = World { events: events.into(), offer: Some(suggestion()), ..World::default() };
    let (outcome, world) = run(world, "git push", None).await;
    assert_eq!(*approved_scope(&outcome), ApprovalScope::Always { scope: Scope::User, broad: false });
    insta::assert_snapshot!(log(&world), @r#"
    open Room("c")
    post 🔐 Claude Code asks for permission: Bash
    receive 
    receive 1
    revise 10: 🔐 Claude Code asks for permission: Bash
    acknowledge ann-scope-user-1000 -
    = approved_always at 3000
    acknowledge bob-always-user-3000 -
    revise 10: 💾 Always allowed: Bash
    "#);
}

#[tokio::test(start_paused = true)]
async fn a_messenger_that_shows_three_choices_gets_the_others_on_a_card_that_is_turned() {
    let few = Transport { limits: Limits { choices: 3, ..transport().limits }, ..transport() };
    let events = [press(1000, "more-2", "ann", 10), press(3000, "session", "ann", 10)].into();
    let (outcome, world) = run_by(few, World { events, ..World::default() }, "ls", None).await;
    assert_eq!(*approved_scope(&outcome), ApprovalScope::Session);
    let turned = world.saved.iter().rfind(|progress| progress.stage == Stage::Waiting).unwrap();
    let page = turned.view.pages.last().unwrap();
    let shown: Vec<&str> = page.choices.iter().map(|choice| choice.id.as_str()).collect();
    assert_eq!(shown, ["session", "deny", "more-3"], "{}", log(&world));
}

#[tokio::test(start_paused = true)]
async fn a_card_that_cannot_be_drawn_again_blocks_no_answer() {
    let events = [press(1000, "scope-user", "ann", 10), press(1200, "approve", "ann", 10)];
    let world =
        World { events: events.into(), offer: Some(suggestion()), slow: vec![("revise", 15_000)], ..World::default() };
    let (outcome, world) = run(world, "git push", None).await;
    assert_eq!(*approved_scope(&outcome), ApprovalScope::Once);
    assert!(log(&world).contains("= approved at 1200"), "{}", log(&world));
}

#[tokio::test(start_paused = true)]
async fn a_failed_drawing_is_retried_and_changes_meanwhile_are_drawn_once() {
    let scopes = ["scope-user", "scope-project", "scope-session"];
    let mut events: VecDeque<_> =
        scopes.into_iter().zip([1000, 2000, 3000]).map(|(scope, at)| press(at, scope, "ann", 10)).collect();
    events.push_back(press(60_000, "approve", "ann", 10));
    let errors = vec![("revise", ProviderError::Unavailable(None)), ("revise", ProviderError::RateLimited(Some(2000)))];
    let world = World { events, offer: Some(suggestion()), errors, slow: vec![("revise", 3500)], ..World::default() };
    let (_, world) = run(world, "git push", None).await;
    let drawn = world.log.iter().filter(|line| line.starts_with("revise 10: 🔐")).count();
    assert_eq!(drawn, 3, "two failed, and the third showed the last place: {}", log(&world));
    let last = world.saved.iter().rfind(|progress| progress.stage == Stage::Waiting).unwrap();
    assert_eq!((last.view.form.scope, last.view.shown.scope), (Scope::Session, Scope::Session));
}

#[tokio::test(start_paused = true)]
async fn questions_are_asked_one_after_the_other_on_one_card_with_buttons() {
    let events = [
        press(1000, "q1-o2", "ann", 10),
        press(2000, "q1-o1", "bob", 10),
        press(3000, "q2-o2", "ann", 10),
        press(4000, "q2-o1", "ann", 10),
        press(5000, "q2-next", "ann", 10),
        press(6000, "submit", "ann", 10),
    ];
    let world = World { events: events.into(), offer: Some(questions()), ..World::default() };
    let (outcome, world) = run(world, "ls", None).await;
    let answers = vec![answered("Which color?", &["Blue"], None), answered("Which sizes?", &["Small", "Large"], None)];
    assert_eq!(*approved_scope(&outcome), ApprovalScope::Answers { answers });
    let told = world.log.iter().find(|line| line.starts_with("acknowledge bob")).unwrap();
    assert!(!told.ends_with(" -"), "the first question was answered before: {told}");
    assert_eq!(world.log.iter().filter(|line| line.starts_with("post")).count(), 1, "{}", log(&world));
}

#[tokio::test(start_paused = true)]
async fn with_reactions_every_question_is_a_message_and_what_was_left_on_one_counts_for_no_other() {
    let events = [
        reaction(1000, "q1-o2", "ann", 10),
        // The reaction stays set and is reported again.
        reaction(4000, "q1-o2", "ann", 10),
        reaction(4000, "q1-o1", "bob", 10),
        reaction(5000, "q2-o1", "ann", 20),
        reaction(8000, "q2-next", "ann", 20),
        reaction(12_000, "submit", "ann", 30),
    ];
    let world = World { events: events.into(), offer: Some(questions()), ..World::default() };
    let (outcome, world) = run_by(reactions(), world, "ls", None).await;
    let answers = vec![answered("Which color?", &["Blue"], None), answered("Which sizes?", &["Small"], None)];
    assert_eq!(*approved_scope(&outcome), ApprovalScope::Answers { answers }, "{}", log(&world));
    insta::assert_snapshot!(log(&world), @r#"
    open Room("c")
    post ❓ Claude Code asks 1/2
    receive 
    post ❓ Claude Code asks 2/2
    revise 10: ❓ Claude Code asks 1/2
    acknowledge  -
    receive 1
    acknowledge  The card has changed, so this choice does not count. Please choose again on the card as it is now.
    receive 3
    revise 20: ❓ Claude Code asks 2/2
    acknowledge  -
    receive 4
    post 📨 Check the answers, then submit them
    revise 20: ⤵️ Continued in the message below.
    acknowledge  -
    receive 5
    = answered at 12000
    acknowledge  -
    revise 10: 📨 Answered: Bash
    revise 30: 📨 Answered: Bash
    "#);
    let left: Vec<_> = world.shown.iter().filter(|(_, card)| !card.choices.is_empty()).collect();
    assert!(left.is_empty(), "menus that are left: {left:?}");
}

#[tokio::test(start_paused = true)]
async fn own_words_are_those_of_who_wants_to_write_them() {
    let events = [
        press(1000, "q1-other", "ann", 10),
        says(1500, "too early for a prompt", "ann", 15),
        says(2000, "Green, I say", "bob", 31),
        says(3000, "  Teal ", "ann", 32),
        press(4000, "q2-o1", "ann", 10),
        press(5000, "q2-next", "ann", 10),
        press(6000, "submit", "bob", 10),
    ];
    let world =
        World { events: events.into(), offer: Some(questions()), slow: vec![("prompt", 800)], ..World::default() };
    let (outcome, world) = run(world, "ls", None).await;
    let answers = vec![answered("Which color?", &[], Some("Teal")), answered("Which sizes?", &["Small"], None)];
    assert_eq!(*approved_scope(&outcome), ApprovalScope::Answers { answers }, "{}", log(&world));
    assert!(log(&world).contains("revise 20: "), "the prompt shows the end too: {}", log(&world));
}

#[tokio::test(start_paused = true)]
async fn words_of_a_form_come_with_the_press() {
    let written = |(at, event): (Millis, Event), words: &str| match event {
        Event::Chosen(press) => (at, Event::Chosen(Chosen { text: Some(words.into()), ..press })),
        said => (at, said),
    };
    let events = [
        written(press(1000, "q1-other", "ann", 10), "Teal"),
        press(2000, "q2-o1", "ann", 10),
        press(3000, "q2-next", "ann", 10),
        press(4000, "submit", "ann", 10),
    ];
    let world = World { events: events.into(), offer: Some(questions()), ..World::default() };
    let (outcome, world) = run(world, "ls", None).await;
    assert!(
        matches!(approved_scope(&outcome), ApprovalScope::Answers { answers } if answers[0].text.as_deref() == Some("Teal"))
    );
    assert!(!log(&world).contains("prompt"), "{}", log(&world));
    let events = [written(press(1000, "tell", "ann", 10), "use a branch")];
    let (outcome, world) = run(World { events: events.into(), ..World::default() }, "ls", None).await;
    assert!(matches!(&outcome, Outcome::RejectedWithReason { reason, instead: true, .. } if reason == "use a branch"));
    assert!(!log(&world).contains("prompt"), "{}", log(&world));
    let events = [press(1000, "deny", "ann", 10), written(press(2000, "write", "ann", 20), "not on Fridays")];
    let (outcome, _) = run(World { events: events.into(), ..World::default() }, "ls", None).await;
    assert!(
        matches!(&outcome, Outcome::RejectedWithReason { reason, instead: false, .. } if reason == "not on Fridays"),
        "{outcome:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn who_comes_second_is_told_who_was_first() {
    let events = [press(1000, "approve", "ann", 10), press(1000, "approve", "bob", 10)];
    let (_, world) = run(World { events: events.into(), ..World::default() }, "ls", None).await;
    let told = world.log.iter().find(|line| line.starts_with("acknowledge bob")).unwrap();
    assert!(told.contains("Approved: Bash") && told.contains("ann"), "{told}");
    let events = [press(1000, "deny", "ann", 10), press(2000, "approve", "bob", 10)];
    let (_, world) = run(World { events: events.into(), ..World::default() }, "ls", None).await;
    let told = world.log.iter().find(|line| line.starts_with("acknowledge bob")).unwrap();
    assert!(told.contains("ann"), "{told}");
}

#[tokio::test(start_paused = true)]
async fn a_step_that_is_being_posted_when_the_request_ends_is_retired_too() {
    let events = [reaction(1000, "q1-o2", "ann", 10)];
    let world = World {
        events: events.into(),
        offer: Some(questions()),
        slow: vec![("post", 0), ("post", 2100)],
        ..World::default()
    };
    let (outcome, world) = run_by(reactions(), world, "ls", Some(3000)).await;
    assert_eq!(name(&outcome), "resolved_elsewhere");
    assert!(log(&world).contains("revise 20: "), "{}", log(&world));
}
