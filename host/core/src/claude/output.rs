//! Hook stdout: one JSON object for a decision, nothing for none.

use serde_json::{Map, Value, json};

use super::input::ToolCall;
use super::permissions::PermissionUpdate;
use super::questions::Answered;

/// What an allow carries besides that the call may run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Allow {
    /// The answers to its questions, where those were answered.
    pub answers: Option<Vec<Answered>>,
    /// What the client stores.
    pub stored: Vec<PermissionUpdate>,
}

/// An allow. A plan is allowed only with an `updatedInput`; `{}` keeps it as it is. Questions are answered in theirs, with
/// what was asked, each answer under its question's text.
pub fn permission_allow(call: &ToolCall, allow: &Allow) -> Value {
    let mut decision = Map::from_iter([("behavior".to_owned(), json!("allow"))]);
    let answered = allow.answers.as_ref().map(|answers| answered_input(call, answers));
    if let Some(input) = answered.or_else(|| (call.tool == "ExitPlanMode").then(|| json!({}))) {
        decision.insert("updatedInput".to_owned(), input);
    }
    if !allow.stored.is_empty() {
        decision.insert("updatedPermissions".to_owned(), json!(allow.stored));
    }
    answer(decision.into())
}

fn answered_input(call: &ToolCall, answers: &[Answered]) -> Value {
    let mut input = call.input.clone();
    let answers = answers.iter().map(|answered| (answered.question.clone(), json!(worded(answered))));
    input.insert("answers".to_owned(), answers.collect::<Map<_, _>>().into());
    input.into()
}

/// An answer as the client writes it: labels and own words, with commas between.
fn worded(answered: &Answered) -> String {
    answered.labels.iter().chain(&answered.text).cloned().collect::<Vec<_>>().join(", ")
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
pub fn tool_answers(call: &ToolCall, allow: &Allow) -> Option<Value> {
    let input = answered_input(call, allow.answers.as_ref()?);
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

    #[test]
    fn a_denial_is_what_the_client_was_seen_to_honour() {
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
