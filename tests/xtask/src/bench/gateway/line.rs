//! A connection to a gateway's socket: JSON-RPC 2.0, one object per line.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use serde_json::{Value, json};

/// The time limit of every read, which is exceeded only if something is broken.
const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) struct Line {
    reader: BufReader<UnixStream>,
    calls: u64,
}

impl Line {
    pub(super) fn connect(socket: &Path) -> anyhow::Result<Self> {
        let stream = UnixStream::connect(socket).context("connect to the gateway")?;
        stream.set_read_timeout(Some(PATIENCE))?;
        Ok(Self { reader: BufReader::new(stream), calls: 0 })
    }

    /// Sends a call without waiting for its reply.
    pub(super) fn send(&mut self, method: &str, params: &Value) -> anyhow::Result<u64> {
        self.calls += 1;
        let call = json!({ "jsonrpc": "2.0", "id": self.calls, "method": method, "params": params });
        self.reader.get_mut().write_all(format!("{call}\n").as_bytes()).context("write to the gateway")?;
        Ok(self.calls)
    }

    /// Calls a method and waits for the reply. Drops other messages.
    pub(crate) fn call(&mut self, method: &str, params: &Value) -> anyhow::Result<Value> {
        let id = self.send(method, params)?;
        self.until(|message| message.get("id").and_then(Value::as_u64) == Some(id))
    }

    /// Returns the next message that `wanted` accepts. A JSON-RPC error ends it with an error.
    pub(crate) fn until(&mut self, wanted: impl Fn(&Value) -> bool) -> anyhow::Result<Value> {
        loop {
            let mut line = String::new();
            anyhow::ensure!(self.reader.read_line(&mut line)? > 0, "hear from the gateway: it hung up");
            let message: Value = serde_json::from_str(&line).context("read what the gateway says")?;
            anyhow::ensure!(message.get("error").is_none(), "call the gateway: {message}");
            if wanted(&message) {
                return Ok(message);
            }
        }
    }
}
