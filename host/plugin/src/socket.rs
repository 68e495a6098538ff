//! The capability `socket`: judges the opening of a WebSocket (`egress`), opens it (`network`), and lends it to the
//! instance that asked.
//!
//! | what | at most | breach |
//! |---|---|---|
//! | connections of one instance | 2 at a time | `refused` |
//! | connections of all instances of a provider | 120 opened within 60 s | `overflow` |
//! | handshake, names and TLS included | 10 s, and the running export | `unreachable`, `deadline` |
//! | a frame that leaves | 64 KiB, 120 within 60 s on one connection | `too-large`, `overflow`; the connection stays |
//! | a frame that arrives | 4 MiB of text without a secret | `too-large`, `refused`; closed |
//! | frames that are not fetched | 1,000, 8 MiB together | `overflow`; closed |
//! | closing handshake | 1 s | the connection is cut |
//!
//! A separate task reads and writes, so that pings are answered while no export runs. It ends with the [`Connection`],
//! which ends with the store.

mod backlog;
mod carrier;
mod connection;

use std::sync::PoisonError;
use std::time::Duration;

use dmplz_core::messenger::NoConnection;
use tokio::time::{Instant, timeout_at};
use wasmtime::component::Resource;

use crate::LogLevel;
use crate::bindings::socket::{Closure, Connection as Handle, Error, Host, HostConnection};
use crate::egress::Refusal;
use crate::exchange::{NoReply, hide};
use crate::renewal;
use crate::state::State;

use connection::Connection;

/// Connections of one instance.
pub(crate) const CONNECTIONS: usize = 2;

const HANDSHAKE: Duration = Duration::from_secs(10);

impl Host for State {
    async fn connect(&mut self, url: String) -> wasmtime::Result<Result<Resource<Handle>, Error>> {
        self.turn(url.len()).await?;
        let opened = self.open(&url).await;
        match self.told_of("a socket", opened) {
            Ok(connection) => Ok(Ok(Resource::new_own(self.sockets.push(connection)?.rep()))),
            Err(error) => Ok(Err(error)),
        }
    }
}

impl HostConnection for State {
    async fn send(&mut self, it: Resource<Handle>, frame: String) -> wasmtime::Result<Result<(), Error>> {
        self.turn(frame.len()).await?;
        let told = self.call.told;
        self.call.contact.attempt();
        let sent = self.sockets.get_mut(&key(&it))?.send(frame, told).await;
        Ok(self.told_of("a frame", sent))
    }

    async fn receive(&mut self, it: Resource<Handle>, wait: u32) -> wasmtime::Result<Result<Option<String>, Error>> {
        self.turn(0).await?;
        let told = self.call.told;
        let wait = Duration::from_millis(wait.into());
        let came = self.sockets.get(&key(&it))?.receive(wait, told).await;
        if let Ok(Some(frame)) = &came {
            self.turn(frame.len()).await?;
        }
        Ok(self.told_of("a frame", came))
    }

    async fn close(&mut self, it: Resource<Handle>, code: u16) -> wasmtime::Result<()> {
        self.turn(0).await?;
        self.sockets.get_mut(&key(&it))?.close(code);
        Ok(())
    }

    async fn drop(&mut self, it: Resource<Handle>) -> wasmtime::Result<()> {
        self.sockets.delete(key(&it))?;
        Ok(())
    }
}

/// Returns the key of a connection in the table of its instance.
fn key(handle: &Resource<Handle>) -> Resource<Connection> {
    Resource::new_own(handle.rep())
}

impl State {
    async fn open(&mut self, url: &str) -> Result<Connection, Error> {
        let access = self.access.clone().filter(|_| self.call.online);
        let Some(access) = access else { return Err(Error::Refused("there is no network here".to_owned())) };
        let now = Instant::now();
        if now >= self.call.told {
            return Err(Error::Deadline);
        }
        if self.sockets.iter_mut().count() >= CONNECTIONS {
            return Err(Error::Refused(format!("there are {CONNECTIONS} connections already")));
        }
        // A frame may carry any of them.
        for name in access.renewals.names() {
            match timeout_at(self.call.told, renewal::ready(&access.renewals, name, None)).await {
                Ok(Ok(())) => {}
                Ok(Err(NoReply::NoToken(why))) => return Err(Error::Refused(why)),
                Ok(Err(NoReply::Failed(error, _))) => return Err(Error::Unreachable(format!("{error:?}"))),
                Err(_) => return Err(Error::Deadline),
            }
        }
        let handshake = access.egress.judge_socket(url)?;
        if !access.opened.lock().unwrap_or_else(PoisonError::into_inner).admits(now) {
            return Err(Error::Overflow);
        }
        let own = now + HANDSHAKE;
        let before = self.call.contact.attempt();
        match timeout_at(own.min(self.call.told), access.client.open(&handshake)).await {
            Ok(Ok(socket)) => Ok(Connection::new(socket, handshake.origin, access)),
            Ok(Err(error)) => {
                let (error, unsent) = hide(&access.egress, error, Error::TooLarge, Error::Unreachable);
                if let Some(unsent) = unsent {
                    self.call.contact.failed(before, unsent);
                }
                Err(error)
            }
            Err(_) => {
                let late = format!("{}: no handshake in time", handshake.origin);
                if !access.client.has_connected() {
                    self.call.contact.failed(before, NoConnection::other(late.as_str()));
                }
                Err(if own < self.call.told { Error::Unreachable(late) } else { Error::Deadline })
            }
        }
    }

    /// Logs a refusal for the operator.
    fn told_of<T>(&mut self, what: &str, answer: Result<T, Error>) -> Result<T, Error> {
        if let Err(Error::Refused(why)) = &answer {
            self.note(LogLevel::Warn, &format!("{what} was refused: {why}"));
        }
        answer
    }
}

impl Error {
    /// Returns the error of a connection that ended, with the server's code and reason.
    fn closed(code: Option<u16>, reason: String) -> Self {
        Self::Closed(Closure { code, reason })
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal.to_string())
    }
}
