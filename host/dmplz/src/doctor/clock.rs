//! Checks this machine's clock.

use jiff::Timestamp;

use super::finding::{Finding, Say};
use crate::time::drift::Drift;

/// Compares the clock with the `date` of a reply that has just arrived. `None` if the header cannot be parsed.
pub(super) fn check(date: &str, now: Timestamp, say: Say) -> Option<Finding> {
    let drift = Drift::of(date, now)?;
    if drift.is_tolerated() {
        return Some(say.good("clock", "시계가 맞습니다", "the clock agrees with the server's"));
    }
    Some(Finding::doubtful("clock", drift.told(say.lang), Drift::fix(say.lang)))
}
