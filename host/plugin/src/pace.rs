//! Limits the number of events in a period.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::time::Instant;

const MOST: usize = 120;
const WITHIN: Duration = Duration::from_secs(60);

/// Admits 120 in any 60 seconds: what Discord takes from one connection (docs, Gateway, "Rate Limiting").
#[derive(Debug, Default)]
pub(crate) struct Pace(VecDeque<Instant>);

impl Pace {
    /// Returns whether one more may be now; it is counted then.
    pub(crate) fn admits(&mut self, now: Instant) -> bool {
        while self.0.front().is_some_and(|at| now.saturating_duration_since(*at) >= WITHIN) {
            self.0.pop_front();
        }
        let room = self.0.len() < MOST;
        if room {
            self.0.push_back(now);
        }
        room
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::Instant;

    use super::Pace;

    #[test]
    fn no_minute_has_more_than_120() {
        let mut pace = Pace::default();
        let start = Instant::now();
        let mut admitted = |seconds| pace.admits(start + Duration::from_secs(seconds));
        assert!((0..60).all(|_| admitted(0)));
        assert!((0..60).all(|_| admitted(30)));
        assert!(!admitted(30) && !admitted(59));
        assert!((0..60).all(|_| admitted(60)));
        assert!(!admitted(60) && !admitted(89));
        assert!(admitted(90));
    }
}
