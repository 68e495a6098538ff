//! Removes what is old or too much while the gateway runs, a little at a time.
//!
//! Only what was on disk an hour ago, or when the gateway started, is looked at: a wall clock that was put forward cannot
//! take away what somebody is waiting for.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::approvals::Approvals;
use crate::disk::{Disk, DiskError, Kept, Pruned};

/// From the gateway's start until it prunes for the first time: whoever waited for it asks again before that.
const FIRST: Duration = Duration::from_secs(10 * 60);
/// Between two times.
const EVERY: Duration = Duration::from_secs(60 * 60);

/// Prunes what the gateway keeps. Cheap to clone.
#[derive(Clone)]
pub struct Pruner {
    disk: Disk,
    approvals: Approvals,
    kept: Kept,
    /// The last event that may go.
    settled: Arc<AtomicU64>,
}

impl Pruner {
    /// Everything that is there now may go once it is old or too much by `kept`.
    pub fn new(disk: Disk, approvals: Approvals, kept: Kept) -> Self {
        let settled = Arc::new(AtomicU64::new(approvals.last_event_id()));
        Self { disk, approvals, kept, settled }
    }

    /// Prunes from time to time, and tells each time what came of it. Never ends by itself.
    pub async fn run(&self, mut told: impl FnMut(Result<Pruned, DiskError>)) {
        tokio::time::sleep(FIRST).await;
        loop {
            let last = self.approvals.last_event_id();
            told(self.prune(None).await);
            self.settled.store(last, Ordering::Relaxed);
            tokio::time::sleep(EVERY).await;
        }
    }

    /// Prunes now, by other limits where they are given.
    pub async fn prune(&self, kept: Option<Kept>) -> Result<Pruned, DiskError> {
        let through = self.settled.load(Ordering::Relaxed);
        let living = self.approvals.open_where(|_| true).iter().map(ToString::to_string).collect();
        self.disk.prune(kept.unwrap_or(self.kept), through, living, self.approvals.now_ms()).await
    }
}

impl fmt::Debug for Pruner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pruner").field("kept", &self.kept).finish_non_exhaustive()
    }
}
