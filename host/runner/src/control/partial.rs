//! Parts of a message that the agent is still writing: `stream_event` lines, which the client writes with `--include-partial-messages`.

use std::borrow::Cow;

use serde::Deserialize;

/// A part of a text of the main conversation. Thoughts, the input of calls and what subagents write are none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Partial {
    /// A text begins.
    Begins,
    /// What comes next in it.
    Text(String),
}

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    event: Event<'a>,
    #[serde(borrow, default)]
    parent_tool_use_id: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct Event<'a> {
    #[serde(rename = "type", borrow, default)]
    kind: Cow<'a, str>,
    #[serde(borrow, default)]
    content_block: Option<Content<'a>>,
    #[serde(borrow, default)]
    delta: Option<Content<'a>>,
}

#[derive(Deserialize)]
struct Content<'a> {
    #[serde(rename = "type", borrow, default)]
    kind: Cow<'a, str>,
    #[serde(default)]
    text: String,
}

impl Partial {
    /// Reads a line. `None` for any that is no part of a text.
    pub fn read(line: &[u8]) -> Option<Self> {
        let Line { event, parent_tool_use_id } = serde_json::from_slice(line).ok()?;
        if parent_tool_use_id.is_some() {
            return None;
        }
        match (event.kind.as_ref(), event.content_block, event.delta) {
            ("content_block_start", Some(block), _) if block.kind == "text" => Some(Self::Begins),
            ("content_block_delta", _, Some(delta)) if delta.kind == "text_delta" => Some(Self::Text(delta.text)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn texts_of_the_main_conversation_are_read_and_nothing_else() {
        // As client 2.1.330 said it.
        let line = |event: Value, parent: Value| {
            let line = json!({ "type": "stream_event", "event": event, "session_id": "s", "parent_tool_use_id": parent, "uuid": "u" });
            Partial::read(line.to_string().as_bytes())
        };
        let begins = |kind: &str| json!({ "type": "content_block_start", "index": 0, "content_block": { "type": kind, "text": "" } });
        let delta = |kind: &str| json!({ "type": "content_block_delta", "index": 0, "delta": { "type": kind, "text": "Hel\u{202e}lo" } });
        assert_eq!(line(begins("text"), Value::Null), Some(Partial::Begins));
        assert_eq!(line(delta("text_delta"), Value::Null), Some(Partial::Text("Hel\u{202e}lo".into())));
        for other in
            [begins("tool_use"), begins("thinking"), delta("input_json_delta"), json!({ "type": "message_stop" })]
        {
            assert_eq!(line(other.clone(), Value::Null), None, "{other}");
        }
        assert_eq!(line(delta("text_delta"), json!("toolu_1")), None, "a subagent writes");
        for nothing in [
            "",
            "{}",
            "[]",
            r#"{"event":7}"#,
            r#"{"event":{"type":"content_block_delta","delta":{"type":"text_delta","text":7}}}"#,
        ] {
            assert_eq!(Partial::read(nothing.as_bytes()), None, "{nothing}");
        }
    }
}
