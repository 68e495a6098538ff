//! The client's events as occurrences for notices.
//!
//! | event | subject | summary | content |
//! |---|---|---|---|
//! | Notification | `notification_type` | `message` | |
//! | Stop | | | `last_assistant_message` |
//! | StopFailure | `error` | `error_details` | `last_assistant_message` |
//! | SubagentStop | `agent_type` | | `last_assistant_message` |
//! | SessionStart | `source` | | |
//! | SessionEnd | `reason` | | |
//! | UserPromptSubmit | | | `prompt` |
//! | PostToolUse | `tool_name` | | `tool_input`, and `tool_response` |
//! | PostToolUseFailure | `tool_name` | the first line of `error` | `tool_input`, and the rest of `error` |
//! | PermissionDenied | `tool_name` | `reason` | `tool_input` |
//!
//! A field that is missing or of another type is left out.

use serde_json::Value;

use super::InputError;
use crate::notify::{EventKind, Occurrence};
use crate::redact::mask_json;

/// Parses the occurrence in a hook's stdin, and masks its texts. `id` identifies it if the client gives no id. `None`
/// for an event that no notice is about.
pub fn occurrence(stdin: &[u8], id: String, at_ms: u64) -> Result<Option<Occurrence>, InputError> {
    let input: Value = serde_json::from_slice(stdin)?;
    let text = |name: &str| input.get(name)?.as_str().filter(|text| !text.is_empty()).map(str::to_owned);
    let event = text("hook_event_name").and_then(|name| EventKind::routable(&name));
    let Some(event) = event.filter(|event| event.is_of_client()) else { return Ok(None) };
    // One call fails once, however often a hook is registered for it.
    let id = text("tool_use_id").map_or(id, |call| format!("{event}:{call}"));
    let mut occurrence = Occurrence {
        session_id: text("session_id").unwrap_or_default(),
        cwd: text("cwd").unwrap_or_default(),
        ..Occurrence::new(event, id, at_ms)
    };
    let tasks = input.get("background_tasks").and_then(Value::as_array).map_or(0, Vec::len);
    occurrence.background = u32::try_from(tasks).unwrap_or(u32::MAX);
    // A secret is found by the name beside it, so the whole input is masked before its text is taken.
    let masked = |name: &str| match mask_json(input.get(name)?) {
        Value::String(text) => Some(text),
        other => serde_json::to_string_pretty(&other).ok(),
    };
    let call = || masked("tool_input");
    let lines = |parts: [Option<String>; 2]| {
        let parts: Vec<String> = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
        Some(parts.join("\n"))
    };
    let (subject, summary, content) = match event {
        EventKind::Notification => (text("notification_type"), text("message"), None),
        EventKind::Stop => (None, None, text("last_assistant_message")),
        EventKind::StopFailure => (text("error"), text("error_details"), text("last_assistant_message")),
        EventKind::SubagentStop => (text("agent_type"), None, text("last_assistant_message")),
        EventKind::SessionStart => (text("source"), None, None),
        EventKind::SessionEnd => (text("reason"), None, None),
        EventKind::UserPromptSubmit => (None, None, text("prompt")),
        EventKind::PostToolUse => (text("tool_name"), None, lines([call(), masked("tool_response")])),
        EventKind::PostToolUseFailure => {
            let error = text("error").unwrap_or_default();
            let (first, rest) = error.split_once('\n').unwrap_or((&error, ""));
            (text("tool_name"), Some(first.to_owned()), lines([call(), Some(rest.trim().to_owned())]))
        }
        EventKind::PermissionDenied => (text("tool_name"), text("reason"), call()),
        _ => (None, None, None),
    };
    let some = |text: Option<String>| text.filter(|text| !text.is_empty());
    (occurrence.subject, occurrence.summary, occurrence.content) = (some(subject), some(summary), some(content));
    Ok(Some(occurrence.masked()))
}
