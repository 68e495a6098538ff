use serde_json::{Value, json};

/// Returns a capture in `stdin/`, by its name without `.json`. The captures are the input that Claude Code 2.1.330
/// wrote, formatted, with only the paths changed.
///
/// # Panics
/// If there is no capture of this name.
#[track_caller]
pub fn captured(name: &str) -> Value {
    let path = format!("{}/stdin/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns the names of all captures.
pub fn all() -> Vec<String> {
    let entries = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/stdin")).unwrap();
    let name = |entry: std::io::Result<std::fs::DirEntry>| entry.unwrap().path();
    entries.map(name).filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())).collect()
}

/// Returns the captured request to push.
pub fn push() -> Value {
    captured("PermissionRequest-Bash")
}

/// Returns a request to run a command in a session.
pub fn bash(session: &str, command: &str) -> Value {
    let mut request = push();
    request["session_id"] = json!(session);
    request["tool_input"] = json!({ "command": command });
    request
}

/// Returns an event with another `session_id`.
pub fn of_session(mut event: Value, session: &Value) -> Value {
    event["session_id"] = session.clone();
    event
}

/// Returns what the client writes: the event on one line.
pub fn line(event: &Value) -> Vec<u8> {
    format!("{event}\n").into_bytes()
}
