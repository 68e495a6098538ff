use std::time::{Duration, SystemTime};

/// Time since 1970, as both platforms date things.
#[allow(clippy::disallowed_methods, reason = "a server has a clock of its own")]
pub(crate) fn since_epoch() -> Duration {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default()
}

/// Whole seconds since 1970.
pub(crate) fn unix_seconds() -> u64 {
    since_epoch().as_secs()
}
