//! One open WebSocket, as the component holds it.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, timeout_at};

use super::backlog::Backlog;
use super::carrier::{Frame, UNSAID, carry};
use crate::bindings::socket::Error;
use crate::egress::Origin;
use crate::network::Socket;
use crate::pace::Pace;
use crate::state::Access;

/// Its end of the carrier. Dropping it has the carrier say goodbye and end.
pub(super) struct Connection {
    origin: Origin,
    access: Arc<Access>,
    backlog: Arc<Backlog>,
    frames: mpsc::Sender<Frame>,
    farewell: Option<oneshot::Sender<u16>>,
    sent: Pace,
}

impl Connection {
    /// Takes over a socket on which hands were shaken.
    pub(super) fn new(socket: Socket, origin: Origin, access: Arc<Access>) -> Self {
        let backlog = Arc::new(Backlog::default());
        let (frames, written) = mpsc::channel(1);
        let (farewell, said) = oneshot::channel();
        tokio::spawn(carry(socket, written, said, Arc::clone(&backlog), Arc::clone(&access)));
        Self { origin, access, backlog, frames, farewell: Some(farewell), sent: Pace::default() }
    }

    /// Sends a frame and waits until it is on its way.
    pub(super) async fn send(&mut self, frame: String, told: Instant) -> Result<(), Error> {
        let now = Instant::now();
        if now >= told {
            return Err(Error::Deadline);
        }
        if let Some(ended) = self.backlog.ended() {
            return Err(ended);
        }
        let frame = self.access.egress.frame(frame, &self.origin)?.ok_or(Error::TooLarge)?;
        if !self.sent.admits(now) {
            return Err(Error::Overflow);
        }
        let (done, went) = oneshot::channel();
        let sending = async {
            self.frames.send(Frame { text: frame, done }).await.ok()?;
            went.await.ok()
        };
        match timeout_at(told, sending).await {
            Ok(Some(())) => Ok(()),
            Ok(None) => Err(self.backlog.ended().unwrap_or_else(|| Error::closed(None, String::new()))),
            Err(_) => Err(Error::Deadline),
        }
    }

    /// Returns the next frame; `None` if it did not arrive in time.
    pub(super) async fn receive(&self, wait: Duration, told: Instant) -> Result<Option<String>, Error> {
        let own = Instant::now() + wait;
        // What is in the system's hands already must not be missed by who does not want to wait.
        tokio::task::yield_now().await;
        loop {
            if Instant::now() >= told {
                return Err(Error::Deadline);
            }
            if let Some(next) = self.backlog.next() {
                return next.map(Some);
            }
            if timeout_at(own.min(told), self.backlog.changed()).await.is_err() {
                return if own < told { Ok(None) } else { Err(Error::Deadline) };
            }
        }
    }

    /// Says goodbye; only the first time.
    pub(super) fn close(&mut self, code: u16) {
        let code = if matches!(code, 1000 | 1001 | 3000..=4999) { code } else { UNSAID };
        self.backlog.end(Error::closed(Some(code), String::new()));
        self.backlog.clear();
        if let Some(farewell) = self.farewell.take() {
            // A carrier that ended has said goodbye.
            let _ = farewell.send(code);
        }
    }
}
