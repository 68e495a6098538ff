//! Sees the run that never ends: one that does the same again and again at one moment of its virtual clock.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long a run may take in real time, with the search for its shortest script where it failed. Most take milliseconds.
const LONGEST: Duration = Duration::from_secs(120);

/// The runs that have begun and not ended, by their seeds.
#[derive(Debug, Default)]
pub(super) struct Watch(Mutex<BTreeMap<u64, Instant>>);

impl Watch {
    /// Does `run`, which is known to be under way meanwhile.
    pub(super) fn during<T>(&self, seed: u64, run: impl FnOnce() -> T) -> T {
        self.begun().insert(seed, Instant::now());
        let done = run();
        self.begun().remove(&seed);
        done
    }

    /// The seed of a run that began too long ago.
    pub(super) fn stuck(&self, now: Instant) -> Option<u64> {
        self.begun().iter().find(|(_, began)| now.saturating_duration_since(**began) > LONGEST).map(|(seed, _)| *seed)
    }

    fn begun(&self) -> std::sync::MutexGuard<'_, BTreeMap<u64, Instant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_does_not_end_is_named_and_one_that_ended_is_not() {
        let watch = Watch::default();
        watch.during(6, || ());
        let late = Instant::now() + LONGEST * 2;
        assert_eq!(watch.stuck(late), None);
        watch.during(7, || {
            assert_eq!(watch.stuck(Instant::now()), None);
            assert_eq!(watch.stuck(late), Some(7));
        });
        assert_eq!(watch.stuck(late), None);
    }
}
