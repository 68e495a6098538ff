//! Quiet hours: the time of day in which notices wait.
//!
//! ```text
//! quiet = HH:MM-HH:MM        the second time is the next day where it is not later than the first
//! ```
//!
//! The beginning belongs to the quiet hours, the end does not. Where clocks are set forward over the end, they end with
//! the gap; where they are set back over it, they end at its first occurrence, or at the second for a notice from
//! between the two.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use jiff::tz::TimeZone;

const DAY: u16 = 24 * 60;

/// The time of day in which notices wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quiet {
    /// The minute of the day at which they begin.
    from: u16,
    /// The minute of the day at which they end.
    to: u16,
}

/// A text gives no quiet hours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("quiet hours are two different times of day, such as 22:00-07:00")]
pub struct InvalidQuiet;

impl FromStr for Quiet {
    type Err = InvalidQuiet;

    fn from_str(text: &str) -> Result<Self, InvalidQuiet> {
        let (from, to) = text.split_once('-').ok_or(InvalidQuiet)?;
        let (from, to) = (minute(from.trim()).ok_or(InvalidQuiet)?, minute(to.trim()).ok_or(InvalidQuiet)?);
        if from == to { Err(InvalidQuiet) } else { Ok(Self { from, to }) }
    }
}

impl fmt::Display for Quiet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { from, to } = self;
        write!(f, "{:02}:{:02}-{:02}:{:02}", from / 60, from % 60, to / 60, to % 60)
    }
}

impl Quiet {
    /// Returns when the quiet hours end that `now_ms` is in, in Unix milliseconds; `None` outside of them. The result is
    /// later than `now_ms`, by 26 hours at most.
    pub fn until(self, now_ms: u64, zone: &TimeZone) -> Option<u64> {
        let now = Timestamp::from_millisecond(i64::try_from(now_ms).ok()?).ok()?.to_zoned(zone.clone());
        let minute = u16::try_from(i32::from(now.hour()) * 60 + i32::from(now.minute())).ok()?;
        let Self { from, to } = self;
        let is_in = if from < to { (from..to).contains(&minute) } else { minute >= from || minute < to };
        if !is_in {
            return None;
        }
        let date = if minute < to { now.date() } else { now.date().tomorrow().ok()? };
        let (hour, of_hour) = (i8::try_from(to / 60).ok()?, i8::try_from(to % 60).ok()?);
        let end = date.at(hour, of_hour, 0, 0).to_zoned(zone.clone()).ok()?.timestamp().as_millisecond();
        let end = u64::try_from(end).ok()?;
        // Clocks were set back, and this is the second time that it is this late.
        let left = u64::from((to + DAY - minute) % DAY);
        Some(if end > now_ms { end } else { now_ms.saturating_add(left * 60_000) })
    }
}

/// Returns the minute of the day of a text such as `07:30`.
fn minute(text: &str) -> Option<u16> {
    let (hour, minute) = text.split_once(':')?;
    let number = |text: &str, digits: std::ops::RangeInclusive<usize>| {
        let is_one = digits.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        is_one.then(|| text.parse::<u16>().ok()).flatten()
    };
    let (hour, minute) = (number(hour, 1..=2)?, number(minute, 2..=2)?);
    (hour < 24 && minute < 60).then_some(hour * 60 + minute)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// New York: clocks are set forward on 2026-03-08 and back on 2026-11-01, both at 02:00.
    fn new_york() -> TimeZone {
        TimeZone::posix("EST5EDT,M3.2.0,M11.1.0").unwrap()
    }

    fn until(quiet: &str, now: &str) -> Option<String> {
        let now: Timestamp = now.parse().unwrap();
        let end = quiet.parse::<Quiet>().unwrap().until(u64::try_from(now.as_millisecond()).unwrap(), &new_york())?;
        Some(Timestamp::from_millisecond(i64::try_from(end).unwrap()).unwrap().to_string())
    }

    #[test]
    fn quiet_hours_begin_at_the_first_time_and_end_at_the_second_also_over_midnight() {
        for (quiet, now, end) in [
            ("22:00-07:00", "2026-06-01T21:59:59-04:00", None),
            ("22:00-07:00", "2026-06-01T22:00:00-04:00", Some("2026-06-02T11:00:00Z")),
            ("22:00-07:00", "2026-06-02T06:59:59-04:00", Some("2026-06-02T11:00:00Z")),
            ("22:00-07:00", "2026-06-02T07:00:00-04:00", None),
            ("9:00-17:30", "2026-06-01T12:00:00-04:00", Some("2026-06-01T21:30:00Z")),
            ("9:00-17:30", "2026-06-01T17:30:00-04:00", None),
            ("00:01-00:00", "2026-06-01T12:00:00-04:00", Some("2026-06-02T04:00:00Z")),
            // The night has one hour less.
            ("22:00-07:00", "2026-03-07T23:00:00-05:00", Some("2026-03-08T11:00:00Z")),
            // 02:30 does not exist, so it ends when the clock shows 03:30.
            ("22:00-02:30", "2026-03-08T01:59:00-05:00", Some("2026-03-08T07:30:00Z")),
            // It is 01:30 twice.
            ("22:00-01:30", "2026-11-01T01:00:00-04:00", Some("2026-11-01T05:30:00Z")),
            ("22:00-01:30", "2026-11-01T01:10:00-05:00", Some("2026-11-01T06:30:00Z")),
        ] {
            assert_eq!(until(quiet, now).as_deref(), end, "{quiet} at {now}");
        }
    }

    #[test]
    fn a_text_of_another_shape_gives_no_quiet_hours() {
        for text in
            ["", "22:00", "22:00-22:00", "24:00-07:00", "22:60-07:00", "22-7", "22:0-07:00", "+2:00-07:00", "a-b"]
        {
            assert_eq!(text.parse::<Quiet>(), Err(InvalidQuiet), "{text}");
        }
        assert_eq!("7:05 - 23:00".parse::<Quiet>().unwrap().to_string(), "07:05-23:00");
    }

    proptest! {
        #[test]
        fn the_end_is_later_than_now_and_never_far_away(
            from in 0..DAY, to in 0..DAY, now_ms in 1_767_000_000_000_u64..1_800_000_000_000
        ) {
            prop_assume!(from != to);
            let quiet = Quiet { from, to };
            prop_assert_eq!(quiet.to_string().parse::<Quiet>(), Ok(quiet));
            let days = quiet.until(now_ms, &TimeZone::UTC);
            if let Some(end) = days {
                prop_assert!(end > now_ms && end - now_ms <= 24 * 3_600_000);
                prop_assert_eq!(quiet.until(end, &TimeZone::UTC), None);
                // Every moment before the end has the same end.
                prop_assert_eq!(quiet.until(end - 1, &TimeZone::UTC), Some(end));
            }
            if let Some(end) = quiet.until(now_ms, &new_york()) {
                prop_assert!(end > now_ms && end - now_ms <= 26 * 3_600_000);
            }
        }
    }
}
