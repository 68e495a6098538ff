//! Whether the store can be written to. A probe really writes, so that a full disk is noticed before a request fails.
//! It writes at most once in [`FRESH`], however often it is called.

use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

use crate::disk::Disk;

/// How long a result is reused.
const FRESH: Duration = Duration::from_secs(5);
/// A store that takes longer than this to write a line does not take requests.
const SLOW: Duration = Duration::from_secs(2);

/// The last result. A call during a probe waits for its result.
#[derive(Debug, Default)]
pub(super) struct Probe(Mutex<Option<(Instant, Found)>>);

/// The state of the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    Writable,
    /// The store returns an error.
    Failing,
    /// The store does not answer within [`SLOW`].
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
