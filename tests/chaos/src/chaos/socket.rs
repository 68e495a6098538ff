//! Somebody who answers on the gateway's socket, and does not mind that the gateway dies meanwhile.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use serde_json::{Value, json};

/// For so long an answer is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

/// A connection.
pub(super) struct Socket(BufReader<UnixStream>);

impl Socket {
    pub(super) fn connect(path: &Path) -> anyhow::Result<Self> {
        let stream = UnixStream::connect(path).context("connect to the gateway")?;
        stream.set_read_timeout(Some(PATIENCE))?;
        Ok(Self(BufReader::new(stream)))
    }

    /// Calls a method: its result, or the error that it answers. An error of this function is a connection that was lost,
    /// after which nobody knows whether the call counted.
    pub(super) fn call(&mut self, method: &str, params: &Value) -> anyhow::Result<Result<Value, Value>> {
        let call = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        self.0.get_mut().write_all(format!("{call}\n").as_bytes())?;
        loop {
            let mut line = String::new();
            anyhow::ensure!(self.0.read_line(&mut line)? > 0, "hear from the gateway: it is gone");
            let mut answer: Value = serde_json::from_str(&line)?;
            if answer["id"] == 1 {
                return Ok(match answer.get_mut("error") {
                    Some(error) => Err(error.take()),
                    None => Ok(answer["result"].take()),
                });
            }
        }
    }

    /// The ids of the open requests of a session.
    pub(super) fn open(&mut self, session: &str) -> anyhow::Result<Vec<String>> {
        let listed = self.call("approvals.list", &json!({ "status": "open" }))?;
        let listed = listed.map_err(|error| anyhow::anyhow!("list what waits: {error}"))?;
        let all = listed["approvals"].as_array().cloned().unwrap_or_default();
        let of_session = all.iter().filter(|request| request.to_string().contains(session));
        Ok(of_session.filter_map(|request| Some(request["id"].as_str()?.to_owned())).collect())
    }
}
