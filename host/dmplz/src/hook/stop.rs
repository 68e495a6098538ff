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

use dmplz_core::flow::Resolver;
use rustix::event::{PollFd, PollFlags, poll};
use tokio::signal::unix::{SignalKind, signal};

/// How often the silent signs are looked for. A card must be retired within a second.
const LOOK: Duration = Duration::from_millis(200);

/// Waits for the first sign. `marker` is the file that marks the card's record.
pub(crate) async fn sign(marker: Option<PathBuf>) -> Resolver {
    tokio::select! {
        () = any_signal() => Resolver::Stopped,
        resolver = silent_sign(marker) => resolver,
    }
}

async fn any_signal() {
    let listen = |kind| async move {
        match signal(kind) {
            Ok(mut signals) => {
                signals.recv().await;
            }
            Err(_) => std::future::pending().await,
        }
    };
    tokio::select! {
        () = listen(SignalKind::terminate()) => {}
        () = listen(SignalKind::interrupt()) => {}
        () = listen(SignalKind::hangup()) => {}
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
