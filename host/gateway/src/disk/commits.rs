//! How long commits take, for the metrics.

use std::sync::Arc;
use std::time::Duration;

use crate::mutex::Mutex;

/// The number of bounds.
const BOUNDS: usize = 12;

/// The counts since the process began.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Commits {
    /// How many commits took at most [`Commits::BOUNDS`] and longer than the previous bound. The last one counts the
    /// rest.
    pub(crate) counts: [u64; BOUNDS + 1],
    /// The total time of all commits that succeeded.
    pub(crate) took: Duration,
    pub(crate) failed: u64,
}

/// Counts. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(super) struct Counter(Arc<Mutex<Commits>>);

impl Commits {
    /// The upper bounds, from a commit in memory to one that nobody would wait for.
    pub(crate) const BOUNDS: [Duration; BOUNDS] = [
        Duration::from_micros(250),
        Duration::from_micros(500),
        Duration::from_millis(1),
        Duration::from_micros(2_500),
        Duration::from_millis(5),
        Duration::from_millis(10),
        Duration::from_millis(25),
        Duration::from_millis(50),
        Duration::from_millis(100),
        Duration::from_millis(250),
        Duration::from_secs(1),
        Duration::from_secs(5),
    ];

    /// Returns how many commits succeeded.
    pub(crate) fn succeeded(&self) -> u64 {
        self.counts.iter().sum()
    }

    fn count(&mut self, took: Duration) {
        self.took += took;
        let at = Self::BOUNDS.iter().position(|bound| took <= *bound).unwrap_or(BOUNDS);
        if let Some(count) = self.counts.get_mut(at) {
            *count += 1;
        }
    }
}

impl Counter {
    /// Counts a commit that took this long, or failed.
    pub(super) fn count(&self, took: Duration, has_succeeded: bool) {
        let mut commits = self.0.lock();
        match has_succeeded {
            true => commits.count(took),
            false => commits.failed += 1,
        }
    }

    pub(super) fn now(&self) -> Commits {
        *self.0.lock()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_commit_is_in_one_bucket() {
        let counter = Counter::default();
        for micros in [0, 250, 251, 4_999_999, 5_000_001] {
            counter.count(Duration::from_micros(micros), true);
        }
        counter.count(Duration::ZERO, false);
        let Commits { counts, took, failed } = counter.now();
        assert_eq!(counts, [2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1]);
        assert_eq!((took, failed), (Duration::from_micros(10_000_501), 1));
    }
}
