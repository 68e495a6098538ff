//! The wall clock: the one place of the binary that reads it.

pub(crate) mod drift;
pub(crate) mod since;

use std::sync::OnceLock;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use dmplz_core::grant::Moment;
use dmplz_core::text::Lang;
use dmplz_state::store::Stamp;
use jiff::tz::TimeZone;
use rustix::time::{ClockId, clock_gettime};

/// Returns the present time in Unix milliseconds.
#[allow(clippy::disallowed_methods, reason = "the one place where the binary reads the wall clock")]
pub(crate) fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Returns a duration in whole milliseconds.
pub(crate) fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Returns the present moment on both clocks: the time of day, and the time since the machine's start, including sleep,
/// which nobody can set.
pub(crate) fn both_clocks() -> Moment {
    // On macOS the monotonic clock counts sleep as well.
    #[cfg(target_os = "linux")]
    const UP: ClockId = ClockId::Boottime;
    #[cfg(not(target_os = "linux"))]
    const UP: ClockId = ClockId::Monotonic;
    let up = clock_gettime(UP);
    let part = |value: i64, each: u64| u64::try_from(value).unwrap_or_default().saturating_mul(each);
    let up_ms = part(up.tv_sec, 1_000).saturating_add(part(up.tv_nsec, 1) / 1_000_000);
    Moment { wall_ms: now_ms(), up_ms }
}

/// Returns the present moment on the clock that runs since the machine's start; `None` if the system does not identify
/// that start.
pub(crate) fn uptime() -> Option<Stamp> {
    static BOOT: OnceLock<Option<String>> = OnceLock::new();
    let boot = BOOT.get_or_init(|| {
        let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
        Some(boot.trim().to_owned()).filter(|boot| !boot.is_empty())
    });
    Some(Stamp { boot: boot.clone()?, up_ms: both_clocks().up_ms })
}

/// Returns how long ago this process was started, in steps of 10 ms, including sleep of the machine; `None` if the
/// system does not report it.
pub(crate) fn age() -> Option<Duration> {
    #[cfg(target_os = "linux")]
    {
        use procfs::{FromRead, process::Stat};
        let ticks = Stat::from_file("/proc/self/stat").ok()?.starttime;
        let started_ms = ticks.saturating_mul(1_000) / procfs::ticks_per_second().max(1);
        both_clocks().up_ms.checked_sub(started_ms).map(Duration::from_millis)
    }
    #[cfg(not(target_os = "linux"))]
    None
}

/// Returns the local date and time, as the last line of a card shows it.
pub(crate) fn time_of_day() -> String {
    moment(now_ms())
}

/// Formats a moment as local date and time. `at_ms` is in Unix milliseconds.
pub(crate) fn moment(at_ms: u64) -> String {
    local(at(at_ms))
}

/// Formats a time stamp as local date and time.
pub(crate) fn local(timestamp: jiff::Timestamp) -> String {
    timestamp.to_zoned(zone()).strftime("%Y-%m-%d %H:%M:%S %Z").to_string()
}

/// The time of day of a moment where this machine is, `09:30`. `at_ms` is in Unix milliseconds.
pub(crate) fn clock_time(at_ms: u64) -> String {
    at(at_ms).to_zoned(zone()).strftime("%H:%M").to_string()
}

/// Formats a duration in its two largest units.
pub(crate) fn span(lang: Lang, ms: u64) -> String {
    let seconds = ms / 1_000;
    let [day, hour, minute, second] = match lang {
        Lang::Ko => ["일", "시간", "분", "초"],
        Lang::En => ["d", "h", "m", "s"],
    };
    match seconds {
        0..60 => format!("{seconds}{second}"),
        60..3_600 => format!("{}{minute} {}{second}", seconds / 60, seconds % 60),
        3_600..86_400 => format!("{}{hour} {}{minute}", seconds / 3_600, seconds % 3_600 / 60),
        _ => format!("{}{day} {}{hour}", seconds / 86_400, seconds % 86_400 / 3_600),
    }
}

/// Returns the local date, such as `2026-11-22`.
pub(crate) fn today() -> String {
    now().strftime("%Y-%m-%d").to_string()
}

/// Returns the local date and time.
pub(crate) fn now() -> jiff::Zoned {
    timestamp().to_zoned(zone())
}

/// Returns the machine's time zone. If `TZ` is set, jiff reads it, which first searches the whole database of zones;
/// otherwise the zone is in one file.
pub(crate) fn zone() -> TimeZone {
    let local = || TimeZone::tzif("", &std::fs::read("/etc/localtime").ok()?).ok();
    if std::env::var_os("TZ").is_some() { None } else { local() }.unwrap_or_else(TimeZone::system)
}

/// Returns the present moment, as the logs store it.
pub(crate) fn timestamp() -> jiff::Timestamp {
    at(now_ms())
}

fn at(unix_ms: u64) -> jiff::Timestamp {
    jiff::Timestamp::from_millisecond(i64::try_from(unix_ms).unwrap_or(i64::MAX)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn this_process_was_started_after_the_machine() {
        let age = age().expect("Linux tells it");
        assert!(age < Duration::from_millis(both_clocks().up_ms), "{age:?}");
        assert!(age < Duration::from_secs(3_600), "a test runs for seconds: {age:?}");
    }
}
