//! The beginning of a period, as an option names it.

use jiff::civil::{Date, DateTime};
use jiff::{Span, Timestamp, Zoned};

use super::now;
use crate::told::{Phrase, Told};

/// Parses the beginning of a period: a span before now, a local day, or a time stamp.
pub(crate) fn since(text: &str) -> Result<Timestamp, Told> {
    Ok(since_at(text, &now())?)
}

fn since_at(text: &str, now: &Zoned) -> Result<Timestamp, Phrase> {
    let said = |error: jiff::Error| Phrase::same(&error.to_string());
    let zone = now.time_zone();
    if let Ok(span) = text.parse::<Span>() {
        let span = if span.is_negative() { span } else { span.negate() };
        return now.checked_add(span).map(|then| then.timestamp()).map_err(said);
    }
    if let Ok(moment) = text.parse::<Timestamp>() {
        return Ok(moment);
    }
    let local = text.parse::<DateTime>().or_else(|_| text.parse::<Date>().map(DateTime::from));
    let local = local.map_err(|_| {
        Phrase::from([
            "7d, 12h, 2026-11-01, 2026-11-01T09:00:00Z처럼 적어 주세요",
            "it takes 7d, 12h, 2026-11-01 or 2026-11-01T09:00:00Z",
        ])
    })?;
    zone.to_timestamp(local).map_err(said)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn since_takes_spans_days_and_moments() {
        let now: Zoned = "2026-11-22T12:00:00+09:00[Asia/Seoul]".parse().unwrap();
        let at = |text: &str| since_at(text, &now).map(|moment| moment.to_string());
        assert_eq!(at("7d"), Ok("2026-11-15T03:00:00Z".to_owned()));
        assert_eq!(at("12h"), Ok("2026-11-21T15:00:00Z".to_owned()));
        assert_eq!(at("2026-11-01"), Ok("2026-10-31T15:00:00Z".to_owned()));
        assert_eq!(at("2026-11-01T09:00:00Z"), Ok("2026-11-01T09:00:00Z".to_owned()));
        assert!(at("yesterday").is_err());
    }
}
