//! The record of a denial.

use dmplz_core::redact::Masked;
use dmplz_core::request::ReasonSource;
use dmplz_core::stats::stamp;
use jiff::Timestamp;
use serde::Serialize;

/// A line of `rejections.jsonl`. It never holds the tool's input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Rejection {
    /// When it was denied.
    #[serde(serialize_with = "stamp::serialize")]
    pub timestamp: Timestamp,
    /// The messenger's provider; `policy` if a rule denied.
    pub provider: String,
    /// The decision, which is always a denial.
    pub decision: Denial,
    /// The id of the request that was denied.
    pub request_id: String,
    /// The client's session in which it was asked.
    pub session_id: String,
    /// The tool that was not run.
    pub tool_name: String,
    /// The folder in which the client worked.
    pub cwd: String,
    /// The reason of the person or the rule, masked; empty if there is none.
    pub reason: Masked,
    /// The source of the reason.
    pub reason_source: ReasonSource,
    /// The rule that denied, as `file:line`; absent if a person denied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
}

/// The only decision that is recorded here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Denial {
    /// The call was denied.
    #[default]
    Deny,
}

#[cfg(test)]
mod tests {
    use dmplz_core::redact::mask;

    use super::*;

    #[test]
    fn a_rejection_is_a_line_of_the_seeds_schema() {
        let rejection = Rejection {
            timestamp: "2026-11-22T01:32:07.1Z".parse().unwrap(),
            provider: "telegram".into(),
            decision: Denial::Deny,
            request_id: "toolu_1".into(),
            session_id: "s".into(),
            tool_name: "Bash".into(),
            cwd: "/home/user/project".into(),
            reason: mask("No \"prod\"\\\n🙂 password=hunter2"),
            reason_source: ReasonSource::UserInput,
            rule: None,
        };
        insta::assert_snapshot!(serde_json::to_string(&rejection).unwrap(), @r#"{"timestamp":"2026-11-22T01:32:07.100Z","provider":"telegram","decision":"deny","request_id":"toolu_1","session_id":"s","tool_name":"Bash","cwd":"/home/user/project","reason":"No \"prod\"\\\n🙂 password=****","reason_source":"user_input"}"#);
        let by_rule = Rejection {
            provider: "policy".into(),
            reason: mask("not to main"),
            reason_source: ReasonSource::Policy,
            rule: Some("/etc/dmplz/policy.d/10.toml:7".into()),
            ..rejection
        };
        insta::assert_snapshot!(serde_json::to_string(&by_rule).unwrap(), @r#"{"timestamp":"2026-11-22T01:32:07.100Z","provider":"policy","decision":"deny","request_id":"toolu_1","session_id":"s","tool_name":"Bash","cwd":"/home/user/project","reason":"not to main","reason_source":"policy","rule":"/etc/dmplz/policy.d/10.toml:7"}"#);
    }
}
