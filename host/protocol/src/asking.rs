//! A hook's side of `hook.ask`: one request, over a sequence of connections, until it has ended.
//!
//! It knows neither sockets nor signals. Its caller supplies a [`Dial`], and a future that completes when nobody waits
//! any more.

mod connection;

use std::io;
use std::pin::Pin;
use std::time::Duration;

use dmplz_core::request::{Resolution, Resolver};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::{Instant, sleep, sleep_until, timeout, timeout_at};

use crate::error::RpcError;
use connection::Failure;
pub use connection::{Asking, Connection, Denied, Heard, Question};

/// How long a gateway may take to accept a request, which includes writing it to disk.
const ACCEPT: Duration = Duration::from_secs(3);
/// The additional time for each byte of the request, which is masked and written first: a megabyte takes a gateway on a
/// busy machine seconds. The longest request (2 MiB) thus gets 24 s.
const ACCEPT_A_BYTE: Duration = Duration::from_micros(10);
/// How long messages that the gateway has already sent are still read after the end.
const LAST_LOOK: Duration = Duration::from_millis(100);
/// How long a gateway may take to come back after it went away before accepting the request.
const GRACE: Duration = Duration::from_secs(3);
/// The first and the longest pause between attempts to reconnect.
const PAUSES: [Duration; 2] = [Duration::from_millis(20), Duration::from_millis(400)];
/// How long the gateway may take to report the outcome after the time for a reason is over.
const LATER: Duration = Duration::from_secs(1);
/// How long the gateway's reply to a stopped hook may take. The client gives the hook 1.5 s.
const LAST_WORD: Duration = Duration::from_millis(900);

/// Opens connections to the gateway.
pub trait Dial {
    /// A connection to the gateway.
    type Stream: AsyncRead + AsyncWrite + Unpin;

    /// Connects. An error if nobody listens.
    fn dial(&self) -> io::Result<Self::Stream>;
}

/// How a request ended for the hook.
#[derive(Debug)]
pub enum End {
    /// The gateway reported this. A denial that the hook has received counts even if the gateway is lost afterwards.
    Resolved(Resolution),
    /// Nobody waits for the answer any more.
    Stopped(Resolver),
    /// The time is over, and the gateway has not reported an outcome: it is away, or in trouble.
    Late,
    /// The gateway's message cannot be parsed.
    Failed(String),
    /// The gateway did not accept the request, for this reason.
    NotTaken(NotTaken),
}

/// Why the gateway did not accept a request.
#[derive(Debug, thiserror::Error)]
pub enum NotTaken {
    /// It returned an error.
    #[error("the gateway refused: {0}")]
    Refused(RpcError),
    /// Its message cannot be parsed.
    #[error("{0}")]
    Garbled(String),
    /// It did not answer in time.
    #[error("the gateway runs and does not answer")]
    Silent,
    /// The connection was lost, and nobody listens any more.
    #[error("the gateway went away")]
    Gone,
}

/// A conversation with the gateway about one request, over a sequence of connections.
#[derive(Debug)]
pub struct Talk<'a, D: Dial> {
    asking: &'a Asking<'a>,
    dial: &'a D,
    /// The present connection, if there is one.
    pub connection: Option<Connection<D::Stream>>,
    /// What the gateway has reported so far.
    pub heard: Heard,
}

impl<'a, D: Dial> Talk<'a, D> {
    /// Starts over `connection`, on which the question may be sent in part.
    pub fn over(asking: &'a Asking<'a>, dial: &'a D, connection: Option<Connection<D::Stream>>) -> Self {
        Self { asking, dial, connection, heard: Heard::default() }
    }

    /// Asks, and waits for the end of the request, for `sign`, or until `end`.
    pub async fn until(mut self, end: Instant, mut sign: Pin<&mut impl Future<Output = Resolver>>) -> (Self, End) {
        let ended = tokio::select! {
            biased;
            ended = self.resolved(end) => ended,
            resolver = sign.as_mut() => self.stop(resolver, end).await,
            () = sleep_until(end) => self.late(end).await,
        };
        let ended = match (ended, &self.heard.denied) {
            (ended, None) => ended,
            (End::Resolved(end), Some(_)) if end.rejects() && end.outcome().is_ok() => End::Resolved(end),
            // No message after a denial revokes it.
            (_, Some(denied)) => End::Resolved(denied.resolution.clone()),
        };
        (self, ended)
    }

    /// Asks, and waits for the end, reconnecting as often as needed.
    async fn resolved(&mut self, end: Instant) -> End {
        let [shortest, longest] = PAUSES;
        let (mut pause, mut lost) = (shortest, None);
        let began = Instant::now();
        loop {
            if let Some(connection) = &mut self.connection {
                let patience = self.heard.patience(began, end, connection.question.len());
                let next = match timeout_at(patience, connection.next(self.asking, &mut self.heard)).await {
                    // A process that was suspended sees the time-out before the messages that arrived meanwhile.
                    Err(_) => timeout(LAST_LOOK, connection.next(self.asking, &mut self.heard)).await,
                    next => next,
                };
                match next {
                    Ok(Ok(Some(resolution))) => return End::Resolved(resolution),
                    Ok(Ok(None)) => continue,
                    Ok(Err(Failure::Garbled(why))) if self.heard.accepted.is_some() => return End::Failed(why),
                    Ok(Err(Failure::Garbled(why))) => return End::NotTaken(NotTaken::Garbled(why)),
                    Ok(Err(Failure::Refused(error))) if self.heard.accepted.is_none() => {
                        return End::NotTaken(NotTaken::Refused(error));
                    }
                    // The gateway knows the request, but cannot answer just now.
                    Ok(Err(Failure::Refused(_))) => pause = longest,
                    Ok(Err(Failure::Lost)) => pause = shortest,
                    Err(_) if self.heard.accepted.is_none() && lost.is_none() => {
                        return End::NotTaken(NotTaken::Silent);
                    }
                    Err(_) => {}
                }
                self.connection = None;
            }
            if let Some(denied) = self.heard.denied.as_ref().filter(|denied| denied.until <= Instant::now()) {
                return End::Resolved(denied.resolution.clone());
            }
            if self.heard.accepted.is_none() && lost.get_or_insert_with(Instant::now).elapsed() > GRACE {
                return End::NotTaken(NotTaken::Gone);
            }
            sleep(pause).await;
            pause = (pause * 2).min(longest);
            let connection = self.dial.dial().and_then(|stream| Ok(Connection::over(stream, self.asking.question()?)));
            self.connection = connection.ok();
        }
    }

    /// Withdraws the request. An answer that the gateway has accepted by now counts.
    async fn stop(&mut self, resolver: Resolver, end: Instant) -> End {
        let Some(connection) = &mut self.connection else { return End::Stopped(resolver) };
        let within = end.saturating_duration_since(Instant::now()).clamp(LAST_LOOK, LAST_WORD);
        match timeout(within, connection.withdraw(self.asking, resolver, &mut self.heard)).await {
            Ok(Ok(resolution)) => End::Resolved(resolution),
            _ => End::Stopped(resolver),
        }
    }

    /// Handles the end of the time. A denial that has arrived counts, even if this process was suspended meanwhile.
    async fn late(&mut self, end: Instant) -> End {
        match timeout(LAST_LOOK, self.resolved(end)).await {
            Ok(End::Resolved(resolution)) if resolution.rejects() => End::Resolved(resolution),
            _ => End::Late,
        }
    }
}

impl Heard {
    /// Returns the moment until which the gateway's next message is awaited. `bytes` is the size of the request.
    fn patience(&self, began: Instant, end: Instant, bytes: u32) -> Instant {
        match (&self.denied, self.accepted) {
            (Some(denied), _) => denied.until.max(began) + LATER,
            (None, Some(_)) => end.max(began) + LATER,
            (None, None) => began + ACCEPT + ACCEPT_A_BYTE * bytes,
        }
    }
}

#[cfg(test)]
mod tests;
