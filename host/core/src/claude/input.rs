//! Parses a hook's stdin.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::surrogates;

/// The fields that dmplz reads; the client may send more. Serializing it gives the same fields again.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct HookInput {
    /// The name of the event for which the client runs the hook.
    pub hook_event_name: String,
    /// The id of the client's session.
    #[serde(default)]
    pub session_id: String,
    /// The client's working directory.
    #[serde(default)]
    pub cwd: String,
    /// The permission mode: `default`, `plan`, `acceptEdits`, ...
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permission_mode: Option<String>,
    /// The id of the subagent, if one makes the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<String>,
    /// The kind of the subagent; `None` in the main conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tool_name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tool_input: Option<Map<String, Value>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tool_use_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    permission_suggestions: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mcp_server: Option<Value>,
    /// What the person wrote; only UserPromptSubmit has it. A value of another type is no reason to refuse the event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    prompt: Option<Value>,
}

/// The events that dmplz handles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HookEvent {
    /// The client asks whether it may call a tool.
    PermissionRequest,
    /// The client is about to call a tool, and may or may not ask first.
    ToolAhead,
    /// A tool was called, so its request is over.
    ToolDone,
    /// The main conversation continued without its open requests.
    TurnOver,
    /// The session has ended, and all its open requests with it.
    SessionOver,
    /// An event that shows nothing about an open request.
    Other,
}

/// A call that the client wants to make.
#[derive(Debug, Clone)]
pub struct ToolCall {
    /// The name of the tool that is to be called.
    pub tool: String,
    /// Its whole input, with the keys in the client's order.
    pub input: Map<String, Value>,
    /// The client's id of the call; PermissionRequest has none.
    pub tool_use_id: Option<String>,
    /// What the client would store for "always", not yet parsed.
    pub suggestions: Vec<Value>,
}

/// Why stdin cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// It is not one JSON object of the expected shape.
    #[error("the hook input is not the JSON object that Claude Code sends")]
    Json(#[from] serde_json::Error),
    /// It is a PermissionRequest without a tool or input.
    #[error("the hook input cannot be read: a {0} without {1}")]
    Missing(&'static str, &'static str),
}

impl HookInput {
    /// Parses what the client writes to a hook's stdin. Half a surrogate pair, which JavaScript's strings can hold, is
    /// read as U+FFFD: the client writes the same in its place where it passes the text on.
    pub fn parse(stdin: &[u8]) -> Result<Self, InputError> {
        match serde_json::from_slice(stdin) {
            Ok(input) => Ok(input),
            Err(error) => match surrogates::replaced(stdin) {
                Some(stdin) => Ok(serde_json::from_slice(&stdin)?),
                None => Err(error.into()),
            },
        }
    }

    /// Parses an event whose tool input cannot be parsed, such as one that is nested too deep, without that input.
    /// `None` if it is not an event either.
    pub fn without_call(stdin: &[u8]) -> Option<Self> {
        #[derive(Deserialize)]
        struct Head {
            hook_event_name: String,
            #[serde(default)]
            session_id: String,
            #[serde(default)]
            cwd: String,
        }
        let Head { hook_event_name, session_id, cwd } = serde_json::from_slice(stdin).ok()?;
        Some(Self { hook_event_name, session_id, cwd, ..Self::default() })
    }

    /// Returns the hook input for a call that the client asks about over the control protocol, so that it is judged
    /// in the same way. The event is PermissionRequest.
    pub fn of_call(session_id: String, cwd: String, call: &ToolCall) -> Self {
        Self {
            hook_event_name: "PermissionRequest".to_owned(),
            session_id,
            cwd,
            tool_name: Some(call.tool.clone()),
            tool_input: Some(call.input.clone()),
            tool_use_id: call.tool_use_id.clone(),
            permission_suggestions: Some(call.suggestions.clone().into()),
            ..Self::default()
        }
    }

    /// Sets the MCP server of the tool: `{name, source}`.
    #[must_use]
    pub fn of_server(self, server: Option<Value>) -> Self {
        Self { mcp_server: server, ..self }
    }

    /// Returns the event of this input.
    pub fn event(&self) -> HookEvent {
        match self.hook_event_name.as_str() {
            "PermissionRequest" => HookEvent::PermissionRequest,
            "PreToolUse" => HookEvent::ToolAhead,
            "PostToolUse" | "PostToolUseFailure" => HookEvent::ToolDone,
            "Stop" | "UserPromptSubmit" => HookEvent::TurnOver,
            "SessionEnd" => HookEvent::SessionOver,
            _ => HookEvent::Other,
        }
    }

    /// Returns what the person wrote, if this is the event of that.
    pub fn prompt(&self) -> Option<&str> {
        self.prompt.as_ref()?.as_str()
    }

    /// Returns the MCP server of the tool.
    pub fn server(&self) -> Option<&str> {
        self.mcp_server.as_ref()?.get("name")?.as_str()
    }

    /// Returns the kind of the subagent that makes the call, if one does.
    pub fn subagent(&self) -> Option<&str> {
        let id = self.agent_id.as_ref()?;
        Some(self.agent_type.as_ref().unwrap_or(id))
    }

    /// Returns the tool call that the event is about.
    pub fn tool_call(&self) -> Result<ToolCall, InputError> {
        let tool = self.tool_name.clone().filter(|name| !name.is_empty());
        Ok(ToolCall {
            tool: tool.ok_or(InputError::Missing("tool event", "tool_name"))?,
            input: self.tool_input.clone().ok_or(InputError::Missing("tool event", "tool_input"))?,
            tool_use_id: self.tool_use_id.clone().filter(|id| !id.is_empty()),
            suggestions: match &self.permission_suggestions {
                Some(Value::Array(suggestions)) => suggestions.clone(),
                _ => Vec::new(),
            },
        })
    }
}

impl ToolCall {
    /// Returns whether a later event of the session is about this call. PermissionRequest has no id of the call, so
    /// it is matched by tool and input. A plan's input is `{}` after the terminal approved it, and the input of
    /// questions then includes the answers.
    pub fn same_call(tool: &str, digest: &str, done: &Self) -> bool {
        if tool != done.tool {
            return false;
        }
        match tool {
            "ExitPlanMode" => true,
            "AskUserQuestion" => {
                let mut asked = done.input.clone();
                asked.retain(|key, _| !matches!(key.as_str(), "answers" | "annotations"));
                digest == input_digest(&asked)
            }
            _ => digest == input_digest(&done.input),
        }
    }
}

/// Returns a digest of a tool input: 32 hexadecimal characters that do not depend on the order of keys.
pub fn input_digest(input: &Map<String, Value>) -> String {
    let mut hash = Sha256::new();
    digest_object(input, &mut hash);
    let mut digits = hex::encode(hash.finalize());
    digits.truncate(32);
    digits
}

fn digest_object(object: &Map<String, Value>, hash: &mut Sha256) {
    let mut entries: Vec<_> = object.iter().collect();
    entries.sort_by_key(|(key, _)| *key);
    hash.update(format!("{{{}", entries.len()));
    for (key, value) in entries {
        hash.update(format!("{}:{key}", key.len()));
        digest_value(value, hash);
    }
}

fn digest_value(value: &Value, hash: &mut Sha256) {
    match value {
        Value::Object(object) => digest_object(object, hash),
        Value::Array(items) => {
            hash.update(format!("[{}", items.len()));
            items.iter().for_each(|item| digest_value(item, hash));
        }
        Value::String(text) => hash.update(format!("\"{}:{text}", text.len())),
        Value::Null | Value::Bool(_) | Value::Number(_) => hash.update(format!("{value};")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_ignores_the_order_of_keys_and_nothing_else() {
        let digest = |json: &str| input_digest(&serde_json::from_str(json).unwrap());
        assert_eq!(digest(r#"{"a":1,"b":{"c":[1,2],"d":null}}"#), digest(r#"{"b":{"d":null,"c":[1,2]},"a":1}"#));
        for other in [r#"{"a":1,"b":{"c":[2,1],"d":null}}"#, r#"{"a":"1","b":{"c":[1,2],"d":null}}"#, "{}"] {
            assert_ne!(digest(r#"{"a":1,"b":{"c":[1,2],"d":null}}"#), digest(other));
        }
        assert_ne!(digest(r#"{"a":"b","c":"d"}"#), digest(r#"{"a":"b\"1:c\"1:d"}"#));
    }

    #[test]
    fn a_question_is_the_same_call_once_it_was_answered() {
        let call = |input: &str| ToolCall {
            tool: "AskUserQuestion".into(),
            input: serde_json::from_str(input).unwrap(),
            tool_use_id: None,
            suggestions: Vec::new(),
        };
        let same = |done: &str| {
            let asked = input_digest(&call(r#"{"questions":[{"question":"Which?"}]}"#).input);
            ToolCall::same_call("AskUserQuestion", &asked, &call(done))
        };
        assert!(same(r#"{"questions":[{"question":"Which?"}]}"#));
        assert!(same(r#"{"questions":[{"question":"Which?"}],"answers":{"Which?":"A"},"annotations":{}}"#));
        assert!(!same(r#"{"questions":[{"question":"Who?"}],"answers":{"Who?":"A"}}"#));
    }

    #[test]
    fn input_that_is_not_what_the_client_sends_is_an_error() {
        for bad in ["", "null", "[]", "{}", "{", r#"{"hook_event_name":7}"#, r#"{"hook_event_name":"Stop"} x"#] {
            assert!(HookInput::parse(bad.as_bytes()).is_err(), "{bad}");
        }
        for incomplete in [
            r#"{"hook_event_name":"PermissionRequest"}"#,
            r#"{"hook_event_name":"PermissionRequest","tool_name":"Bash"}"#,
        ] {
            let input = HookInput::parse(incomplete.as_bytes()).unwrap();
            assert!(input.tool_call().is_err());
        }
    }

    #[test]
    fn half_a_surrogate_pair_hides_no_call() {
        let text = |command: &str| {
            let event = format!(
                r#"{{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{{"command":"{command}"}}}}"#
            );
            HookInput::parse(event.as_bytes()).unwrap().tool_call().unwrap().input["command"].clone()
        };
        assert_eq!(text(r"rm \ud83d x"), "rm \u{fffd} x");
    }

    #[test]
    fn an_event_is_known_by_its_name_even_if_its_call_is_nested_too_deep() {
        let deep = format!("{}{}", "[".repeat(1_000), "]".repeat(1_000));
        let event =
            format!(r#"{{"hook_event_name":"PreToolUse","cwd":"/c","tool_name":"T","tool_input":{{"a":{deep}}}}}"#);
        assert!(HookInput::parse(event.as_bytes()).is_err());
        let head = HookInput::without_call(event.as_bytes()).unwrap();
        assert_eq!((head.event(), &*head.cwd), (HookEvent::ToolAhead, "/c"));
        assert!(head.tool_call().is_err());
        assert!(HookInput::without_call(b"{}").is_none());
    }

    #[test]
    fn what_was_read_is_written_and_nothing_else() {
        let read = r#"{"hook_event_name":"PostToolUse","session_id":"s","cwd":"/","tool_name":"T","tool_input":{"b":1,"a":[]}}"#;
        let more = read.replace(r#""cwd""#, r#""tool_response":"long","cwd""#);
        assert_eq!(serde_json::to_string(&HookInput::parse(more.as_bytes()).unwrap()).unwrap(), read);
    }

    #[test]
    fn every_other_event_is_nothing_to_us() {
        let event = |name: &str| {
            HookInput::parse(format!(r#"{{"hook_event_name":"{name}","later":[{{}}]}}"#).as_bytes()).unwrap().event()
        };
        assert_eq!(event("PermissionRequest"), HookEvent::PermissionRequest);
        assert_eq!(event("PreToolUse"), HookEvent::ToolAhead);
        assert_eq!(event("PostToolUseFailure"), HookEvent::ToolDone);
        assert_eq!(event("UserPromptSubmit"), HookEvent::TurnOver);
        assert_eq!(event("SessionEnd"), HookEvent::SessionOver);
        assert_eq!(event("SomethingNew"), HookEvent::Other);
    }
}
