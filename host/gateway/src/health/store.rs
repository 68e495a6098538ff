//! Whether the store takes what is written. A probe really writes, so that a full disk shows before a request fails on it;
//! however often it is asked for, it writes no more than once in [`FRESH`].

use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

use crate::disk::Disk;

/// How long what was found out counts.
const FRESH: Duration = Duration::from_secs(5);
/// A store that takes longer than this to write a line does not take requests.
const SLOW: Duration = Duration::from_secs(2);

/// What was found out last. Asking while somebody finds out waits for that.
#[derive(Debug, Default)]
pub(super) struct Probe(Mutex<Option<(Instant, Found)>>);

/// How the store does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    Writable,
    /// It answers with an error.
    Failing,
    /// It does not answer in time.
    Silent,
}

impl Probe {
    pub(super) async fn of(&self, disk: &Disk) -> Found {
        let mut last = self.0.lock().await;
        match *last {
            Some((at, found)) if at.elapsed() < FRESH => found,
            _ => {
                let found = match timeout(SLOW, disk.probe()).await {
                    Ok(Ok(())) => Found::Writable,
                    Ok(Err(_)) => Found::Failing,
                    Err(_) => Found::Silent,
                };
                *last = Some((Instant::now(), found));
                found
            }
        }
    }
}
