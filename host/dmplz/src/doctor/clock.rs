//! Checks this machine's clock. Cards and logs show its time, and certificates are validated against it.

use jiff::Timestamp;

use super::finding::{Finding, Say};
use crate::time;

/// The tolerated difference, in seconds. The header counts whole seconds, and the reply took time to arrive.
const TOLERANCE: u64 = 30;

/// Compares the clock with the `date` of a reply that has just arrived (RFC 9110, 6.6.1). `None` if the header cannot
/// be parsed.
pub(crate) fn check(date: &str, now: Timestamp, say: Say) -> Option<Finding> {
    let there = jiff::fmt::rfc2822::parse(date).ok()?.timestamp();
    let seconds = now.duration_since(there).as_secs();
    if seconds.unsigned_abs() <= TOLERANCE {
        return Some(say.good("clock", "시계가 맞습니다", "the clock agrees with the server's"));
    }
    let which = match seconds > 0 {
        true => say.of("시계가 서버보다 빠릅니다", "this clock is ahead of the server's"),
        false => say.of("시계가 서버보다 느립니다", "this clock is behind the server's"),
    };
    let fix = say.of("시각 동기화(NTP)를 켜 주세요", "turn time synchronisation (NTP) on");
    let apart = time::span(say.lang, seconds.unsigned_abs().saturating_mul(1_000));
    Some(Finding::doubtful("clock", format!("{which}: {apart}"), fix))
}
