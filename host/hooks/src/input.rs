//! The event that a handler reads on stdin: one JSON object on one line.
//!
//! Every event has `session_id`, `transcript_path`, `cwd` and `hook_event_name`, and the fields of its kind, named as Claude
//! Code names them. What only dmplz knows is in the object `dmplz`.

use serde_json::{Map, Value, json};

use crate::event::Dialect;

/// The largest event that is read, in bytes. Claude Code sends whole files.
pub const MAX_BYTES: usize = 32 << 20;

/// An event as a handler reads it on stdin.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    fields: Map<String, Value>,
}

/// Why a text is no event.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// The text is not a JSON object.
    #[error("the event is no JSON object")]
    NotJson(#[source] serde_json::Error),
    /// It is longer than [`MAX_BYTES`].
    #[error("the event is longer than {MAX_BYTES} bytes")]
    TooLong,
    /// It is another event than the one that was named.
    #[error("the event is {found}, not {wanted}")]
    Other {
        /// The event of the text.
        found: String,
        /// The event that was asked for.
        wanted: String,
    },
}

/// The fields that an event gets where it has none of its own.
#[derive(Debug, Clone, Copy)]
pub struct Defaults<'a> {
    /// The id of the session.
    pub session_id: &'a str,
    /// The file of the session's events and results.
    pub transcript_path: &'a str,
    /// The folder of the project.
    pub cwd: &'a str,
}

impl Input {
    /// Reads an event of this name, which the text may leave out.
    ///
    /// # Errors
    /// Returns an error if it is too long, no JSON object, or another event.
    pub fn parse(text: &[u8], event: &str) -> Result<Self, InputError> {
        if text.len() > MAX_BYTES {
            return Err(InputError::TooLong);
        }
        let mut fields: Map<String, Value> = serde_json::from_slice(text).map_err(InputError::NotJson)?;
        match fields.get("hook_event_name").and_then(Value::as_str).filter(|name| !name.is_empty()) {
            Some(found) if found != event => {
                return Err(InputError::Other { found: found.to_owned(), wanted: event.to_owned() });
            }
            Some(_) => {}
            None => drop(fields.insert("hook_event_name".to_owned(), event.into())),
        }
        Ok(Self { fields })
    }

    /// Returns an event made of its name and the fields of its kind.
    pub fn new(event: &str, fields: Map<String, Value>) -> Self {
        let mut all = Map::from_iter([("hook_event_name".to_owned(), Value::from(event))]);
        all.extend(fields);
        Self { fields: all }
    }

    /// Returns an example of an event, in the shape of Claude Code 2.1.330.
    pub fn example(event: &str) -> Self {
        let tool = |more: Value| {
            let mut fields = json!({ "permission_mode": "default", "tool_name": "Bash",
                                     "tool_input": { "command": "npm test", "description": "Run the tests" } });
            if let (Value::Object(fields), Value::Object(more)) = (&mut fields, more) {
                fields.extend(more);
            }
            fields
        };
        let fields = match event {
            "PreToolUse" => tool(json!({ "tool_use_id": "toolu_example" })),
            "PermissionRequest" => tool(json!({ "permission_suggestions": [] })),
            "PermissionDenied" => {
                tool(json!({ "tool_use_id": "toolu_example", "reason": "flagged by the classifier" }))
            }
            "PostToolUse" => tool(json!({ "tool_response": { "stdout": "ok", "stderr": "", "interrupted": false },
                                          "tool_use_id": "toolu_example", "duration_ms": 40 })),
            "PostToolUseFailure" => tool(
                json!({ "tool_use_id": "toolu_example", "error": "Exit code 1", "is_interrupt": false, "duration_ms": 40 }),
            ),
            "UserPromptSubmit" => json!({ "prompt": "please do it" }),
            "SessionStart" => json!({ "source": "startup" }),
            "SessionEnd" => json!({ "reason": "other" }),
            "Stop" => json!({ "stop_hook_active": false, "last_assistant_message": "Done.", "background_tasks": [] }),
            "StopFailure" => json!({ "error": "unknown", "last_assistant_message": "API Error" }),
            "SubagentStart" => json!({ "agent_id": "a1", "agent_type": "general-purpose" }),
            "SubagentStop" => json!({ "agent_id": "a1", "agent_type": "general-purpose", "stop_hook_active": false }),
            "Notification" => {
                json!({ "message": "Claude needs your permission", "notification_type": "permission_prompt" })
            }
            "PreCompact" | "PostCompact" => json!({ "trigger": "manual" }),
            "Setup" => json!({ "trigger": "init" }),
            "ConfigChange" => json!({ "source": "local_settings" }),
            "Elicitation" => json!({ "mcp_server_name": "tiny", "message": "What is your name?", "mode": "form" }),
            "ElicitationResult" => json!({ "mcp_server_name": "tiny", "mode": "form", "action": "cancel" }),
            _ => json!({}),
        };
        let fields = if let Value::Object(fields) = fields { fields } else { Map::new() };
        Self::new(event, fields)
    }

    /// Adds the fields that every event has, where it has none of its own.
    #[must_use]
    pub fn with_defaults(mut self, defaults: Defaults<'_>) -> Self {
        for (name, value) in
            [("session_id", defaults.session_id), ("transcript_path", defaults.transcript_path), ("cwd", defaults.cwd)]
        {
            self.fields.entry(name).or_insert_with(|| value.into());
        }
        self
    }

    /// Returns the line that a handler reads.
    pub fn line(&self) -> Vec<u8> {
        let mut line = serde_json::to_vec(&self.fields).unwrap_or_default();
        line.push(b'\n');
        line
    }

    /// Returns the name of the event.
    pub fn event(&self) -> &str {
        self.text("hook_event_name").unwrap_or_default()
    }

    /// Returns a field that is a text.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.fields.get(name).and_then(Value::as_str)
    }

    /// Returns the input of the tool call, if the event is about one.
    pub fn tool_input(&self) -> Option<&Map<String, Value>> {
        self.fields.get("tool_input").and_then(Value::as_object)
    }

    /// Returns the level of effort of the session, if the event names it.
    pub fn effort(&self) -> Option<&str> {
        self.fields.get("effort")?.get("level")?.as_str()
    }

    /// Returns what matchers are compared with. Of a file it is the name without folders.
    pub fn subject(&self) -> Option<&str> {
        let field = Dialect::Claude.matched_field(self.event())?;
        let value = self.text(field)?;
        Some(if field == "file_path" { value.rsplit('/').next().unwrap_or(value) } else { value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEFAULTS: Defaults<'_> = Defaults { session_id: "s", transcript_path: "/t", cwd: "/p" };

    #[test]
    fn an_event_is_one_line_with_the_fields_that_every_event_has() {
        let input =
            Input::parse(br#"{"hook_event_name":"Stop","cwd":"/own"}"#, "Stop").unwrap().with_defaults(DEFAULTS);
        let line = String::from_utf8(input.line()).unwrap();
        insta::assert_snapshot!(line.trim_end(), @r#"{"hook_event_name":"Stop","cwd":"/own","session_id":"s","transcript_path":"/t"}"#);
        assert_eq!(line.matches('\n').count(), 1);
    }

    #[test]
    fn what_is_no_event_is_refused_in_words() {
        for (text, error) in [
            ("", "the event is no JSON object"),
            ("[]", "the event is no JSON object"),
            (r#"{"hook_event_name":"Stop"}"#, "the event is Stop, not PreToolUse"),
        ] {
            assert_eq!(Input::parse(text.as_bytes(), "PreToolUse").unwrap_err().to_string(), error, "{text}");
        }
        for text in ["{}", r#"{"hook_event_name":7}"#] {
            assert_eq!(Input::parse(text.as_bytes(), "Stop").unwrap().event(), "Stop", "{text}");
        }
    }

    #[test]
    fn every_example_has_what_its_matchers_are_compared_with() {
        for event in
            ["PreToolUse", "PostToolUse", "SessionStart", "SessionEnd", "Notification", "SubagentStop", "PreCompact"]
        {
            assert!(Input::example(event).subject().is_some(), "{event}");
        }
        assert_eq!(Input::example("Stop").subject(), None);
    }
}
