//! Hook stdout: one JSON object for a decision, nothing for none.

use serde_json::{Map, Value, json};

use super::input::ToolCall;
use super::permissions::{Mode, PermissionUpdate, session_grant};
use super::questions::questions;
use super::wide::Commands;
use crate::request::{Answered, Edits, Extent, Offer, Scope};

/// An allow as far as it reaches. A plan is allowed only with an `updatedInput`; `{}` keeps it as it is. Questions are
/// answered in theirs, with what was asked, each answer under its question's text.
pub fn permission_allow(call: &ToolCall, cwd: &str, extent: &Extent, commands: &dyn Commands) -> Value {
    let mut decision = Map::from_iter([("behavior".to_owned(), json!("allow"))]);
    if let Some(input) = updated_input(call, extent) {
        decision.insert("updatedInput".to_owned(), input);
    }
    let stored = stored(call, cwd, extent, commands);
    if !stored.is_empty() {
        decision.insert("updatedPermissions".to_owned(), json!(stored));
    }
    answer(decision.into())
}

fn updated_input(call: &ToolCall, extent: &Extent) -> Option<Value> {
    match extent {
        Extent::Answers { answers } if asked(call).offers(extent) => {
            let mut input = call.input.clone();
            let answers = answers.iter().map(|answered| (answered.question.clone(), json!(worded(answered))));
            input.insert("answers".to_owned(), answers.collect::<Map<_, _>>().into());
            Some(input.into())
        }
        _ => (call.tool == "ExitPlanMode").then(|| json!({})),
    }
}

/// What may be answered to its questions.
fn asked(call: &ToolCall) -> Offer {
    Offer { questions: questions(call), ..Offer::default() }
}

/// An answer as the client writes it: labels and own words, with commas between.
fn worded(answered: &Answered) -> String {
    answered.labels.iter().chain(&answered.text).cloned().collect::<Vec<_>>().join(", ")
}

/// What the client stores with the allow. A mode keeps the destination that was suggested for it.
fn stored(call: &ToolCall, cwd: &str, extent: &Extent, commands: &dyn Commands) -> Vec<PermissionUpdate> {
    match extent {
        Extent::Session => session_grant(call, cwd, commands),
        Extent::Always { scope, wide } => Offer::of(call, cwd, commands).stored(*scope, *wide),
        Extent::Plan { edits } => {
            let mode = match edits {
                Edits::AutoAccept => Mode::AcceptEdits,
                Edits::Manual => Mode::Default,
            };
            vec![PermissionUpdate::SetMode { mode, destination: Scope::Session }]
        }
        Extent::Once | Extent::Answers { .. } | Extent::Granted { .. } => Vec::new(),
    }
}

/// A deny; the model reads the message verbatim.
pub fn permission_deny(message: &str) -> Value {
    answer(json!({ "behavior": "deny", "message": message }))
}

/// A deny before the client has made up its mind whether to ask; the model reads the message verbatim.
pub fn tool_deny(message: &str) -> Value {
    json!({ "hookSpecificOutput": {
        "hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": message,
    } })
}

/// Answers to questions before the client has asked them, which it then does not. None for any other allow: before the
/// client has made up its mind, nothing else of ours is one.
pub fn tool_answers(call: &ToolCall, extent: &Extent) -> Option<Value> {
    let answered = matches!(extent, Extent::Answers { .. });
    let input = answered.then(|| updated_input(call, extent)).flatten()?;
    Some(json!({ "hookSpecificOutput": {
        "hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": input,
    } }))
}

fn answer(decision: Value) -> Value {
    json!({ "hookSpecificOutput": { "hookEventName": "PermissionRequest", "decision": decision } })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claude::wide::tests::FirstWords;

    #[test]
    fn the_json_is_what_the_client_was_seen_to_honour() {
        let allow = |tool: &str, suggestions: &str, extent| {
            let call = ToolCall {
                tool: tool.into(),
                input: serde_json::from_str(r#"{"questions":[{"question":"Which?","multiSelect":true,"options":[{"label":"A"},{"label":"B"}]}]}"#).unwrap(),
                tool_use_id: None,
                suggestions: serde_json::from_str(suggestions).unwrap(),
            };
            permission_allow(&call, "/p", &extent, &FirstWords)
        };
        insta::assert_snapshot!(allow("Bash", "[]", Extent::Once), @r#"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}"#);
        insta::assert_snapshot!(allow("ExitPlanMode", "[]", Extent::Once), @r#"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow","updatedInput":{}}}}"#);
        insta::assert_snapshot!(
            allow("ExitPlanMode", "[]", Extent::Plan { edits: Edits::AutoAccept }),
            @r#"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow","updatedInput":{},"updatedPermissions":[{"type":"setMode","mode":"acceptEdits","destination":"session"}]}}}"#
        );
        insta::assert_snapshot!(
            allow("Write", r#"[{"type":"setMode","mode":"acceptEdits","destination":"session"},{"type":"addDirectories","directories":["/d"],"destination":"session"}]"#, Extent::Always { scope: Scope::User, wide: false }),
            @r#"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow","updatedPermissions":[{"type":"setMode","mode":"acceptEdits","destination":"session"},{"type":"addDirectories","directories":["/d"],"destination":"userSettings"}]}}}"#
        );
        let answered = |question: &str, labels: &[&str], text: Option<&str>| Answered {
            question: question.into(),
            labels: labels.iter().map(|label| label.to_string()).collect(),
            text: text.map(Into::into),
        };
        insta::assert_snapshot!(
            allow("AskUserQuestion", "[]", Extent::Answers { answers: vec![answered("Which?", &["A", "B"], Some("and C"))] }),
            @r#"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow","updatedInput":{"questions":[{"question":"Which?","multiSelect":true,"options":[{"label":"A"},{"label":"B"}]}],"answers":{"Which?":"A, B, and C"}}}}}"#
        );
        insta::assert_snapshot!(
            permission_deny("User rejected the request. Reason: \"no\"\\\n🙂"),
            @r#"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"User rejected the request. Reason: \"no\"\\\n🙂"}}}"#
        );
        insta::assert_snapshot!(
            tool_deny("Denied by policy (p.toml:3)"),
            @r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"Denied by policy (p.toml:3)"}}"#
        );
    }
}
