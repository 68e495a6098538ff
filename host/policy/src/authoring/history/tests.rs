use dmplz_core::stats::MAX_SUBJECT_CHARS;
use serde_json::json;

use super::*;

fn subject_of(tool: &str, input: Value) -> Option<Subject> {
    subject(tool, input.as_object().unwrap())
}

#[test]
fn a_subject_is_what_a_rule_can_name() {
    for (tool, input, kept) in [
        ("Bash", json!({"command": "npm test", "description": "Runs the tests"}), Some("npm test")),
        ("Write", json!({"file_path": "/p/a.rs", "content": "secret"}), Some("/p/a.rs")),
        ("NotebookEdit", json!({"notebook_path": "/p/a.ipynb"}), Some("/p/a.ipynb")),
        ("Grep", json!({"pattern": "x", "path": "/p"}), Some("/p")),
        ("WebFetch", json!({"url": "https://a.example/x?key=1#y", "prompt": "p"}), Some("https://a.example/x")),
        ("mcp__db__query", json!({"command": "drop table"}), None),
        ("AskUserQuestion", json!({"questions": []}), None),
        ("Bash", json!({"command": 1}), None),
    ] {
        assert_eq!(subject_of(tool, input).as_ref().map(Subject::as_str), kept, "{tool}");
    }
}

#[test]
fn what_was_masked_or_cut_is_not_what_was_asked() {
    let masked = subject_of("Bash", json!({"command": "deploy --token abcdef123456789"})).unwrap();
    assert!(!masked.as_str().contains("abcdef123456789") && masked.whole().is_none(), "{masked:?}");
    let cut = subject_of("Bash", json!({"command": "ab ".repeat(1_000)})).unwrap();
    assert_eq!((cut.as_str().chars().count(), cut.whole()), (MAX_SUBJECT_CHARS + 1, None));
    let whole = subject_of("Bash", json!({"command": "git status"})).unwrap();
    assert_eq!(whole.whole(), Some("git status"));
}

#[test]
fn only_the_answer_of_a_person_counts() {
    let line = |outcome: &str| -> RequestEnd {
        let text = format!(
            r#"{{"timestamp":"2026-11-22T01:00:00Z","request_id":"r","session_id":"s","provider":"p","tool_name":"Bash","outcome":"{outcome}"}}"#
        );
        serde_json::from_str(&text).unwrap()
    };
    let answer = |outcome| Asked::of(line(outcome)).map(|asked| asked.answer);
    assert_eq!(answer("approved"), Some(Decision::Allow));
    assert_eq!(answer("approved_session"), Some(Decision::Allow));
    assert_eq!(answer("rejected_no_reason"), Some(Decision::Deny));
    assert_eq!(answer("rejected_with_reason"), Some(Decision::Deny));
    assert_eq!(answer("expired"), None);
    assert_eq!(answer("resolved_elsewhere"), None);
}
