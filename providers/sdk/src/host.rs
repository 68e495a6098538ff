//! The host as a provider sees it.

use crate::bindings::dmplz::messenger::{clock, http as imported, log};
use crate::http::{HttpError, Request, Response};
use crate::socket::{Socket, SocketError};
use crate::{Error, Level};

/// Everything that a provider can reach. In a component it is [`Imports`], in a test [`crate::testing::FakeHost`].
pub trait Host {
    /// Sends one request, with placeholders such as `{secret:bot-token}` still in it, and waits for the reply.
    ///
    /// # Errors
    /// Why there is no reply. A reply with a status of 400 or more is a reply.
    fn send(&self, request: Request) -> Result<Response, HttpError>;

    /// Milliseconds since 1970-01-01T00:00:00Z.
    fn now(&self) -> u64;

    /// Milliseconds left for the export that is running.
    fn remaining(&self) -> u32;

    /// Waits, but never past the end of the running export.
    fn sleep(&self, milliseconds: u32);

    /// Writes one line for the operator.
    fn log(&self, level: Level, message: &str);

    /// Opens a WebSocket to an absolute `wss` URL, with a placeholder in its path perhaps. For providers that are exported
    /// `with sockets`; for others it is refused.
    ///
    /// # Errors
    /// Why there is no connection.
    fn connect_socket(&self, url: &str) -> Result<Box<dyn Socket>, SocketError> {
        let _ = url;
        Err(SocketError::Refused("the provider was exported without sockets".to_owned()))
    }
}

/// The host's imports, inside a component that has no sockets. Outside of a component every call panics.
#[derive(Debug, Clone, Copy, Default)]
pub struct Imports;

impl Host for Imports {
    fn send(&self, request: Request) -> Result<Response, HttpError> {
        imported::send(&request)
    }

    fn now(&self) -> u64 {
        clock::now()
    }

    fn remaining(&self) -> u32 {
        clock::remaining()
    }

    fn sleep(&self, milliseconds: u32) {
        clock::sleep(milliseconds);
    }

    fn log(&self, level: Level, message: &str) {
        log::write(level, message);
    }
}

impl From<HttpError> for Error {
    /// The case of the contract that makes the host do the right thing about a request without a reply.
    fn from(error: HttpError) -> Self {
        match error {
            HttpError::Refused(what) => Error::Refused(what),
            HttpError::Timeout => Error::Unavailable(Some("no reply in time".to_owned())),
            HttpError::Deadline => Error::Deadline,
            HttpError::TooLarge => Error::Unavailable(Some("the reply is larger than the host takes".to_owned())),
            HttpError::Unreachable(what) => Error::Unavailable(Some(what)),
            HttpError::Other(what) => Error::Other(what),
        }
    }
}
