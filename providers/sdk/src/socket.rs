//! WebSockets, for a provider exported with `export_provider!(Discord with sockets)`. `wit/socket.wit` is the
//! contract.

use serde_json::{Value, from_str};

use crate::Error;
use crate::bindings::dmplz::messenger::socket;

pub use socket::{Closure, Error as SocketError};

/// An open WebSocket: the host's in a component, a [`crate::testing::FakeSocket`] in a test. Dropping it closes it
/// with code 4000, so that the messenger's session can still be resumed.
pub trait Socket {
    /// Sends one text frame. The host fills in `"{secret:NAME}"` if the manifest declares that place.
    ///
    /// # Errors
    /// Returns [`SocketError::Overflow`] beyond 120 frames a minute and [`SocketError::TooLarge`] beyond 64 KiB;
    /// neither closes the connection.
    fn send(&self, frame: &str) -> Result<(), SocketError>;

    /// Returns the next text frame, waiting up to `wait` milliseconds for it.
    ///
    /// # Errors
    /// Returns [`SocketError::Deadline`] when the export's time is over. After any other error the connection is
    /// closed.
    fn receive(&self, wait: u32) -> Result<Option<String>, SocketError>;

    /// Sends one frame of JSON.
    ///
    /// # Errors
    /// As [`Socket::send`].
    fn send_json(&self, frame: &Value) -> Result<(), SocketError> {
        self.send(&frame.to_string())
    }

    /// Returns the next frame as JSON, waiting up to `wait` milliseconds for it; null for a frame that is no JSON.
    ///
    /// # Errors
    /// As [`Socket::receive`].
    fn receive_json(&self, wait: u32) -> Result<Option<Value>, SocketError> {
        Ok(self.receive(wait)?.map(|frame| from_str(&frame).unwrap_or_default()))
    }

    /// Closes the connection with code 1000, 1001 or one from 3000 to 4999.
    fn close(&self, code: u16);
}

impl std::fmt::Debug for dyn Socket {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Socket")
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
    /// Returns the error of the contract for a connection that failed or closed, so that the host reacts correctly. A
    /// provider that knows the meaning of a code (Discord's 4004: the token is wrong) checks [`SocketError::Closed`]
    /// first.
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
