//! The signals that nobody waits for an answer any more.
//!
//! | signal | meaning |
//! |---|---|
//! | SIGTERM, SIGINT, SIGHUP | the client stops the hook: No or Esc in the terminal, its own time-out, its exit |
//! | stdout or stderr hung up | the client was killed |
//! | the card's record is marked | another event of the session showed that the call continued |
//!
//! Source: Claude Code 2.1.330 as observed. A Yes in the terminal sends no signal.

use std::path::PathBuf;
use std::time::Duration;

use dmplz_core::request::Resolver;
use rustix::event::{PollFd, PollFlags, poll};
use tokio::signal::unix::{Signal, SignalKind, signal};

/// The interval at which the silent signals are checked. A card must be retired within a second.
const LOOK: Duration = Duration::from_millis(200);

/// Handlers of the Unix signals that end a request. While they are installed, these signals do not end the process.
pub(crate) struct Signals([std::io::Result<Signal>; 3]);

impl Signals {
    /// Installs the handlers, before anything is written or posted that a stopped process would have to undo.
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

/// Waits for the first signal. `marker` is the file that marks the card's record.
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

/// Returns whether the reader of stdout is gone.
fn client_is_gone() -> bool {
    let stdout = std::io::stdout();
    let mut descriptors = [PollFd::new(&stdout, PollFlags::empty())];
    let now = rustix::time::Timespec { tv_sec: 0, tv_nsec: 0 };
    let polled = poll(&mut descriptors, Some(&now));
    let gone = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
    polled.is_ok() && descriptors.iter().any(|descriptor| descriptor.revents().intersects(gone))
}
