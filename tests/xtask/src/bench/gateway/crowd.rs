//! Many requests that stay open during the measurements.

use serde_json::{Value, json};
use uuid::Uuid;

use super::line::Line;
use super::serve::{CROWD, Serve};

/// The number of requests per connection.
const A_LINE: usize = 100;
/// Their expiry: later than the end of every measurement.
const EXPIRES_MS: u64 = 86_400_000;

/// The connections of the waiting requests. Closing a connection withdraws its requests.
#[derive(Default)]
pub(super) struct Crowd {
    lines: Vec<Line>,
    open: usize,
}

impl Crowd {
    /// Opens requests until `size - 1` are open; the measured request is the last one.
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

/// Returns a request for a command of typical length.
fn request(number: usize) -> Value {
    let command =
        format!("cd /home/user/project && cargo test --package part-{number} -- --nocapture 2>&1 | tail -n 40");
    let input = json!({
        "hook_event_name": "PermissionRequest", "session_id": format!("{CROWD}{}", number % 50),
        "cwd": "/home/user/project", "tool_name": "Bash",
        "tool_input": { "command": command, "description": "Run the tests of one package and show their end" },
    });
    json!({ "requestId": Uuid::new_v4(), "input": input, "remarks": [], "expiresInMs": EXPIRES_MS })
}
