//! What the client answers to requests of ours, read.

use dmplz_core::visible::visible_line;
use dmplz_protocol::session::ClientRule;
use serde::Deserialize;
use uuid::Uuid;

/// More rules than anybody reads are left out.
const MOST: usize = 1_000;

/// The messages that an interrupt took back.
pub(super) fn cancelled(answer: &str) -> Vec<Uuid> {
    #[derive(Deserialize)]
    struct Receipt {
        #[serde(default)]
        cancelled: Vec<String>,
    }
    let receipt = serde_json::from_str(answer).unwrap_or(Receipt { cancelled: Vec::new() });
    receipt.cancelled.iter().filter_map(|id| Uuid::try_parse(id).ok()).collect()
}

/// Whether a message was taken back.
pub(super) fn retracted(answer: &str) -> bool {
    #[derive(Deserialize)]
    struct Receipt {
        cancelled: bool,
    }
    serde_json::from_str(answer).is_ok_and(|Receipt { cancelled }| cancelled)
}

/// The permission rules of the client: `{state: {rules: [{behavior, source, rule}]}}`, of later clients perhaps without `state`.
pub(super) fn rules(answer: &str) -> Option<Vec<ClientRule>> {
    let answer: serde_json::Value = serde_json::from_str(answer).ok()?;
    let listed = answer.get("state").unwrap_or(&answer).get("rules")?.as_array()?;
    let rule = |listed: &serde_json::Value| {
        let word =
            |key: &str| listed.get(key).and_then(serde_json::Value::as_str).map(visible_line).unwrap_or_default();
        ClientRule { behavior: word("behavior"), rule: word("rule"), source: word("source") }
    };
    Some(listed.iter().map(rule).filter(|rule| !rule.rule.is_empty()).take(MOST).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_of_the_client_are_read_and_what_is_none_of_them_says_nothing() {
        let id = "00000000-0000-0000-0000-000000000007";
        assert_eq!(cancelled(&format!(r#"{{"still_queued":[],"cancelled":["{id}","x"]}}"#)), [Uuid::from_u128(7)]);
        assert!(retracted(r#"{"cancelled":true}"#));
        for nothing in ["{}", "[]", "x", r#"{"cancelled":"yes"}"#] {
            assert!(cancelled(nothing).is_empty() && !retracted(nothing) && rules(nothing).is_none(), "{nothing}");
        }
        let told = r#"{"state":{"rules":[{"behavior":"deny","source":"session","rule":"Bash(rm *)\u202e"},7]}}"#;
        insta::assert_debug_snapshot!(rules(told).unwrap(), @r#"
        [
            ClientRule {
                behavior: "deny",
                rule: "Bash(rm *)⟨U+202E⟩",
                source: "session",
            },
        ]
        "#);
    }
}
