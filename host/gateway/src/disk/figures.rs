//! The figures of the stored requests, counted by the same code as those of `dmplz stats`.

use dmplz_core::request::Resolution;
use dmplz_core::stats::{Figures, Period, RequestEnd, Stats};
use dmplz_state::store::{EndedRow, Row};
use jiff::Timestamp;

use super::DiskError;

/// Returns the figures of these requests. Unreadable ones are counted as such.
pub(super) fn of(rows: &[Row<EndedRow>]) -> Figures {
    let mut stats = Stats::new(Period::default());
    for row in rows {
        match row.as_ref().ok().and_then(|row| end(row).ok()) {
            Some(end) => stats.count(end),
            None => stats.count_unreadable(),
        }
    }
    stats.figures()
}

fn end(row: &EndedRow) -> Result<RequestEnd, DiskError> {
    let resolution: Resolution = serde_json::from_str(&row.resolution).map_err(DiskError::json(&row.id))?;
    let surface = resolution.by.map(|by| by.surface);
    let policy = || resolution.rule.as_ref().map(|_| "policy".to_owned());
    Ok(RequestEnd {
        timestamp: i64::try_from(row.ended_ms)
            .ok()
            .and_then(|ms| Timestamp::from_millisecond(ms).ok())
            .unwrap_or_default(),
        request_id: row.id.clone(),
        session_id: row.session_id.clone().unwrap_or_default(),
        provider: surface.or_else(policy).unwrap_or_default(),
        tool_name: row.tool.clone(),
        outcome: resolution.outcome,
        reason_source: resolution.reason_source,
        cause: resolution.cause,
        asked_ms: row.asked_ms,
        rule: resolution.rule,
        subject: None,
        cwd: Some(row.cwd.clone()),
    })
}
