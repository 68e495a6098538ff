//! The host as a provider sees it.

use crate::http::{HttpError, Request, Response};
use crate::socket::{Socket, SocketError};
use crate::store::StoreError;
use crate::{Error, Level, words};

/// The milliseconds of an export that waiting must leave, so that it still returns in its time; our choice.
pub const RESERVE: u32 = 500;

/// The most bytes of a cursor (`batch` in `wit/types.wit`).
pub const CURSOR: usize = 1024;

/// Everything that a provider can access. In a component it is [`crate::Imports`], in a test [`crate::testing::FakeHost`].
pub trait Host {
    /// Sends one request, whose placeholders such as `{secret:bot-token}` the host fills in, and waits for the reply.
    ///
    /// # Errors
    /// Returns an error if there is no reply. A reply with a status of 400 or more is not an error.
    fn send(&self, request: Request) -> Result<Response, HttpError>;

    /// Returns the current time in milliseconds since 1970-01-01T00:00:00Z.
    fn now(&self) -> u64;

    /// Returns the milliseconds left for the running export.
    fn remaining(&self) -> u32;

    /// Waits for the given number of milliseconds, but never past the end of the running export.
    fn sleep(&self, milliseconds: u32);

    /// Writes one line to the operator's log.
    fn log(&self, level: Level, message: &str);

    /// Writes one line about an error that does not stop what is being done.
    fn warn(&self, what: &str, error: &Error) {
        self.log(Level::Warn, &format!("{what}: {}", words(error)));
    }

    /// Returns when waiting ends: after `wait` milliseconds, but [`RESERVE`] before the end of the running export.
    fn end(&self, wait: u32) -> u64 {
        self.now().saturating_add(u64::from(wait.min(self.remaining().saturating_sub(RESERVE))))
    }

    /// Returns the milliseconds until a time of [`Host::now`]; 0 if it is over.
    fn until(&self, time: u64) -> u32 {
        u32::try_from(time.saturating_sub(self.now())).unwrap_or(u32::MAX)
    }

    /// Opens a WebSocket to an absolute `wss` URL, whose path may contain a placeholder. It is refused for providers
    /// that are not exported `with sockets`.
    ///
    /// # Errors
    /// Returns an error if the connection cannot be opened.
    fn connect_socket(&self, url: &str) -> Result<Box<dyn Socket>, SocketError> {
        let _ = url;
        Err(SocketError::Refused("the provider was exported without sockets".to_owned()))
    }

    /// Returns what was stored under a key; `None` if nothing was. It fails for providers that are not exported `with
    /// store`.
    ///
    /// # Errors
    /// Returns an error if it cannot be read.
    fn stored(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let _ = key;
        Err(StoreError::Unavailable(Some("the provider was exported without a store".to_owned())))
    }

    /// Stores a value under a key, [a-z0-9-]{1,64}, or removes it. All keys and values together have at most 65,536 bytes.
    ///
    /// # Errors
    /// Returns an error if it is not stored; what was stored before stays.
    fn store(&self, key: &str, value: Option<&[u8]>) -> Result<(), StoreError> {
        let _ = (key, value);
        Err(StoreError::Unavailable(Some("the provider was exported without a store".to_owned())))
    }
}
