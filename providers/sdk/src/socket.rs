//! WebSockets, for a provider that says so: `export_provider!(Discord with sockets)`. `wit/socket.wit` is the contract.

use crate::bindings::dmplz::messenger::socket;
use crate::http::{HttpError, Request, Response};
use crate::{Error, Host, Imports, Level};

pub use socket::{Closure, Error as SocketError};

/// An open WebSocket: in a component the host's, in a test a [`crate::testing::FakeSocket`]. Dropping it closes it with
/// 4000, so that a session which can be resumed still can.
pub trait Socket {
    /// Sends one text frame, in which `"{secret:NAME}"` stands for a secret where the manifest says so.
    ///
    /// # Errors
    /// [`SocketError::Overflow`] beyond 120 frames a minute, [`SocketError::TooLarge`] beyond 64 KiB; neither closes it.
    fn send(&self, frame: &str) -> Result<(), SocketError>;

    /// The next text frame, waiting up to `wait` milliseconds for it.
    ///
    /// # Errors
    /// [`SocketError::Deadline`] when the export's time is over; any other says that the connection is closed.
    fn receive(&self, wait: u32) -> Result<Option<String>, SocketError>;

    /// Says goodbye with 1000, 1001 or a code from 3000 to 4999.
    fn close(&self, code: u16);
}

/// The host's imports, sockets among them. They are a type of their own so that a component without sockets does not
/// import them.
#[derive(Debug, Clone, Copy, Default)]
pub struct SocketImports;

impl Host for SocketImports {
    fn send(&self, request: Request) -> Result<Response, HttpError> {
        Imports.send(request)
    }

    fn now(&self) -> u64 {
        Imports.now()
    }

    fn remaining(&self) -> u32 {
        Imports.remaining()
    }

    fn sleep(&self, milliseconds: u32) {
        Imports.sleep(milliseconds);
    }

    fn log(&self, level: Level, message: &str) {
        Imports.log(level, message);
    }

    fn connect_socket(&self, url: &str) -> Result<Box<dyn Socket>, SocketError> {
        Ok(Box::new(socket::connect(url)?))
    }
}

impl Socket for socket::Connection {
    fn send(&self, frame: &str) -> Result<(), SocketError> {
        self.send(frame)
    }

    fn receive(&self, wait: u32) -> Result<Option<String>, SocketError> {
        self.receive(wait)
    }

    fn close(&self, code: u16) {
        self.close(code);
    }
}

impl From<SocketError> for Error {
    /// The case of the contract that makes the host do the right thing about a connection that is none. A provider that
    /// knows what a code means (Discord's 4004: the token is wrong) looks at [`SocketError::Closed`] first.
    fn from(error: SocketError) -> Self {
        let unavailable = |what: String| Error::Unavailable(Some(what));
        match error {
            SocketError::Refused(what) => Error::Refused(what),
            SocketError::Deadline => Error::Deadline,
            SocketError::Closed(Closure { code: Some(code), reason }) => {
                unavailable(format!("the connection was closed with {code} {reason}").trim_end().to_owned())
            }
            SocketError::Closed(_) => unavailable("the connection was closed".to_owned()),
            SocketError::TooLarge => unavailable("a frame is larger than the host carries".to_owned()),
            SocketError::Overflow => unavailable("more frames than the host carries".to_owned()),
            SocketError::Unreachable(what) => unavailable(what),
            SocketError::Other(what) => Error::Other(what),
        }
    }
}
