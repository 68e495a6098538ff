//! What the client answers to requests of ours, read.

use dmplz_core::visible::visible_line;
use dmplz_protocol::session::{ClientRule, Happening, Undo};
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

/// What the client says that undoing changes: `{canRewind, error?, filesChanged[], insertions, deletions}`. None where that
/// cannot be read; the inner error is why it cannot be undone.
pub(super) fn undo(answer: &str, message_id: Uuid) -> Option<Result<Undo, String>> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Rewind {
        can_rewind: bool,
        #[serde(default)]
        error: Option<String>,
        #[serde(default)]
        files_changed: Vec<String>,
        #[serde(default)]
        insertions: u64,
        #[serde(default)]
        deletions: u64,
    }
    let Rewind { can_rewind, error, files_changed, insertions, deletions } = serde_json::from_str(answer).ok()?;
    if !can_rewind {
        return Some(Err(visible_line(&error.unwrap_or_default())));
    }
    // The client's order says nothing, and what is confirmed is compared.
    let mut files: Vec<String> = files_changed.iter().map(|file| visible_line(file)).collect();
    files.sort();
    Some(Ok(Undo { message_id, files, insertions, deletions }))
}

/// The event that files were put back. None where the client did not do it. What changed is what the dry run before said.
pub(super) fn undone(answer: &str, preview: Option<&str>, message_id: Uuid) -> Option<Happening> {
    let done = undo(answer, message_id)?.ok()?;
    let preview = preview.and_then(|preview| undo(preview, message_id)?.ok());
    let Undo { files, insertions, deletions, .. } = preview.unwrap_or(done);
    Some(Happening::Undone { files: files.len(), insertions, deletions })
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
        let told = r#"{"canRewind":true,"filesChanged":["/b","/a\u202e"],"insertions":1,"deletions":2}"#;
        insta::assert_compact_debug_snapshot!(undo(told, Uuid::nil()).unwrap(), @r#"Ok(Undo { message_id: 00000000-0000-0000-0000-000000000000, files: ["/a⟨U+202E⟩", "/b"], insertions: 1, deletions: 2 })"#);
        let done = Happening::Undone { files: 2, insertions: 1, deletions: 2 };
        assert_eq!(undone(r#"{"canRewind":true}"#, Some(told), Uuid::nil()), Some(done));
        assert_eq!(undone(r#"{"canRewind":false}"#, Some(told), Uuid::nil()), None);
        let refused = undo(r#"{"canRewind":false,"error":"No file checkpoint found for this message."}"#, Uuid::nil());
        assert_eq!(refused.unwrap().unwrap_err(), "No file checkpoint found for this message.");
        assert!(
            undo("{}", Uuid::nil()).is_none() && undo(r#"{"canRewind":true,"insertions":-1}"#, Uuid::nil()).is_none()
        );
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
