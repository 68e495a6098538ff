//! Tests of whose texts count, for which question or denial, and which texts come too early.

use super::choices::{of, offers};
use super::*;

/// Words that were requested for one question must not become the answer to another one.
#[test]
fn nobodys_words_are_awaited_once_the_question_was_left() {
    let [.., questions] = offers();
    let rules = of(&questions);
    for (presses, awaited) in [
        ("q1-other", true),
        ("q1-other q1-o1", false),
        ("q1-o1 q2-other", true),
        ("q1-o1 q2-other q2-back", false),
        ("q1-o1 q2-back q1-other", true),
        ("q1-o1 q2-back q1-other q1-next", false),
        ("q1-o1 q2-o1 q2-other", true),
        ("q1-o1 q2-o1 q2-other q2-next", false),
    ] {
        let mut state = State::waiting();
        for id in presses.split(' ') {
            state = step(state, press(id, "ann"), &rules, at(1)).0;
            state = step(state, Event::PromptPosted(message(5)), &rules, at(1)).0;
        }
        assert_eq!(state.awaits_words_of(), awaited.then_some("ann"), "{presses}");
        assert!(state.is_undecided());
        let before = state.form.clone();
        let (after, _) = step(state, say("mine", "ann", 6), &rules, at(1));
        assert!(after.is_undecided());
        assert_eq!(after.form.drafts != before.drafts, awaited, "{presses}");
    }
}

#[test]
fn a_form_keeps_no_writer_and_no_option_that_its_questions_do_not_have() {
    let [.., questions] = offers();
    let answered = Draft { options: vec![0], text: None };
    let writer = Some(Writer { id: "ann".into(), prompt: Some(message(5)) });
    let form = Form { question: 2, drafts: vec![answered.clone(), answered], writer, ..Form::default() };
    assert_eq!(form.fitting(&questions).writer, None, "all questions are answered");
    let beyond = Draft { options: vec![questions.questions[0].options.len()], text: None };
    let form = Form { drafts: vec![beyond], ..Form::default() }.fitting(&questions);
    assert_eq!(form.drafts[0], Draft::default(), "there is no such option");
}

#[test]
fn words_are_asked_for_again_by_somebody_else_or_where_the_prompt_was_lost() {
    let [.., questions] = offers();
    let rules = of(&questions);
    let asked = |posted: bool, by: &str| {
        let (mut state, _) = step(State::waiting(), press("q1-other", "ann"), &rules, at(1));
        if posted {
            state = step(state, Event::PromptPosted(message(5)), &rules, at(1)).0;
        }
        let (state, effects) = step(state, press("q1-other", by), &rules, at(1));
        (state.awaits_words_of().map(str::to_owned), effects.contains(&Effect::AskWords))
    };
    assert_eq!(asked(true, "ann"), (Some("ann".into()), false), "the same press again");
    assert_eq!(asked(false, "ann"), (Some("ann".into()), true), "the prompt was never posted");
    assert_eq!(asked(true, "bob"), (Some("bob".into()), true));
    assert_eq!(asked(false, "bob"), (Some("bob".into()), true));
}

#[test]
fn a_deny_that_is_pressed_again_is_taken_and_words_in_a_form_are_the_reason() {
    let after = |first: &str, then: Event| {
        let (state, _) = step(State::waiting(), press(first, "ann"), &rules(), at(1));
        let (state, effects) = step(state, then, &rules(), at(2));
        (state.outcome().and_then(|it| it.rejection()).map(|(why, source)| (why.to_owned(), source)), effects)
    };
    let form =
        |choice: &str, text: &str| Event::Chosen { choice: choice.into(), user: user("ann"), text: Some(text.into()) };
    let taken = vec![Effect::Tell(Notice::Taken)];
    assert_eq!(after("deny", press("deny", "ann")), (None, taken.clone()));
    assert_eq!(after("deny", press("write", "ann")), (None, taken.clone()));
    assert_eq!(after("deny", form("write", " ")), (None, taken));
    assert_eq!(after("deny", form("write", "because")).0, Some(("because".into(), ReasonSource::UserInput)));
    assert_eq!(after("tell", form("write", "use tmp")).0, Some(("use tmp".into(), ReasonSource::Instead)));
    assert_eq!(after("deny", press("approve", "ann")), (None, vec![Effect::Tell(Notice::AlreadyAnswered)]));
}

#[test]
fn a_denial_whose_reason_nobody_would_read_is_final_at_once() {
    let [.., questions] = offers();
    let rules = of(&Offer { final_denial: true, ..questions });
    let (state, effects) = step(State::waiting(), press("deny", "ann"), &rules, at(1));
    let why = state.outcome().and_then(|it| it.rejection()).map(|(why, source)| (why.to_owned(), source));
    assert_eq!(why, Some((String::new(), ReasonSource::ExplicitSkip)));
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::AskReason { .. })), "{effects:?}");
}

#[test]
fn the_prompt_itself_is_no_reason() {
    let events =
        |said| vec![(1, press("deny", "ann")), (2, Event::PromptPosted(message(4))), (3, say("x", "ann", said))];
    assert_eq!(play(events(4)).0, "waiting_reason");
    assert_eq!(play(events(5)).0, r#"rejected_with_reason UserInput "x" by ann"#);
}
