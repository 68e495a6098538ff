use std::fmt;
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::{SOON, until};

/// A running `dmplz serve`.
pub struct Gateway {
    child: Child,
    listening: Value,
}

/// A surface: a connection to the gateway's socket.
#[derive(Debug)]
pub struct Surface {
    stream: BufReader<UnixStream>,
    last_id: u64,
    told: Vec<Value>,
}

impl Gateway {
    /// Starts it and waits until it listens.
    #[track_caller]
    pub(crate) fn start(command: Command) -> Self {
        Self::try_start(command).unwrap()
    }

    /// Starts it and waits until it listens. The command has an environment, and no arguments.
    ///
    /// # Errors
    /// If it does not start, or ends before it listens.
    pub fn try_start(mut command: Command) -> io::Result<Self> {
        command.args(["serve", "--json"]).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line)?;
        match serde_json::from_str(&line) {
            Ok(listening) => Ok(Self { child, listening }),
            Err(error) => {
                let _ = child.kill();
                child.wait()?;
                Err(io::Error::other(format!("dmplz serve did not say where it listens: {error}: {line:?}")))
            }
        }
    }

    /// Returns the path of its socket.
    pub fn socket(&self) -> PathBuf {
        self.listening["socket"].as_str().unwrap().into()
    }

    /// Returns the address of its page and API.
    pub fn url(&self) -> &str {
        self.listening["url"].as_str().unwrap()
    }

    /// Returns the id of its process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Returns whether it ended by itself.
    pub fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// Connects as the command line does.
    #[track_caller]
    pub fn connect(&self) -> Surface {
        Surface::to(&self.socket())
    }

    /// Returns a surface that receives requests from now on.
    #[track_caller]
    pub fn watch(&self) -> Surface {
        let mut surface = self.connect();
        surface.call("events.subscribe", json!({})).unwrap();
        surface
    }

    /// Kills the process with SIGKILL.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Sends SIGTERM, and returns how the process ended.
    pub fn stop(mut self) -> ExitStatus {
        kill_process(Pid::from_child(&self.child), Signal::TERM).unwrap();
        let mut status = None;
        until("the end of the gateway", || {
            status = self.child.try_wait().unwrap();
            status.is_some()
        });
        status.unwrap()
    }
}

impl Surface {
    /// Connects to a socket.
    #[track_caller]
    pub fn to(socket: &Path) -> Self {
        Self::try_to(socket).unwrap()
    }

    /// Connects to a socket.
    ///
    /// # Errors
    /// If no gateway listens there.
    pub fn try_to(socket: &Path) -> io::Result<Self> {
        let stream = UnixStream::connect(socket)?;
        stream.set_read_timeout(Some(SOON))?;
        Ok(Self { stream: BufReader::new(stream), last_id: 0, told: Vec::new() })
    }

    /// Calls a method. Other messages are kept.
    #[track_caller]
    pub fn call(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        self.try_call(method, &params).expect("an answer")
    }

    /// Calls a method of a gateway that may be killed meanwhile. `None` if the connection is lost: it is unknown then
    /// whether the call counted.
    #[track_caller]
    pub fn try_call(&mut self, method: &str, params: &Value) -> Option<Result<Value, Value>> {
        self.last_id += 1;
        let id = self.last_id;
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.stream.get_mut().write_all(format!("{request}\n").as_bytes()).ok()?;
        loop {
            let mut line = self.try_read()?;
            if line["id"] == id {
                return Some(match line.get_mut("error") {
                    Some(error) => Err(error.take()),
                    None => Ok(line["result"].take()),
                });
            }
            self.told.push(line);
        }
    }

    /// Waits for a notification, and gives its params.
    #[track_caller]
    pub fn await_told(&mut self, method: &str) -> Value {
        loop {
            let mut next = match self.told.is_empty() {
                true => self.read().unwrap_or_else(|| panic!("{method}, and not the end")),
                false => self.told.remove(0),
            };
            if next["method"] == method {
                return next["params"].take();
            }
        }
    }

    /// Waits for the next request, and returns it.
    #[track_caller]
    pub fn await_request(&mut self) -> Value {
        self.await_told("approval.requested")["approval"].take()
    }

    /// Waits for the next end of a request, and gives how it ended.
    #[track_caller]
    pub fn await_end(&mut self) -> Value {
        self.await_told("approval.resolved")["approval"]["resolution"].take()
    }

    /// Answers a request on the socket.
    #[track_caller]
    pub fn answer(&mut self, request: &Value, decision: &str) -> Result<Value, Value> {
        self.call("approval.respond", json!({ "id": request["id"], "decision": decision }))
    }

    /// Denies a request, and says why.
    #[track_caller]
    pub fn deny(&mut self, request: &Value, reason: &str) -> Result<Value, Value> {
        self.call("approval.respond", json!({ "id": request["id"], "decision": "deny", "reason": reason }))
    }

    /// Writes a line of anything.
    pub fn write(&mut self, line: &[u8]) {
        let stream = self.stream.get_mut();
        stream.write_all(line).and_then(|()| stream.write_all(b"\n")).unwrap();
    }

    /// Reads the next line; `None` at the end.
    #[track_caller]
    pub fn read(&mut self) -> Option<Value> {
        let mut line = String::new();
        self.stream.read_line(&mut line).expect("a line in time");
        (!line.is_empty()).then(|| serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}")))
    }

    /// Reads the next line of a gateway that may be killed while it writes it; `None` at the end, however it came.
    ///
    /// # Panics
    /// If the gateway is silent for [`SOON`].
    #[track_caller]
    fn try_read(&mut self) -> Option<Value> {
        let mut line = String::new();
        match self.stream.read_line(&mut line) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => panic!("the gateway is silent for {SOON:?}"),
            _ => serde_json::from_str(&line).ok(),
        }
    }
}

impl Drop for Gateway {
    /// Kills the process, so that a failed test leaves none behind.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl fmt::Debug for Gateway {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Gateway({})", self.child.id())
    }
}
