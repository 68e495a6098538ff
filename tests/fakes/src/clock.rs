use std::time::{Duration, SystemTime};

/// Returns the time since 1970, which both platforms use for dates.
#[allow(clippy::disallowed_methods, reason = "a server has a clock of its own")]
pub(crate) fn since_epoch() -> Duration {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default()
}

/// Returns how many whole seconds it takes until a time is over, as platforms tell it.
pub(crate) fn rounded_up(wait: Duration) -> u64 {
    wait.as_secs() + u64::from(wait.subsec_nanos() > 0)
}

/// Returns whole seconds since 1970.
pub(crate) fn unix_seconds() -> u64 {
    since_epoch().as_secs()
}
