//! JSON-RPC 2.0 over the gateway's socket, one object a line, blocking: a command or a hook that has nothing else to do
//! needs no runtime.

use std::collections::VecDeque;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{GatewayError, Refusal, code};

/// A line of the gateway at most: a whole page of the largest requests.
const MAX_LINE: usize = 512 << 20;
/// What is read at once.
const CHUNK: usize = 1 << 16;
/// The shortest wait that is one: zero would mean for ever.
const LEAST: Duration = Duration::from_millis(1);

/// A connection to the gateway. What it tells in between is kept until somebody asks for it, in order.
#[derive(Debug)]
pub(crate) struct Client {
    stream: UnixStream,
    received: Vec<u8>,
    /// How far `received` was searched for the end of a line.
    searched: usize,
    told: VecDeque<Notification>,
    last_id: u64,
}

/// What the gateway tells without being asked.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Notification {
    pub(crate) method: String,
    #[serde(default)]
    pub(crate) params: Value,
}

/// The next thing that the gateway said.
#[derive(Debug)]
pub(crate) enum Incoming {
    Told(Notification),
    /// The answer to what [`Client::send`] sent under this id.
    Answered(u64, Result<Value, GatewayError>),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Failed { id: Option<u64>, error: Refusal },
    Done { id: u64, result: Value },
    Told(Notification),
}

impl Client {
    /// Connects, see [`open`].
    pub(crate) fn connect(path: &Path) -> Result<Self, GatewayError> {
        let stream = open(path)?;
        stream.set_nonblocking(false).map_err(|source| GatewayError::Unreachable { path: path.to_owned(), source })?;
        Ok(Self { stream, received: Vec::new(), searched: 0, told: VecDeque::new(), last_id: 0 })
    }

    /// Asks for something and waits for the answer, at most until `until`.
    pub(crate) fn call<T: DeserializeOwned>(
        &mut self,
        method: &str,
        params: &impl Serialize,
        until: Option<Instant>,
    ) -> Result<T, GatewayError> {
        let sent = self.send(method, params, until)?;
        loop {
            match self.read(until)? {
                Incoming::Answered(id, answer) if id == sent => {
                    let answer = answer.map_err(|error| error.about(method))?;
                    return serde_json::from_value(answer).map_err(GatewayError::Garbled);
                }
                // The answer to a call that somebody gave up.
                Incoming::Answered(..) => {}
                Incoming::Told(notification) => self.told.push_back(notification),
            }
        }
    }

    /// Sends a call whose answer [`Client::next`] gives under this id.
    pub(crate) fn send(
        &mut self,
        method: &str,
        params: &impl Serialize,
        until: Option<Instant>,
    ) -> Result<u64, GatewayError> {
        self.last_id += 1;
        let call = json!({ "jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params });
        let mut line = call.to_string();
        line.push('\n');
        self.stream.set_write_timeout(left(until)?).map_err(GatewayError::Io)?;
        self.stream.write_all(line.as_bytes()).map_err(failed)?;
        Ok(self.last_id)
    }

    /// The next thing it says, waiting at most until `until`.
    pub(crate) fn next(&mut self, until: Option<Instant>) -> Result<Incoming, GatewayError> {
        match self.told.pop_front() {
            Some(notification) => Ok(Incoming::Told(notification)),
            None => self.read(until),
        }
    }

    /// What it says if it has said something already. To wait for it beside other things, poll the descriptor.
    pub(crate) fn ready(&mut self) -> Result<Option<Incoming>, GatewayError> {
        match self.next(Some(Instant::now())) {
            Err(GatewayError::TimedOut) => Ok(None),
            incoming => incoming.map(Some),
        }
    }

    fn read(&mut self, until: Option<Instant>) -> Result<Incoming, GatewayError> {
        loop {
            if let Some(line) = self.line() {
                if let Some(incoming) = understood(&line)? {
                    return Ok(incoming);
                }
                continue;
            }
            if self.received.len() > MAX_LINE {
                return Err(GatewayError::TooLong(MAX_LINE));
            }
            // What is there already is taken even when the time is up.
            let wait = match left(until) {
                Err(GatewayError::TimedOut) => Some(LEAST),
                wait => wait?,
            };
            self.stream.set_read_timeout(wait).map_err(GatewayError::Io)?;
            let mut chunk = [0; CHUNK];
            match self.stream.read(&mut chunk) {
                Ok(0) => return Err(GatewayError::Lost),
                Ok(count) => self.received.extend_from_slice(chunk.get(..count).unwrap_or_default()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(failed(error)),
            }
        }
    }

    /// The first whole line that was received, without its end.
    fn line(&mut self) -> Option<Vec<u8>> {
        let new = self.received.get(self.searched..)?;
        let Some(at) = new.iter().position(|byte| *byte == b'\n') else {
            self.searched = self.received.len();
            return None;
        };
        let rest = self.received.split_off(self.searched + at + 1);
        self.searched = 0;
        Some(std::mem::replace(&mut self.received, rest))
    }
}

impl AsFd for Client {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.stream.as_fd()
    }
}

impl GatewayError {
    /// Says of a method that it does not know which one it is.
    fn about(self, method: &str) -> Self {
        match self {
            Self::Refused(refusal) if refusal.code == code::NO_METHOD => Self::TooOld(method.to_owned()),
            other => other,
        }
    }
}

/// Connects, without blocking, to a socket that must belong to this user. It never waits: a gateway that does not even
/// accept is none.
pub(crate) fn open(path: &Path) -> Result<UnixStream, GatewayError> {
    let unreachable = |source| GatewayError::Unreachable { path: path.to_owned(), source };
    let owner = match path.symlink_metadata() {
        Ok(found) => found.uid(),
        Err(error) if error.kind() == ErrorKind::NotFound => return Err(GatewayError::NotRunning(path.to_owned())),
        Err(error) => return Err(unreachable(error)),
    };
    if owner != rustix::process::geteuid().as_raw() {
        return Err(GatewayError::NotOurs { path: path.to_owned(), owner });
    }
    connect(path).map_err(|error| match error {
        Errno::CONNREFUSED | Errno::NOENT => GatewayError::NotRunning(path.to_owned()),
        error => unreachable(error.into()),
    })
}

/// A full backlog is an error at once: the standard library would wait without an end.
fn connect(path: &Path) -> Result<UnixStream, Errno> {
    let address = SocketAddrUnix::new(path)?;
    let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
    let socket = rustix::net::socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None)?;
    rustix::net::connect(&socket, &address)?;
    Ok(UnixStream::from(socket))
}

fn understood(line: &[u8]) -> Result<Option<Incoming>, GatewayError> {
    Ok(match serde_json::from_slice(line).map_err(GatewayError::Garbled)? {
        Line::Told(notification) => Some(Incoming::Told(notification)),
        Line::Done { id, result } => Some(Incoming::Answered(id, Ok(result))),
        Line::Failed { id: Some(id), error } => Some(Incoming::Answered(id, Err(GatewayError::Refused(error)))),
        // It could not even read what was sent.
        Line::Failed { id: None, error } => return Err(GatewayError::Refused(error)),
    })
}

/// The time until then; none means for ever.
fn left(until: Option<Instant>) -> Result<Option<Duration>, GatewayError> {
    match until.map(|until| until.saturating_duration_since(Instant::now())) {
        Some(left) if left.is_zero() => Err(GatewayError::TimedOut),
        left => Ok(left.map(|left| left.max(LEAST))),
    }
}

fn failed(error: std::io::Error) -> GatewayError {
    match error.kind() {
        ErrorKind::WouldBlock | ErrorKind::TimedOut => GatewayError::TimedOut,
        ErrorKind::BrokenPipe | ErrorKind::ConnectionReset | ErrorKind::UnexpectedEof => GatewayError::Lost,
        _ => GatewayError::Io(error),
    }
}

#[cfg(test)]
mod tests;
