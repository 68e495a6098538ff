//! Hook stdout: one JSON object for a decision, nothing for none.

use serde_json::{Map, Value, json};

use super::permissions::PermissionUpdate;

/// An allow, with the grants that go with it. A plan is allowed only with an `updatedInput`; `{}` keeps it as it is.
pub fn permission_allow(tool: &str, grants: &[PermissionUpdate]) -> Value {
    let mut decision = Map::from_iter([("behavior".to_owned(), json!("allow"))]);
    if tool == "ExitPlanMode" {
        decision.insert("updatedInput".to_owned(), json!({}));
    }
    if !grants.is_empty() {
        decision.insert("updatedPermissions".to_owned(), json!(grants));
    }
    answer(decision.into())
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

fn answer(decision: Value) -> Value {
    json!({ "hookSpecificOutput": { "hookEventName": "PermissionRequest", "decision": decision } })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_json_is_what_the_client_was_seen_to_honour() {
        insta::assert_snapshot!(permission_allow("Bash", &[]), @r#"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}"#);
        insta::assert_snapshot!(permission_allow("ExitPlanMode", &[]), @r#"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow","updatedInput":{}}}}"#);
        insta::assert_snapshot!(
            permission_allow("Write", &[PermissionUpdate::SetMode { mode: "acceptEdits", destination: "session" }]),
            @r#"{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow","updatedPermissions":[{"type":"setMode","mode":"acceptEdits","destination":"session"}]}}}"#
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
