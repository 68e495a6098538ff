//! One connection to the gateway's socket: JSON-RPC 2.0, one object a line.

use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

/// The time limit of every call, which is exceeded only if something is broken.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Line {
    reader: BufReader<UnixStream>,
    calls: u64,
}

/// The result of a call.
#[derive(Debug)]
pub(crate) enum Reply {
    Result(Value),
    /// The code of a JSON-RPC error.
    Refused(i64),
    /// The connection was lost, and it is unknown whether the call counted.
    Lost,
}

impl Line {
    pub(crate) fn connect(socket: &Path) -> io::Result<Self> {
        let stream = UnixStream::connect(socket)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        Ok(Self { reader: BufReader::new(stream), calls: 0 })
    }

    /// Calls a method and waits for the reply; other messages are passed to `heard`.
    pub(crate) fn call(&mut self, method: &str, params: &Value, mut heard: impl FnMut(&Value)) -> Reply {
        self.calls += 1;
        let request = json!({ "jsonrpc": "2.0", "id": self.calls, "method": method, "params": params });
        if self.reader.get_mut().write_all(format!("{request}\n").as_bytes()).is_err() {
            return Reply::Lost;
        }
        loop {
            match self.next() {
                Some(message) if message["id"] == self.calls => {
                    return match message["error"]["code"].as_i64() {
                        Some(code) => Reply::Refused(code),
                        None => Reply::Result(message["result"].clone()),
                    };
                }
                Some(message) => heard(&message),
                None => return Reply::Lost,
            }
        }
    }

    /// Returns the next message; `None` if the connection is lost.
    pub(crate) fn next(&mut self) -> Option<Value> {
        let mut line = String::new();
        match self.reader.read_line(&mut line) {
            Ok(0) => None,
            Ok(_) => serde_json::from_str(&line).ok(),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => panic!("the gateway is silent for {PATIENCE:?}"),
            Err(_) => None,
        }
    }
}
