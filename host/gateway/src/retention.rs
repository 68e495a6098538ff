//! Removes old or excess data while the gateway runs, a little at a time.
//!
//! Only events that were stored an hour ago, or before the gateway started, are considered. A wall clock that was set
//! forward can therefore not remove a request that somebody still waits for.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use dmplz_protocol::store::Pruned;

use crate::approvals::Approvals;
use crate::disk::{Disk, DiskError, Kept};

/// The delay from the gateway's start to the first pruning. Askers of earlier requests come back before that.
const FIRST: Duration = Duration::from_secs(10 * 60);
/// The interval between two prunings.
const EVERY: Duration = Duration::from_secs(60 * 60);

/// Prunes the gateway's store. Cheap to clone.
#[derive(Clone)]
pub struct Pruner {
    disk: Disk,
    approvals: Approvals,
    kept: Kept,
    /// The number of the last event that may be removed.
    settled: Arc<AtomicU64>,
}

impl Pruner {
    /// Creates a pruner. Everything stored now may be removed once it is too old or too much by `kept`.
    pub fn new(disk: Disk, approvals: Approvals, kept: Kept) -> Self {
        let settled = Arc::new(AtomicU64::new(approvals.last_event_id()));
        Self { disk, approvals, kept, settled }
    }

    /// Prunes at intervals, and passes each result to `told`. Never returns.
    pub async fn run(&self, mut told: impl FnMut(Result<Pruned, DiskError>)) {
        tokio::time::sleep(FIRST).await;
        loop {
            let last = self.approvals.last_event_id();
            told(self.prune(None).await);
            self.settled.store(last, Ordering::Relaxed);
            tokio::time::sleep(EVERY).await;
        }
    }

    /// Prunes now, by `kept` if it is given instead of the configured limits.
    pub async fn prune(&self, kept: Option<Kept>) -> Result<Pruned, DiskError> {
        let through = self.settled.load(Ordering::Relaxed);
        let living = self.approvals.open_where(|_| true).iter().map(ToString::to_string).collect();
        self.disk.prune(kept.unwrap_or(self.kept), through, living, self.approvals.now_ms()).await
    }
}

#[cfg(test)]
mod tests {
    use dmplz_core::request::End;
    use dmplz_core::request::Resolution;
    use dmplz_state::StateDir;
    use dmplz_state::store::StoreOptions;

    use super::*;
    use crate::bus::Bus;
    use crate::clock::Clock;
    use crate::sample::{START, person, request, rules};
    use dmplz_core::request::Answer;

    const DAY: Duration = Duration::from_secs(24 * 60 * 60);

    #[tokio::test]
    async fn a_clock_that_was_put_forward_takes_away_nothing_of_the_last_hour() {
        let temp = tempfile::tempdir().unwrap();
        let dir = StateDir::open(temp.path()).unwrap();
        let before = request("before");
        {
            let (disk, _) = Disk::open(&dir, StoreOptions::default(), START).await.unwrap();
            disk.add(&before).await.unwrap();
            let expired =
                Resolution::of(&dmplz_core::request::Outcome::Expired(dmplz_core::request::ExpiredCause::Nobody));
            assert_eq!(expired.outcome, End::Expired);
            disk.resolve(before.id, &expired, START + 1).await.unwrap().unwrap();
            disk.close().await;
        }
        let (disk, recovered) = Disk::open(&dir, StoreOptions::default(), START).await.unwrap();
        let wall = Arc::new(AtomicU64::new(START));
        let clock: Clock = {
            let wall = Arc::clone(&wall);
            Arc::new(move || wall.load(Ordering::SeqCst))
        };
        let approvals = Approvals::over(disk.clone(), recovered, Bus::default(), rules(), clock);
        let _surface = approvals.attach("other");
        let pruner = Pruner::new(disk, approvals.clone(), Kept { all: Some(DAY), ..Kept::default() });
        let now = request("now");
        approvals.ask(now.clone()).await.unwrap();
        approvals.answer(now.id, Answer::APPROVE, person("ada")).await.unwrap();
        wall.store(START + 900 * 86_400_000, Ordering::SeqCst);

        tokio::time::pause();
        let (told, mut pruned) = tokio::sync::mpsc::unbounded_channel();
        let running = pruner.clone();
        tokio::spawn(async move { running.run(move |pruned| told.send(pruned.unwrap()).unwrap()).await });
        assert_eq!(pruned.recv().await.unwrap().requests, 1, "what was there before the gateway started");
        // An hour later nobody waits for it any more.
        assert_eq!(pruned.recv().await.unwrap().requests, 1);
        assert_eq!(approvals.history(&dmplz_state::store::Filter::default(), 9).await.unwrap(), []);
    }
}
