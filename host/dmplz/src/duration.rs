//! Durations as people write them, in settings and options.
//!
//! | written | means |
//! |---|---|
//! | `90s`, `5m`, `1h30m`, `1.5h`, `500ms`, `7d`, `2w` | that long; a day has 24 hours |
//! | `300000` | a number alone counts the unit of its setting, which its error names |
//! | `-5m`, `5m ago`, `2mo`, an empty text | nothing: an error |

use std::time::Duration;

use dmplz_core::text::Lang;
use jiff::fmt::friendly::{Spacing, SpanPrinter};
use jiff::{SignedDuration, Span, SpanRelativeTo};

use crate::told::{Phrase, Told};

/// The unit of a number that stands alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unit {
    millis: u64,
    plural: &'static str,
    korean: &'static str,
    /// Examples of this size.
    examples: &'static str,
}

impl Unit {
    pub(crate) const MILLISECOND: Self =
        Self { millis: 1, plural: "milliseconds", korean: "밀리초", examples: "90s, 5m or 1h30m" };
    pub(crate) const SECOND: Self =
        Self { millis: 1_000, plural: "seconds", korean: "초", examples: "90s, 5m or 1h30m" };
    pub(crate) const DAY: Self =
        Self { millis: 24 * 60 * 60 * 1_000, plural: "days", korean: "일", examples: "36h, 30d or 8w" };

    /// So many of it.
    pub(crate) fn times(self, count: u64) -> Duration {
        Duration::from_millis(count.saturating_mul(self.millis))
    }
}

/// Reads a duration. `None` if the text is none, or is longer than 64 bits of milliseconds can say.
pub(crate) fn read(text: &str, unit: Unit) -> Option<Duration> {
    let text = text.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.parse::<u64>().ok()?.checked_mul(unit.millis).map(Duration::from_millis);
    }
    let span: Span = text.parse().ok()?;
    let duration = span.to_duration(SpanRelativeTo::days_are_24_hours()).ok()?;
    Duration::try_from(duration).ok()
}

/// Reads a duration between two others; the error says what is taken.
pub(crate) fn read_between(text: &str, least: Duration, most: Duration, unit: Unit) -> Result<Duration, String> {
    read(text, unit)
        .filter(|duration| (least..=most).contains(duration))
        .ok_or_else(|| takes(least, most, unit, Lang::En))
}

/// Says which durations are taken, and how they are written.
pub(crate) fn takes(least: Duration, most: Duration, unit: Unit, lang: Lang) -> String {
    let bound = |duration: Duration| match unit {
        Unit::DAY => format!("{}d", duration.as_secs() / (unit.millis / 1_000)),
        _ => short(duration),
    };
    let (least, most) = (bound(least), bound(most));
    match lang {
        Lang::Ko => {
            let examples = unit.examples.replace(" or ", ", ");
            format!("{least}부터 {most}까지의 기간(예: {examples}). 숫자만 쓰면 {} 단위", unit.korean)
        }
        Lang::En => {
            format!("a duration from {least} to {most}, such as {}; a number alone is {}", unit.examples, unit.plural)
        }
    }
}

/// Writes a duration as it could be typed: `1h30m`.
pub(crate) fn short(duration: Duration) -> String {
    let duration = SignedDuration::try_from(duration).unwrap_or(SignedDuration::MAX);
    SpanPrinter::new().spacing(Spacing::None).duration_to_string(&duration)
}

/// How long a press may be waited for.
pub(crate) const LEAST_PATIENCE: Duration = Duration::from_secs(1);
pub(crate) const MOST_PATIENCE: Duration = Duration::from_secs(3_600);

/// The value of an option that says how long a press is waited for.
pub(crate) fn patience(text: &str) -> Result<Duration, Told> {
    let takes = |lang| takes(LEAST_PATIENCE, MOST_PATIENCE, Unit::SECOND, lang);
    read_between(text, LEAST_PATIENCE, MOST_PATIENCE, Unit::SECOND)
        .map_err(|_| Phrase::from([takes(Lang::Ko), takes(Lang::En)]).into())
}

/// The value of an option that says how long a command may run; the gateway has a limit of its own.
pub(crate) fn seconds(text: &str) -> Result<Duration, Told> {
    read(text, Unit::SECOND).ok_or_else(|| {
        Told::new(
            "기간을 적어 주세요. 예: {}. 숫자만 쓰면 초 단위",
            "a duration, such as {}; a number alone is seconds",
            &[Unit::SECOND.examples],
        )
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn durations_are_read_as_people_write_them() {
        for (text, ms) in [
            ("90s", 90_000),
            ("5m", 300_000),
            (" 5m ", 300_000),
            ("5 min", 300_000),
            ("1h30m", 5_400_000),
            ("1h 30m", 5_400_000),
            ("1.5h", 5_400_000),
            ("500ms", 500),
            ("300000", 300_000),
            ("0", 0),
            ("1d", 86_400_000),
            ("2w", 1_209_600_000),
        ] {
            assert_eq!(read(text, Unit::MILLISECOND), Some(Duration::from_millis(ms)), "{text:?}");
        }
        assert_eq!(read("90", Unit::SECOND), Some(Duration::from_secs(90)));
        assert_eq!(read("90", Unit::DAY), Some(Duration::from_secs(90 * 86_400)));
    }

    #[test]
    fn what_is_no_duration_is_none_and_never_a_short_or_endless_one() {
        for text in
            ["", " ", "m", "5x", "5 m s", "-5m", "5m ago", "1mo", "1y", "five minutes", "18446744073709551616", "5,m"]
        {
            assert_eq!(read(text, Unit::MILLISECOND), None, "{text:?}");
        }
        assert_eq!(read("18446744073709551615", Unit::DAY), None);
    }

    #[test]
    fn an_error_says_how_a_duration_is_written() {
        insta::assert_snapshot!(patience("2h").unwrap_err(), @"a duration from 1s to 1h, such as 90s, 5m or 1h30m; a number alone is seconds");
        insta::assert_snapshot!(seconds("soon").unwrap_err(), @"a duration, such as 90s, 5m or 1h30m; a number alone is seconds");
        insta::assert_snapshot!(takes(Duration::ZERO, Duration::from_secs(86_400 * 36_500), Unit::DAY, Lang::En), @"a duration from 0d to 36500d, such as 36h, 30d or 8w; a number alone is days");
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_again(ms in 0u64..=86_400_000) {
            let duration = Duration::from_millis(ms);
            prop_assert_eq!(read(&short(duration), Unit::SECOND), Some(duration));
            prop_assert_eq!(read(&ms.to_string(), Unit::MILLISECOND), Some(duration));
        }

        #[test]
        fn no_text_makes_it_panic(text in "\\PC{0,24}") {
            let _ = read(&text, Unit::DAY);
        }
    }
}
