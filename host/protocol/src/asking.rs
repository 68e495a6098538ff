//! A hook's side of `hook.ask`: one request, over one connection after the other, until it has ended.
//!
//! It knows neither sockets nor signals: whoever asks brings a [`Dial`] and a sign that nobody waits any more.

mod connection;

use std::io;
use std::pin::Pin;
use std::time::Duration;

use dmplz_core::request::{Resolution, Resolver};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::{Instant, sleep, sleep_until, timeout, timeout_at};

use connection::Failure;
pub use connection::{Asking, Connection, Denied, Heard, Question};

/// How long a gateway may take to accept a request: to have it on disk.
const ACCEPT: Duration = Duration::from_secs(3);
/// How much longer for each byte of the request, which is masked and written first: a megabyte takes a gateway on a busy
/// machine seconds. With it, the longest request (2 MiB) is waited for 24 s.
const ACCEPT_A_BYTE: Duration = Duration::from_micros(10);
/// How long after the end what the gateway has said already is still read.
const LAST_LOOK: Duration = Duration::from_millis(100);
/// How long a gateway that went away before it accepted the request may take to come back.
const GRACE: Duration = Duration::from_secs(3);
/// Pauses between attempts to come back: the first, and the longest.
const PAUSES: [Duration; 2] = [Duration::from_millis(20), Duration::from_millis(400)];
/// How much longer than a reason may take to come the gateway may take to say what came of it.
const LATER: Duration = Duration::from_secs(1);
/// How long the gateway's last word to a stopped hook may take. The client gives 1.5 s.
const LAST_WORD: Duration = Duration::from_millis(900);

/// The way to the gateway.
pub trait Dial {
    /// A connection to it.
    type Stream: AsyncRead + AsyncWrite + Unpin;

    /// Connects; an error where nobody listens.
    fn dial(&self) -> io::Result<Self::Stream>;
}

/// How a request ended that the gateway was asked.
#[derive(Debug)]
pub enum End {
    /// As the gateway says. A denial that the hook has heard of is one, whatever became of the gateway.
    Resolved(Resolution),
    /// Nobody waits any more.
    Stopped(Resolver),
    /// The time is over, and the gateway has not said how it ended: it is away, or in trouble.
    Late,
    /// The gateway says what cannot be read.
    Failed(String),
    /// The gateway did not accept the request: why.
    NotTaken(String),
}

/// A talk with the gateway, over one connection after the other.
#[derive(Debug)]
pub struct Talk<'a, D: Dial> {
    asking: &'a Asking<'a>,
    dial: &'a D,
    /// The present connection; none while there is none.
    pub connection: Option<Connection<D::Stream>>,
    /// What was heard over all of them.
    pub heard: Heard,
}

impl<'a, D: Dial> Talk<'a, D> {
    /// A talk that begins with a connection over which the question is on its way.
    pub fn over(asking: &'a Asking<'a>, dial: &'a D, connection: Option<Connection<D::Stream>>) -> Self {
        Self { asking, dial, connection, heard: Heard::default() }
    }

    /// Asks and waits for the end of the request, for `sign`, or until `end`.
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
            // Nothing that is said after a denial takes it back.
            (_, Some(denied)) => End::Resolved(denied.resolution.clone()),
        };
        (self, ended)
    }

    /// Asks and waits for the end, through as many connections as it takes.
    async fn resolved(&mut self, end: Instant) -> End {
        let [shortest, longest] = PAUSES;
        let (mut pause, mut lost) = (shortest, None);
        let began = Instant::now();
        loop {
            if let Some(connection) = &mut self.connection {
                let patience = self.heard.patience(began, end, connection.question.len());
                let next = match timeout_at(patience, connection.next(self.asking, &mut self.heard)).await {
                    // A process that was suspended sees the time before what has come meanwhile.
                    Err(_) => timeout(LAST_LOOK, connection.next(self.asking, &mut self.heard)).await,
                    next => next,
                };
                match next {
                    Ok(Ok(Some(resolution))) => return End::Resolved(resolution),
                    Ok(Ok(None)) => continue,
                    Ok(Err(Failure::Garbled(why))) if self.heard.accepted.is_some() => return End::Failed(why),
                    Ok(Err(Failure::Garbled(why) | Failure::Refused(why))) if self.heard.accepted.is_none() => {
                        return End::NotTaken(why);
                    }
                    // It knows the request, and cannot take it just now.
                    Ok(Err(Failure::Refused(_) | Failure::Garbled(_))) => pause = longest,
                    Ok(Err(Failure::Lost)) => pause = shortest,
                    Err(_) if self.heard.accepted.is_none() && lost.is_none() => {
                        return End::NotTaken("the gateway runs and does not answer".to_owned());
                    }
                    Err(_) => {}
                }
                self.connection = None;
            }
            if let Some(denied) = self.heard.denied.as_ref().filter(|denied| denied.until <= Instant::now()) {
                return End::Resolved(denied.resolution.clone());
            }
            if self.heard.accepted.is_none() && lost.get_or_insert_with(Instant::now).elapsed() > GRACE {
                return End::NotTaken("the gateway went away".to_owned());
            }
            sleep(pause).await;
            pause = (pause * 2).min(longest);
            let connection = self.dial.dial().and_then(|stream| Ok(Connection::over(stream, self.asking.question()?)));
            self.connection = connection.ok();
        }
    }

    /// Withdraws. What had been answered by then counts.
    async fn stop(&mut self, resolver: Resolver, end: Instant) -> End {
        let Some(connection) = &mut self.connection else { return End::Stopped(resolver) };
        let within = end.saturating_duration_since(Instant::now()).clamp(LAST_LOOK, LAST_WORD);
        match timeout(within, connection.withdraw(self.asking, resolver, &mut self.heard)).await {
            Ok(Ok(resolution)) => End::Resolved(resolution),
            _ => End::Stopped(resolver),
        }
    }

    /// The time is over. A denial that has come already counts, also where this process was suspended meanwhile.
    async fn late(&mut self, end: Instant) -> End {
        match timeout(LAST_LOOK, self.resolved(end)).await {
            Ok(End::Resolved(resolution)) if resolution.rejects() => End::Resolved(resolution),
            _ => End::Late,
        }
    }
}

impl Heard {
    /// Until when the gateway's next word is waited for, about a request of so many bytes.
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
