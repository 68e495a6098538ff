//! The output for the client: a hook's stdout, which is one JSON object for a decision and empty without one, and
//! answers over the control protocol.

use serde_json::{Map, Value, json};

use super::input::ToolCall;
use super::permissions::PermissionUpdate;
use super::questions::Answered;

/// What an allow contains besides the permission to run the call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Allow {
    /// The answers to its questions, if they were answered.
    pub answers: Option<Vec<Answered>>,
    /// The permissions that the client stores.
    pub stored: Vec<PermissionUpdate>,
}

/// Returns an allow. The client accepts one for a plan only with an `updatedInput`; `{}` leaves the plan unchanged.
/// For questions it contains the questions, and each answer under its question's text.
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

/// Returns an answer in the client's notation: labels and own words, separated by commas.
fn worded(answered: &Answered) -> String {
    answered.labels.iter().chain(&answered.text).cloned().collect::<Vec<_>>().join(", ")
}

/// Returns a deny; the model reads the message verbatim.
pub fn permission_deny(message: &str) -> Value {
    answer(json!({ "behavior": "deny", "message": message }))
}

/// Returns a deny for PreToolUse, before the client has decided whether to ask; the model reads the message verbatim.
pub fn tool_deny(message: &str) -> Value {
    json!({ "hookSpecificOutput": {
        "hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": message,
    } })
}

/// Returns for PreToolUse that a person must be asked, whatever the client's own rules say. In a terminal a
/// PermissionRequest follows, in `bypassPermissions` as well; `claude -p` refuses the call, with this message (Claude
/// Code 2.1.330 as observed).
pub fn tool_ask(message: &str) -> Value {
    json!({ "hookSpecificOutput": {
        "hookEventName": "PreToolUse", "permissionDecision": "ask", "permissionDecisionReason": message,
    } })
}

/// Returns the answers to questions for PreToolUse, so that the client does not ask them. `None` for any other allow,
/// because no other one may be given before the client has decided whether to ask.
pub fn tool_answers(call: &ToolCall, allow: &Allow) -> Option<Value> {
    let input = answered_input(call, allow.answers.as_ref()?);
    Some(json!({ "hookSpecificOutput": {
        "hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": input,
    } }))
}

/// Returns an allow over the control protocol. It contains the whole input to run: the one that was shown, with the
/// answers if there are any.
pub fn control_allow(call: &ToolCall, allow: &Allow) -> Value {
    let input = match &allow.answers {
        Some(answers) => answered_input(call, answers),
        None => call.input.clone().into(),
    };
    let mut response = Map::from_iter([("behavior".to_owned(), json!("allow")), ("updatedInput".to_owned(), input)]);
    if !allow.stored.is_empty() {
        response.insert("updatedPermissions".to_owned(), json!(allow.stored));
    }
    response.into()
}

/// Returns a deny over the control protocol; the model reads the message verbatim.
pub fn control_deny(message: &str) -> Value {
    json!({ "behavior": "deny", "message": message })
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
        insta::assert_snapshot!(control_deny("no"), @r#"{"behavior":"deny","message":"no"}"#);
    }

    #[test]
    fn an_allow_over_the_control_protocol_names_the_input_that_was_shown() {
        let call = ToolCall {
            tool: "Bash".into(),
            input: serde_json::from_str(r#"{"command":"ls","timeout":5}"#).unwrap(),
            tool_use_id: None,
            suggestions: Vec::new(),
        };
        insta::assert_snapshot!(control_allow(&call, &Allow::default()), @r#"{"behavior":"allow","updatedInput":{"command":"ls","timeout":5}}"#);
        let answers = Some(vec![Answered { question: "Which?".into(), labels: vec!["A".into()], text: None }]);
        insta::assert_snapshot!(
            control_allow(&call, &Allow { answers, stored: Vec::new() }),
            @r#"{"behavior":"allow","updatedInput":{"command":"ls","timeout":5,"answers":{"Which?":"A"}}}"#
        );
    }
}
