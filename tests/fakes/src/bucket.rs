//! A limit of requests: some at once, and one more after each interval.

use std::time::{Duration, Instant};

/// The requests that a client may still send.
pub(crate) struct Bucket {
    size: u32,
    refill: Duration,
    left: u32,
    since: Instant,
}

impl Bucket {
    /// Returns a full bucket: it takes `size` requests at once, and one more after each `refill`.
    pub(crate) fn new(size: u32, refill: Duration) -> Self {
        Self { size, refill, left: size, since: Instant::now() }
    }

    /// Counts a request. Returns the time until the next one if it is one too many.
    pub(crate) fn take(&mut self) -> Option<Duration> {
        while self.left < self.size && self.since.elapsed() >= self.refill {
            self.left += 1;
            self.since += self.refill;
        }
        if self.left == self.size {
            self.since = Instant::now();
        }
        match self.left.checked_sub(1) {
            Some(left) => {
                self.left = left;
                None
            }
            None => Some(self.refill.saturating_sub(self.since.elapsed())),
        }
    }
}
