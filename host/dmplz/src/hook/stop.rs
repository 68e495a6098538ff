//! The signs that nobody waits for an answer any more.
//!
//! | sign | means |
//! |---|---|
//! | SIGTERM, SIGINT, SIGHUP | the client stops the hook: No or Esc in the terminal, its own time-out, its end |
//! | stdout or stderr hung up | the client was killed |
//! | the card's record is marked | another event of the session showed that the call went on |
//!
//! Source: Claude Code 2.1.330 as observed. A Yes in the terminal gives no sign of its own.

use std::path::PathBuf;
use std::time::Duration;

use dmplz_core::request::Resolver;
use rustix::event::{PollFd, PollFlags, poll};
use tokio::signal::unix::{Signal, SignalKind, signal};

/// How often the silent signs are looked for. A card must be retired within a second.
const LOOK: Duration = Duration::from_millis(200);

/// Signals that end a request. From the moment they are listened for they no longer end the process.
pub(crate) struct Signals([std::io::Result<Signal>; 3]);

impl Signals {
    /// Listens; before anything is written down or posted that a stopped process would have to take back.
    pub(crate) fn listen() -> Self {
        Self([SignalKind::terminate(), SignalKind::interrupt(), SignalKind::hangup()].map(signal))
    }

    async fn any(self) {
        let first = |signals: std::io::Result<Signal>| async move {
            match signals {
                Ok(mut signals) => drop(signals.recv().await),
                Err(_) => std::future::pending().await,
            }
        };
        let [terminate, interrupt, hangup] = self.0.map(first);
        tokio::select! {
            () = terminate => {}
            () = interrupt => {}
            () = hangup => {}
        }
    }
}

/// Waits for the first sign. `marker` is the file that marks the card's record.
pub(crate) async fn sign(signals: Signals, marker: Option<PathBuf>) -> Resolver {
    tokio::select! {
        () = signals.any() => Resolver::Stopped,
        resolver = silent_sign(marker) => resolver,
    }
}

async fn silent_sign(marker: Option<PathBuf>) -> Resolver {
    loop {
        tokio::time::sleep(LOOK).await;
        if client_is_gone() {
            return Resolver::ClientGone;
        }
        if marker.as_ref().is_some_and(|marker| marker.exists()) {
            return Resolver::Terminal;
        }
    }
}

/// Whether the reading end of stdout is gone.
fn client_is_gone() -> bool {
    let stdout = std::io::stdout();
    let mut descriptors = [PollFd::new(&stdout, PollFlags::empty())];
    let now = rustix::time::Timespec { tv_sec: 0, tv_nsec: 0 };
    let polled = poll(&mut descriptors, Some(&now));
    let gone = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
    polled.is_ok() && descriptors.iter().any(|descriptor| descriptor.revents().intersects(gone))
}
