//! Limits how often a kind of caller, or a connection, may call: a token bucket, on the monotonic clock.

use tokio::time::Instant;

use crate::mutex::Mutex;

/// The size and the refill rate of a bucket.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    /// How many calls may come at once.
    pub burst: f64,
    /// How many calls a second the bucket regains.
    pub each_second: f64,
}

/// A token bucket.
#[derive(Debug)]
pub(crate) struct Bucket {
    rate: Rate,
    level: Mutex<(f64, Instant)>,
}

impl Bucket {
    /// Returns a full bucket.
    pub(crate) fn new(rate: Rate) -> Self {
        Self { rate, level: Mutex::new((rate.burst, Instant::now())) }
    }

    /// Takes one token. Returns false if there is none.
    pub(crate) fn take(&self) -> bool {
        let mut level = self.level.lock();
        let now = Instant::now();
        let grown = now.duration_since(level.1).as_secs_f64() * self.rate.each_second;
        let filled = (level.0 + grown).min(self.rate.burst);
        let enough = filled >= 1.0;
        *level = (if enough { filled - 1.0 } else { filled }, now);
        enough
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_bucket_gives_its_burst_and_then_its_rate() {
        let bucket = Bucket::new(Rate { burst: 3.0, each_second: 0.5 });
        let taken = |tries: usize| (0..tries).filter(|_| bucket.take()).count();
        assert_eq!(taken(10), 3);
        tokio::time::advance(Duration::from_secs(2)).await;
        assert_eq!(taken(10), 1);
        tokio::time::advance(Duration::from_secs(1_000)).await;
        assert_eq!(taken(10), 3);
    }
}
