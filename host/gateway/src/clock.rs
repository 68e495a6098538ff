//! The wall clock, in Unix milliseconds. Time limits run on a monotonic clock instead.

use std::sync::Arc;
use std::time::Duration;

/// Returns the wall clock in Unix milliseconds; the caller supplies it. Time limits run on a monotonic clock instead.
pub type Clock = Arc<dyn Fn() -> u64 + Send + Sync>;

/// Returns a duration in milliseconds.
pub(crate) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
