use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use crate::command::Home;

/// A running `dmplz serve`, whose owner is called Ann.
pub(crate) struct Gateway {
    child: Child,
    socket: PathBuf,
    /// The line of JSON that it printed at its start.
    pub(crate) listening: Value,
}

/// A connection to the gateway's socket.
pub(crate) struct Line {
    stream: UnixStream,
    reader: BufReader<UnixStream>,
    last_id: u64,
}

impl Gateway {
    /// Starts one, and waits until it listens.
    pub(crate) fn start(home: &Home) -> Self {
        Self::start_with(home, Stdio::inherit())
    }

    /// Starts a gateway whose stderr goes to a file. Returns that file too.
    pub(crate) fn start_saying(home: &Home) -> (Self, PathBuf) {
        let said = home.path().join("gateway.stderr");
        (Self::start_with(home, std::fs::File::create(&said).unwrap().into()), said)
    }

    fn start_with(home: &Home, stderr: Stdio) -> Self {
        let mut command = home.command(&["serve", "--json"]);
        command
            .env("USER", "Ann")
            .env("DMPLZ_GATEWAY_PORT", "0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(stderr);
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let listening = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"));
        Self { child, socket: home.state().join("gateway.sock"), listening }
    }

    /// Returns the address of the page and the API: `127.0.0.1:PORT`.
    pub(crate) fn address(&self) -> String {
        let url = self.listening["url"].as_str().unwrap_or_else(|| panic!("{}", self.listening));
        url.trim_start_matches("http://").trim_end_matches('/').to_owned()
    }

    /// Returns the connection of a hook that has asked about a command.
    #[track_caller]
    pub(crate) fn asking(&self, id: &str, command: &str) -> Line {
        let mut hook = self.line();
        hook.asks(id, command, 200_000);
        hook
    }

    pub(crate) fn line(&self) -> Line {
        let stream = UnixStream::connect(&self.socket).unwrap();
        Line { reader: BufReader::new(stream.try_clone().unwrap()), stream, last_id: 0 }
    }
}

impl Drop for Gateway {
    /// Kills it with SIGKILL, which ends it like a power cut.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Line {
    /// Calls a method, and drops other messages.
    #[track_caller]
    pub(crate) fn call(&mut self, method: &str, params: &Value) -> Value {
        let id = self.send(method, params);
        loop {
            let said = self.next();
            if said["id"] == id {
                return said;
            }
        }
    }

    /// Asks as a hook does, once it is on disk; [`Line::decided`] waits for the end.
    #[track_caller]
    pub(crate) fn asks(&mut self, id: &str, command: &str, expires_in_ms: u64) {
        self.asks_for(id, "Bash", &json!({ "command": command }), expires_in_ms);
    }

    /// Does the same for any tool.
    #[track_caller]
    pub(crate) fn asks_for(&mut self, id: &str, tool: &str, input: &Value, expires_in_ms: u64) {
        let input = json!({
            "session_id": "s-1", "transcript_path": "/t", "cwd": "/home/ann/shop", "hook_event_name": "PermissionRequest",
            "permission_mode": "default", "tool_name": tool, "tool_input": input,
        });
        self.send("hook.ask", &json!({ "requestId": id, "input": input, "expiresInMs": expires_in_ms }));
        let said = self.next();
        assert_eq!(said["method"], "hook.accepted", "{said}");
    }

    /// Waits for the end of the request that was asked here, and returns it.
    #[track_caller]
    pub(crate) fn decided(&mut self) -> Value {
        let mut said = self.next();
        if said["method"] == "hook.denied" {
            let heard = json!({ "requestId": said["params"]["requestId"] });
            let call = self.send("hook.heard", &heard);
            said = self.next();
            if said["id"] == call {
                said = self.next();
            }
        }
        said["result"]["resolution"].clone()
    }

    fn send(&mut self, method: &str, params: &Value) -> u64 {
        self.last_id += 1;
        let call = json!({ "jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params });
        writeln!(self.stream, "{call}").unwrap();
        self.last_id
    }

    /// Waits for a notification of this name, and gives its params.
    #[track_caller]
    pub(crate) fn told(&mut self, method: &str) -> Value {
        loop {
            let mut said = self.next();
            if said["method"] == method {
                return said["params"].take();
            }
        }
    }

    fn next(&mut self) -> Value {
        let mut line = String::new();
        self.reader.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }
}
