use dmplz_core::claude::Scope;
use dmplz_core::request::{Edits, Term};
use serde_json::json;

use super::*;

fn offer(value: serde_json::Value) -> Offer {
    serde_json::from_value(value).unwrap()
}

fn questions() -> Offer {
    let option = |label: &str| json!({ "label": label, "description": "" });
    offer(json!({ "questions": [
        { "question": "Which color?", "header": "Color", "options": [option("Red"), option("Blue")] },
        { "question": "Which sizes?", "multiSelect": true, "options": [option("S"), option("M"), option("L")] },
    ] }))
}

fn answer(answers: serde_json::Value) -> Result<(), String> {
    let scope = ApprovalScope::Answers { answers: serde_json::from_value(answers).unwrap() };
    settled(&questions(), scope, "web").map(drop).map_err(|refused| refused.to_string())
}

#[test]
fn nothing_is_allowed_further_than_it_is_offered() {
    let suggestion = |broad: Option<&str>| {
        json!({ "broad": broad, "update": { "type": "addRules", "behavior": "allow", "destination": "localSettings",
            "rules": [{ "toolName": "Bash", "ruleContent": "git push *" }] } })
    };
    let plain = Offer::default();
    let always = |broad| ApprovalScope::Always { scope: Scope::Local, broad };
    let all = [
        (ApprovalScope::Session, NotOffered::Session),
        (always(true), NotOffered::Always),
        (ApprovalScope::Plan { edits: Edits::Manual }, NotOffered::Plan),
        (ApprovalScope::Granted { term: Term::HalfHour }, NotOffered::Granted),
        (ApprovalScope::Answers { answers: Vec::new() }, NotOffered::NoQuestions),
    ];
    let check = |offer: &Offer, scope: ApprovalScope| settled(offer, scope, "web").map(drop);
    for (scope, refused) in all {
        assert_eq!(check(&plain, scope), Err(refused));
    }
    assert_eq!(check(&plain, ApprovalScope::Once), Ok(()));
    let [narrow, broad] = [None, Some("wildcard")].map(|broad| offer(json!({ "always": [suggestion(broad)] })));
    assert_eq!(check(&narrow, always(false)), Ok(()));
    assert_eq!(check(&broad, always(false)), Err(NotOffered::OnlyBroad));
    assert_eq!(check(&broad, always(true)), Ok(()));
    let all = offer(json!({ "session": true, "granted": true, "plan": true }));
    for scope in [
        ApprovalScope::Session,
        ApprovalScope::Plan { edits: Edits::AutoAccept },
        ApprovalScope::Granted { term: Term::Session },
    ] {
        assert_eq!(check(&all, scope), Ok(()));
    }
}

#[test]
fn a_bare_allow_of_questions_is_none() {
    assert_eq!(settled(&questions(), ApprovalScope::Once, "web"), Err(NotOffered::NoAnswers));
    assert_eq!(decisions(&questions()), ["answers", "deny"]);
}

#[test]
fn answers_that_fit_their_questions_count() {
    for fits in [
        json!([{ "question": "Which color?", "labels": ["Blue"] }, { "question": "Which sizes?", "labels": ["M"] }]),
        json!([
            { "question": "Which color?", "labels": [], "text": "green" },
            { "question": "Which sizes?", "labels": ["S", "L"], "text": "and XL" },
        ]),
    ] {
        assert_eq!(answer(fits.clone()), Ok(()), "{fits}");
    }
}

#[test]
fn what_counts_has_the_order_of_the_questions_and_their_options() {
    let answers = json!([
        { "question": "Which sizes?", "labels": ["L", "S"] }, { "question": "Which color?", "labels": ["Red"] },
    ]);
    let scope = ApprovalScope::Answers { answers: serde_json::from_value(answers).unwrap() };
    let settled = serde_json::to_string(&settled(&questions(), scope, "web").unwrap()).unwrap();
    insta::assert_snapshot!(settled, @r#"{"kind":"answers","answers":[{"question":"Which color?","labels":["Red"]},{"question":"Which sizes?","labels":["S","L"]}]}"#);
}

#[test]
fn answers_that_do_not_fit_say_what_would() {
    let color = |labels: serde_json::Value| json!({ "question": "Which color?", "labels": labels });
    let sizes = json!({ "question": "Which sizes?", "labels": ["M"] });
    let refused = |one: serde_json::Value| answer(json!([one, sizes])).unwrap_err();
    insta::assert_snapshot!(answer(json!([])).unwrap_err(), @r#"there is no answer to "Which color?""#);
    insta::assert_snapshot!(
        refused(color(json!(["red"]))),
        @r#""red" is no option of "Which color?": its options are ["Red", "Blue"]"#
    );
    for labels in [json!(["Red", "Blue"]), json!([])] {
        insta::allow_duplicates! {
            insta::assert_snapshot!(
                refused(color(labels)),
                @r#""Which color?" takes one option, or words instead"#
            );
        }
    }
    insta::assert_snapshot!(
        refused(json!({ "question": "Which color?", "labels": [], "text": "x".repeat(MAX_WORDS + 1) })),
        @r#""Which color?" takes words of 1 to 4000 characters"#
    );
    let all = |more: serde_json::Value| answer(json!([color(json!(["Red"])), sizes, more])).unwrap_err();
    insta::assert_snapshot!(
        all(json!({ "question": "Who?", "labels": ["Red"] })),
        @r#"there is an answer to "Who?", which is not asked"#
    );
    insta::assert_snapshot!(all(color(json!(["Blue"]))), @r#"there are two answers to "Which color?""#);
    insta::assert_snapshot!(
        answer(json!([color(json!(["Red"])), { "question": "Which sizes?", "labels": ["S", "S"] }])).unwrap_err(),
        @r#""Which sizes?" takes options, each once, or words"#
    );
}

#[test]
fn what_was_asked_for_on_a_surface_is_approved_on_another_one() {
    let asked_on = |surface: &str| Offer { asked_on: Some(surface.into()), ..Offer::default() };
    for (asked, approves) in [("telegram", "web"), ("web", "cli"), ("websocket", "web"), ("cli", "rest")] {
        assert!(settled(&asked_on(asked), ApprovalScope::Once, approves).is_ok(), "{asked}, {approves}");
    }
    for (asked, approves) in [("telegram", "telegram"), ("web", "web"), ("websocket", "rest"), ("rest", "websocket")] {
        let refused = settled(&asked_on(asked), ApprovalScope::Once, approves);
        assert_eq!(refused, Err(NotOffered::AskedHere), "{asked}, {approves}");
    }
}
