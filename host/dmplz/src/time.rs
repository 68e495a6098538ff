//! The wall clock: the one place of the binary that reads it.

use std::time::{SystemTime, UNIX_EPOCH};

use dmplz_desk::Clock;

/// The machine's clock, with troubles going to stderr.
pub(crate) fn clock() -> Clock {
    Clock { now_ms, time_of_day, warn: crate::trouble::warn }
}

/// Unix milliseconds.
pub(crate) fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Date and time where this machine is, as the last line of a card shows it.
pub(crate) fn time_of_day() -> String {
    jiff::Zoned::now().strftime("%Y-%m-%d %H:%M:%S %Z").to_string()
}

/// The moment, as the logs keep it.
pub(crate) fn timestamp() -> jiff::Timestamp {
    jiff::Timestamp::from_millisecond(i64::try_from(now_ms()).unwrap_or(i64::MAX)).unwrap_or_default()
}
