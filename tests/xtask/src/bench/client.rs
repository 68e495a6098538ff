//! The client of the benchmarks of sessions, which stands in for Claude Code: `cargo xtask session-client`. It speaks as much of the
//! control protocol as they need, and leaves the times of what it does in files.

use std::io::{BufRead, Write};
use std::path::Path;
use std::time::{Duration, SystemTime};

use anyhow::Context;
use serde_json::{Value, json};

/// The subcommand of this program that stands in for Claude Code.
pub const CLIENT: &str = "session-client";
/// The file in which the client says when it asked, in Unix microseconds.
pub(super) const ASKED: &str = "asked";
/// The file in which the client says when it got a message, in Unix microseconds.
pub(super) const BEGAN: &str = "began";
/// How many lines a client that floods writes before the end of its turn.
pub(super) const FLOOD: usize = 100_000;
/// The pause between two parts of one client.
const PAUSE: Duration = Duration::from_millis(10);

/// Stands in for Claude Code: `ask` asks for a permission, `write` writes a text without an end, `flood` one of 100,000 parts at once,
/// and anything else is said to be done.
///
/// # Errors
/// Returns an error if a pipe cannot be read or written.
pub fn client() -> anyhow::Result<()> {
    for (number, line) in std::io::stdin().lock().lines().enumerate() {
        let line: Value = serde_json::from_str(&line?)?;
        let text = line.pointer("/message/content").and_then(Value::as_str).unwrap_or_default();
        match line.get("type").and_then(Value::as_str) {
            Some("control_request") => {
                let response = json!({ "subtype": "success", "request_id": line.get("request_id"), "response": {} });
                say(&json!({ "type": "control_response", "response": response }))?;
            }
            Some("user") if text == "ask" => {
                let request = json!({
                    "subtype": "can_use_tool", "tool_name": "Bash", "input": { "command": "npm test" },
                    "tool_use_id": format!("toolu_{number}"),
                });
                let line = json!({ "type": "control_request", "request_id": format!("r{number}"), "request": request });
                note(ASKED)?;
                say(&line)?;
            }
            Some("user") if text == "write" => {
                std::thread::spawn(write);
            }
            Some("user") if text == "flood" => {
                parts().take(FLOOD).try_for_each(part)?;
                over()?;
            }
            Some("user" | "control_response") => {
                note(BEGAN)?;
                over()?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// Writes a text: a block a second, of a part every [`PAUSE`].
fn write() {
    for event in parts() {
        if part(event).is_err() {
            return;
        }
        std::thread::sleep(PAUSE);
    }
}

/// Returns the events of a text without an end, in blocks of 100.
fn parts() -> impl Iterator<Item = &'static str> {
    let begins = "{\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}";
    let more = "{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"some more words \"}}";
    std::iter::repeat_with(move || std::iter::once(begins).chain(std::iter::repeat_n(more, 99))).flatten()
}

/// Writes an event of a text.
fn part(event: &str) -> std::io::Result<()> {
    // As text, because the keeper knows such lines by how they begin.
    let line = format!(
        "{{\"type\":\"stream_event\",\"event\":{event},\"session_id\":\"s\",\"parent_tool_use_id\":null,\"uuid\":\"u\"}}\n"
    );
    std::io::stdout().lock().write_all(line.as_bytes())
}

/// Says that the turn is over.
fn over() -> std::io::Result<()> {
    let figures = json!({
        "type": "result", "subtype": "success", "duration_ms": 1, "duration_api_ms": 1, "is_error": false, "num_turns": 1,
        "session_id": "s",
    });
    say(&figures)
}

fn say(line: &Value) -> std::io::Result<()> {
    let mut stdout = std::io::stdout().lock();
    writeln!(stdout, "{line}")?;
    stdout.flush()
}

#[allow(clippy::disallowed_methods, reason = "the client and the server are two processes")]
pub(super) fn now() -> SystemTime {
    SystemTime::now()
}

/// Returns the milliseconds from a time to the one that the client left in a file.
pub(super) fn since(began: SystemTime, file: &Path) -> anyhow::Result<f64> {
    let there: u64 = std::fs::read_to_string(file)?.trim().parse().context("read the time")?;
    let began = began.duration_since(SystemTime::UNIX_EPOCH)?.as_micros() as f64;
    Ok((there as f64 - began) / 1e3)
}

/// Leaves the time in a file.
fn note(file: &str) -> anyhow::Result<()> {
    let now = now().duration_since(SystemTime::UNIX_EPOCH)?.as_micros();
    Ok(std::fs::write(file, now.to_string())?)
}
