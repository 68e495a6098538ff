//! Parses the date or time at which a rule expires.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;

/// Parses `2026-12-31` (its end), `2026-12-31T18:00:00` (UTC) or `2026-12-31T18:00:00+09:00`.
pub(super) fn moment(text: &str) -> Option<Timestamp> {
    const DATE: usize = "2026-12-31".len();
    let civil = if text.len() == DATE {
        text.parse::<Date>().ok()?.tomorrow().ok()?.at(0, 0, 0, 0)
    } else if let Ok(moment) = text.parse::<Timestamp>() {
        return Some(moment);
    } else {
        text.parse::<DateTime>().ok()?
    };
    Some(civil.to_zoned(TimeZone::UTC).ok()?.timestamp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_means_its_end_and_a_time_without_offset_is_utc() {
        for (text, end) in [
            ("2026-12-31", Some("2027-01-01T00:00:00Z")),
            ("2026-12-31T18:00:00", Some("2026-12-31T18:00:00Z")),
            ("2026-12-31 18:00:00", Some("2026-12-31T18:00:00Z")),
            ("2026-12-31T18:00:00Z", Some("2026-12-31T18:00:00Z")),
            ("2026-12-31T18:00:00+09:00", Some("2026-12-31T09:00:00Z")),
            ("18:00:00", None),
            ("tomorrow", None),
            ("2026-13-01", None),
            ("", None),
        ] {
            assert_eq!(moment(text).map(|moment| moment.to_string()).as_deref(), end, "{text}");
        }
    }
}
