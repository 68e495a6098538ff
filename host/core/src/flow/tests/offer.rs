//! The choices that a card offers, and those that it does not.

use serde_json::json;

use super::choices::offers;
use super::*;
use crate::claude::HookInput;
use crate::claude::breadth::tests::FirstWords;

#[test]
fn answers_are_taken_for_every_question_and_only_as_each_takes_them() {
    let [.., offer] = offers();
    let answer = |question: &str, labels: &[&str]| Answered {
        question: question.into(),
        labels: labels.iter().map(|label| label.to_string()).collect(),
        text: None,
    };
    let (one, many) = (answer("One?", &["a"]), answer("Many?", &["c", "e"]));
    let offers = |answers: &[&Answered]| {
        offer.offers(&ApprovalScope::Answers { answers: answers.iter().map(|answer| (*answer).clone()).collect() })
    };
    assert!(offers(&[&one, &many]));
    assert!(!offers(&[]), "no answer");
    assert!(!offers(&[&one]), "one is missing");
    assert!(!offers(&[&one, &many, &many]), "one too many");
    assert!(!offers(&[&many, &one]), "to each other's questions");
    assert!(!offers(&[&one, &answer("Many?", &["a"])]), "no option of that question");
    assert!(!offers(&[&answer("One?", &["a", "b"]), &many]), "two options where one is to be chosen");
    let none = Offer::plain(true);
    assert!(!none.offers(&ApprovalScope::Answers { answers: Vec::new() }), "nothing was asked");
}

#[test]
fn always_is_not_offered_where_what_it_stores_is_too_long_for_a_card() {
    let offered = |length: usize| {
        let rule = json!({ "toolName": "Bash", "ruleContent": "한".repeat(length - "Bash()".len()) });
        let stdin = json!({
            "hook_event_name": "PermissionRequest", "tool_name": "Bash", "tool_input": { "command": "ls" },
            "permission_suggestions":
                [{ "type": "addRules", "rules": [rule], "behavior": "allow", "destination": "localSettings" }],
        });
        let call = HookInput::parse(stdin.to_string().as_bytes()).unwrap().tool_call().unwrap();
        !Offer::of(&call, "/work", &FirstWords).always.is_empty()
    };
    assert_eq!([7, 1000, 1001, 4000].map(offered), [true, true, false, false]);
}
