//! Sees the run that never ends: one that does the same again and again at one moment of its virtual clock.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// The maximum number of ticks of a run, including the search for its shortest script if it failed. Most runs take
/// milliseconds.
const LONGEST: u64 = 120;

/// The runs that have begun and not ended, by their seeds.
#[derive(Debug, Default)]
pub(super) struct Watch {
    /// The number of seconds, as counted by the watching thread, so that time in which the process was stopped does not
    /// count.
    ticks: AtomicU64,
    begun: Mutex<BTreeMap<u64, u64>>,
}

impl Watch {
    /// Executes `run`, which is registered meanwhile.
    pub(super) fn during<T>(&self, seed: u64, run: impl FnOnce() -> T) -> T {
        self.edit(|begun| begun.insert(seed, self.ticks.load(Ordering::Relaxed)));
        let done = run();
        self.edit(|begun| begun.remove(&seed));
        done
    }

    /// Counts a second. Returns the seed of a run that has taken too many seconds.
    pub(super) fn tick(&self) -> Option<u64> {
        let now = self.ticks.fetch_add(1, Ordering::Relaxed) + 1;
        self.edit(|begun| begun.iter().find(|(_, since)| now - **since > LONGEST).map(|(seed, _)| *seed))
    }

    fn edit<T>(&self, change: impl FnOnce(&mut BTreeMap<u64, u64>) -> T) -> T {
        change(&mut self.begun.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_does_not_end_is_named_and_one_that_ended_is_not() {
        let watch = Watch::default();
        watch.during(6, || ());
        assert!((0..LONGEST * 2).all(|_| watch.tick().is_none()));
        watch.during(7, || {
            assert!((0..LONGEST).all(|_| watch.tick().is_none()));
            assert_eq!(watch.tick(), Some(7));
        });
        assert_eq!(watch.tick(), None);
    }
}
