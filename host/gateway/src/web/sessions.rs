//! Browsers that were let in, by the public keys of their pages.
//!
//! A session belongs to a key and to this run of the gateway; nothing of it is on disk. Another program that takes the
//! port while the gateway is down may even serve its own page and have it sign with the browser's key, but no later run
//! of the gateway knows that key. A session ends after 30 days, when its browser is disconnected, and with the gateway.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use super::keys::PageKey;
use crate::approvals::Clock;

/// How long a session lasts, in milliseconds.
pub(super) const LIFE_MS: u64 = 30 * 24 * 60 * 60 * 1_000;
/// The most browsers at a time. A further one replaces the session that would end first.
const BROWSERS: usize = 64;

/// The sessions of this run. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Sessions {
    now_ms: Clock,
    /// When each session ends, in Unix milliseconds.
    ends: Arc<Mutex<HashMap<PageKey, u64>>>,
    ended: watch::Sender<()>,
}

impl Sessions {
    pub(crate) fn new(now_ms: Clock) -> Self {
        Self { now_ms, ends: Arc::default(), ended: watch::Sender::new(()) }
    }

    /// Begins a session.
    pub(crate) fn begin(&self, key: PageKey) {
        let mut ends = self.ends();
        while ends.len() >= BROWSERS && !ends.contains_key(&key) {
            let Some(first) = ends.iter().min_by_key(|(_, ends_ms)| **ends_ms).map(|(key, _)| *key) else { break };
            ends.remove(&first);
        }
        ends.insert(key, (self.now_ms)().saturating_add(LIFE_MS));
        self.ended.send_replace(());
    }

    /// Returns whether a key has a session.
    pub(crate) fn counts(&self, key: PageKey) -> bool {
        let now = (self.now_ms)();
        let mut ends = self.ends();
        ends.retain(|_, ends_ms| now < *ends_ms);
        ends.contains_key(&key)
    }

    /// Ends a session.
    pub(crate) fn end(&self, key: PageKey) {
        self.ends().remove(&key);
        self.ended.send_replace(());
    }

    /// Returns a receiver that changes whenever a session may have ended.
    pub(super) fn ended(&self) -> watch::Receiver<()> {
        self.ended.subscribe()
    }

    fn ends(&self) -> MutexGuard<'_, HashMap<PageKey, u64>> {
        self.ends.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Sessions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sessions").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::super::keys::GatewayKey;
    use super::*;

    fn key() -> PageKey {
        PageKey::read(&GatewayKey::generate().unwrap().public()).unwrap()
    }

    #[test]
    fn a_session_ends_by_its_time_by_its_end_and_to_make_room() {
        let now = Arc::new(AtomicU64::new(1_000));
        let clock = Arc::clone(&now);
        let sessions = Sessions::new(Arc::new(move || clock.load(Ordering::SeqCst)));
        let (first, second) = (key(), key());
        sessions.begin(first);
        now.fetch_add(1, Ordering::SeqCst);
        sessions.begin(second);
        assert!(sessions.counts(first) && sessions.counts(second) && !sessions.counts(key()));
        now.store(1_000 + LIFE_MS, Ordering::SeqCst);
        assert!(!sessions.counts(first) && sessions.counts(second));
        sessions.end(second);
        assert!(!sessions.counts(second));
        let many: Vec<_> = (0..=BROWSERS).map(|_| key()).collect();
        for key in &many {
            now.fetch_add(1, Ordering::SeqCst);
            sessions.begin(*key);
        }
        assert!(!sessions.counts(many[0]) && many[1..].iter().all(|key| sessions.counts(*key)));
    }
}
