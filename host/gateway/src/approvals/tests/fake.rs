//! A disk that is slow, fails on demand, and outlives the owner.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use super::memory::Memory;
use super::*;

#[derive(Clone, Default)]
pub(crate) struct Fake {
    kept: Arc<Memory>,
    shared: Arc<Switches>,
    /// Whether the owner that uses this one was killed.
    killed: Arc<AtomicBool>,
}

#[derive(Default)]
struct Switches {
    fails: AtomicBool,
    /// Whether no stored request can be read.
    unreadable: AtomicBool,
    /// How long each write takes, in milliseconds, in turn.
    takes: std::sync::Mutex<Vec<u64>>,
    turns: AtomicUsize,
}

impl Fake {
    pub(super) fn fails(&self, fails: bool) {
        self.shared.fails.store(fails, Ordering::SeqCst);
    }

    pub(crate) fn unreadable(&self, unreadable: bool) {
        self.shared.unreadable.store(unreadable, Ordering::SeqCst);
    }

    pub(super) fn takes(&self, takes: &[u64]) {
        *self.shared.takes.lock().unwrap() = takes.to_vec();
    }

    /// Returns the same disk for the next owner; the previous owner cannot reach it any more.
    pub(super) fn killed(self) -> Self {
        self.killed.store(true, Ordering::SeqCst);
        Self { killed: Arc::default(), ..self }
    }

    pub(super) fn recovered(&self) -> Recovered {
        self.kept.recovered()
    }

    async fn turn(&self) {
        let turn = self.shared.turns.fetch_add(1, Ordering::SeqCst);
        let takes = {
            let takes = self.shared.takes.lock().unwrap();
            takes.get(turn % takes.len().max(1)).copied().unwrap_or(0)
        };
        if takes > 0 {
            tokio::time::sleep(Duration::from_millis(takes)).await;
        }
    }

    fn reach(&self) -> Result<(), DiskError> {
        if self.killed.load(Ordering::SeqCst) { Err(DiskError::Gone) } else { Ok(()) }
    }
}

impl Ledger for Fake {
    fn write(&self, record: Record, at_ms: u64, told: OnNumber) -> Later<'_, Option<u64>> {
        Box::pin(async move {
            self.turn().await;
            self.reach()?;
            if self.shared.fails.load(Ordering::SeqCst) {
                return Err(DiskError::Gone);
            }
            self.kept.write(record, at_ms, told).await
        })
    }

    fn get(&self, id: RequestId) -> Later<'_, Option<Standing>> {
        Box::pin(async move {
            self.reach()?;
            if self.shared.unreadable.load(Ordering::SeqCst) {
                return Err(DiskError::Gone);
            }
            self.kept.get(id).await
        })
    }

    fn is_again<'a>(&'a self, request: &'a Request) -> Later<'a, Option<bool>> {
        Box::pin(async move {
            self.reach()?;
            self.kept.is_again(request).await
        })
    }

    fn history<'a>(&'a self, search: &'a Filter, limit: u32) -> Later<'a, Vec<Standing>> {
        self.kept.history(search, limit)
    }

    fn events_after(&self, seq: u64, limit: u32) -> Later<'_, Vec<Event>> {
        Box::pin(async move {
            self.turn().await;
            self.reach()?;
            self.kept.events_after(seq, limit).await
        })
    }

    fn figures(&self, since_ms: Option<u64>, until_ms: Option<u64>) -> Later<'_, Figures> {
        self.kept.figures(since_ms, until_ms)
    }
}
