//! Requests that stay open.

use serde_json::{Value, json};
use uuid::Uuid;

use super::line::Line;
use super::serve::Serve;

/// Requests of one connection.
const A_LINE: usize = 100;
/// How the ids of their sessions begin.
pub(super) const SESSION: &str = "crowd-";
/// They outlive every measurement.
const EXPIRES_MS: u64 = 86_400_000;

/// The connections of those who wait. Closing one withdraws its requests.
#[derive(Default)]
pub(super) struct Crowd {
    lines: Vec<Line>,
    open: usize,
}

impl Crowd {
    /// Lets more requests wait, up to this many less the one that is measured.
    pub(super) fn grow(&mut self, serve: &Serve, size: usize) -> anyhow::Result<()> {
        while self.open + 1 < size {
            let mut line = serve.connect()?;
            let asked = A_LINE.min(size - 1 - self.open);
            for _ in 0..asked {
                line.send("hook.ask", &request(self.open))?;
                self.open += 1;
            }
            for _ in 0..asked {
                line.until(|message| message.get("method").and_then(Value::as_str) == Some("hook.accepted"))?;
            }
            self.lines.push(line);
        }
        Ok(())
    }
}

/// A command as agents write it, a few hundred bytes long.
fn request(number: usize) -> Value {
    let command =
        format!("cd /home/user/project && cargo test --package part-{number} -- --nocapture 2>&1 | tail -n 40");
    let input = json!({
        "hook_event_name": "PermissionRequest", "session_id": format!("{SESSION}{}", number % 50),
        "cwd": "/home/user/project", "tool_name": "Bash",
        "tool_input": { "command": command, "description": "Run the tests of one package and show their end" },
    });
    json!({ "requestId": Uuid::new_v4(), "input": input, "remarks": [], "expiresInMs": EXPIRES_MS })
}
