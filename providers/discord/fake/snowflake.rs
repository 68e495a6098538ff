//! Discord's ids: <https://discord.com/developers/docs/reference#snowflakes>.

use crate::clock::since_epoch;

/// The milliseconds from 1970 to 2015, where Discord's time begins.
const DISCORD_EPOCH: u64 = 1_420_070_400_000;

/// Creates ids with the current time, each larger than the one before.
#[derive(Default)]
pub(crate) struct Snowflakes {
    last: u64,
}

impl Snowflakes {
    pub(crate) fn next(&mut self) -> u64 {
        let now = u64::try_from(since_epoch().as_millis()).unwrap_or(u64::MAX);
        self.last = (now.saturating_sub(DISCORD_EPOCH) << 22).max(self.last + 1);
        self.last
    }
}

/// Returns the time of an id as ISO 8601.
pub(crate) fn timestamp(id: u64) -> String {
    iso((id >> 22) + DISCORD_EPOCH)
}

/// Formats milliseconds since 1970 as Discord does: `2026-11-22T01:28:30.123000+00:00`.
pub(crate) fn iso(milliseconds: u64) -> String {
    let (seconds, fraction) = (milliseconds / 1000, milliseconds % 1000);
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = date(days);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{fraction:03}000+00:00")
}

/// Returns the Gregorian date of a day since 1970. It calculates with years that begin in March, so that the leap day
/// is the last day.
fn date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (era * 400 + year + next, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_grow_and_carry_their_time() {
        let mut ids = Snowflakes::default();
        let (first, second) = (ids.next(), ids.next());
        assert!(first < second);
        assert!(timestamp(first).starts_with("20"));
        // This example is from Discord's documentation.
        assert_eq!(timestamp(175_928_847_299_117_063), "2016-04-30T11:18:25.796000+00:00");
        assert_eq!(iso(951_782_400_000), "2000-02-29T00:00:00.000000+00:00");
        assert_eq!(iso(0), "1970-01-01T00:00:00.000000+00:00");
    }
}
