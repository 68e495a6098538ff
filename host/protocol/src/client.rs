//! A blocking JSON-RPC 2.0 client for the gateway's socket, one object a line. Commands and hooks without other work
//! need no async runtime.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType};
use serde::de::{DeserializeOwned, Error};
use serde_json::value::RawValue;

use crate::error::{Code, RpcError};
use crate::framing::{Call, Line, MAX_LINE_TO_COMMAND};
use crate::method::{self, Method};
use crate::socket_path::SocketPath;

/// How many bytes are read at once.
const CHUNK: usize = 1 << 16;
/// The shortest read time-out. Zero would mean no time-out.
const LEAST: Duration = Duration::from_millis(1);

/// A connection to the gateway. Notifications that arrive during a call are kept, in order, until they are read.
#[derive(Debug)]
pub struct Client {
    stream: UnixStream,
    received: Vec<u8>,
    /// How many bytes of `received` were searched for the end of a line.
    searched: usize,
    told: VecDeque<Notification>,
    last_id: u64,
}

/// A notification of the gateway.
#[derive(Debug)]
pub struct Notification {
    /// The name of the notification.
    pub method: String,
    params: Option<Box<RawValue>>,
}

/// The next message of the gateway.
#[derive(Debug)]
pub enum Incoming {
    /// A notification.
    Told(Notification),
    /// The reply to the call that [`Client::send`] sent under this number.
    Answered(u64, Result<Box<RawValue>, GatewayError>),
}

/// Why a call to the gateway failed.
#[derive(Debug, thiserror::Error)]
pub enum GatewayError {
    /// No process listens at the socket.
    #[error("no gateway listens at {0}: none is running")]
    NotRunning(PathBuf),
    /// Another user's process could be behind the socket.
    #[error("the gateway's socket {path} is not trusted: it belongs to user {owner}")]
    NotOurs {
        /// The socket.
        path: PathBuf,
        /// Its owner's id.
        owner: u32,
    },
    /// Connecting failed for another reason.
    #[error("the gateway at {path} cannot be reached")]
    Unreachable {
        /// The socket.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// The gateway is older and does not know the method.
    #[error("the gateway is older than this program and does not know {0}")]
    TooOld(String),
    /// The gateway returned an error.
    #[error("{0}")]
    Refused(RpcError),
    /// The gateway did not answer in time.
    #[error("the gateway did not answer in time")]
    TimedOut,
    /// The connection ended.
    #[error("the gateway closed the connection")]
    Lost,
    /// The connection failed.
    #[error("the connection to the gateway failed")]
    Io(#[source] std::io::Error),
    /// The gateway's message cannot be parsed.
    #[error("what the gateway says cannot be read")]
    Garbled(#[source] serde_json::Error),
    /// A line of the gateway is too long.
    #[error("a message of the gateway is longer than {0} bytes")]
    TooLong(usize),
}

impl Client {
    /// Connects to the socket at a path, as [`open`] does.
    pub fn connect(path: &Path) -> Result<Self, GatewayError> {
        let stream = open(path)?;
        stream.set_nonblocking(false).map_err(|source| GatewayError::Unreachable { path: path.to_owned(), source })?;
        Ok(Self { stream, received: Vec::new(), searched: 0, told: VecDeque::new(), last_id: 0 })
    }

    /// Calls a method, and waits for its result at most until `until`.
    pub fn call<M: Method<Answer: DeserializeOwned>>(
        &mut self,
        params: &M,
        until: Option<Instant>,
    ) -> Result<M::Answer, GatewayError> {
        let sent = self.send(params, until)?;
        loop {
            match self.read(until)? {
                Incoming::Answered(id, answer) if id == sent => return read(&answer.map_err(|it| it.about(M::NAME))?),
                // This is the reply to a call that was given up.
                Incoming::Answered(..) => {}
                Incoming::Told(notification) => self.told.push_back(notification),
            }
        }
    }

    /// Sends a call. [`Client::next`] returns its reply under the returned number.
    pub fn send<M: Method>(&mut self, params: &M, until: Option<Instant>) -> Result<u64, GatewayError> {
        self.last_id += 1;
        let line = Call::new(self.last_id, params).line().map_err(GatewayError::Garbled)?;
        self.stream.set_write_timeout(left(until)?).map_err(GatewayError::Io)?;
        self.stream.write_all(&line).map_err(failed)?;
        Ok(self.last_id)
    }

    /// Returns the next message, waiting at most until `until`.
    pub fn next(&mut self, until: Option<Instant>) -> Result<Incoming, GatewayError> {
        match self.told.pop_front() {
            Some(notification) => Ok(Incoming::Told(notification)),
            None => self.read(until),
        }
    }

    /// Returns a message that has arrived already, if any. To wait for it beside other things, poll the descriptor.
    pub fn ready(&mut self) -> Result<Option<Incoming>, GatewayError> {
        match self.next(Some(Instant::now())) {
            Err(GatewayError::TimedOut) => Ok(None),
            incoming => incoming.map(Some),
        }
    }

    fn read(&mut self, until: Option<Instant>) -> Result<Incoming, GatewayError> {
        loop {
            if let Some(line) = self.line() {
                return understood(&line);
            }
            if self.received.len() > MAX_LINE_TO_COMMAND {
                return Err(GatewayError::TooLong(MAX_LINE_TO_COMMAND));
            }
            // Data that has arrived is read even when the time is over.
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

    /// Removes and returns the first complete line that was received.
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

impl Notification {
    /// Reads the parameters of a notification of this kind.
    pub fn params<N: method::Notification>(&self) -> Result<N, GatewayError> {
        read(self.raw())
    }

    /// Returns the params, unparsed.
    pub fn raw(&self) -> &RawValue {
        self.params.as_deref().unwrap_or(RawValue::NULL)
    }
}

impl GatewayError {
    /// Returns whether no gateway is running. A hook then runs alone.
    pub fn is_not_running(&self) -> bool {
        matches!(self, Self::NotRunning(_))
    }

    /// Returns the code of the gateway's refusal.
    pub fn code(&self) -> Option<Code> {
        match self {
            Self::Refused(refusal) => Some(refusal.code),
            _ => None,
        }
    }

    /// Turns an unknown-method error into [`GatewayError::TooOld`] for this method.
    fn about(self, method: &str) -> Self {
        match self {
            Self::Refused(refusal) if refusal.code == Code::NO_METHOD => Self::TooOld(method.to_owned()),
            other => other,
        }
    }
}

/// Parses a result, or the params of a notification.
pub fn read<T: DeserializeOwned>(text: &RawValue) -> Result<T, GatewayError> {
    serde_json::from_str(text.get()).map_err(GatewayError::Garbled)
}

/// Connects to a socket, which must belong to this user. The stream is non-blocking. This never waits: a gateway that
/// does not accept at once counts as absent.
pub fn open(path: &Path) -> Result<UnixStream, GatewayError> {
    let unreachable = |source| GatewayError::Unreachable { path: path.to_owned(), source };
    let owner = match path.symlink_metadata() {
        Ok(found) => found.uid(),
        Err(error) if error.kind() == ErrorKind::NotFound => return Err(GatewayError::NotRunning(path.to_owned())),
        Err(error) => return Err(unreachable(error)),
    };
    if owner != rustix::process::geteuid().as_raw() {
        return Err(GatewayError::NotOurs { path: path.to_owned(), owner });
    }
    connect(path).map_err(|error| match error.kind() {
        ErrorKind::ConnectionRefused | ErrorKind::NotFound => GatewayError::NotRunning(path.to_owned()),
        _ => unreachable(error),
    })
}

/// Connects without blocking, so that a full backlog fails at once. The standard library would wait without limit.
fn connect(path: &Path) -> io::Result<UnixStream> {
    let path = SocketPath::of(path)?;
    let address = SocketAddrUnix::new(path.as_path())?;
    let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
    let socket = rustix::net::socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None)?;
    rustix::net::connect(&socket, &address)?;
    Ok(UnixStream::from(socket))
}

fn understood(line: &[u8]) -> Result<Incoming, GatewayError> {
    let Line { id, method, params, result, error } = serde_json::from_slice(line).map_err(GatewayError::Garbled)?;
    match (error, id, result, method) {
        (Some(error), Some(id), ..) => Ok(Incoming::Answered(id, Err(GatewayError::Refused(error)))),
        // The gateway could not even parse the call.
        (Some(error), None, ..) => Err(GatewayError::Refused(error)),
        (None, Some(id), Some(result), _) => Ok(Incoming::Answered(id, Ok(result))),
        (None, .., Some(method)) => Ok(Incoming::Told(Notification { method, params })),
        (None, .., None) => Err(GatewayError::Garbled(Error::custom("it is neither a reply nor a notification"))),
    }
}

/// Returns the time left until `until`; `None` means no limit.
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
