//! Converts requests to the store's rows, and back.

use dmplz_core::approvers::Answerer;
use dmplz_core::card::Subject;
use dmplz_core::redact::mask;
use dmplz_core::request::{Offer, Resolution};
use dmplz_protocol::{Request, Source, Standing, Status};
use dmplz_state::store::{self, NewRequest, Reads, RequestRow, Row, Stamp, Unreadable};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::Map;

use super::{DiskError, Recovered, masked, masked_end};

/// The person who denied, and until when a reason is awaited.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Denial {
    pub(super) by: Answerer,
    pub(super) until_ms: u64,
    /// Whether the person is asked what to do instead.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) instead: bool,
}

/// The audit entry of a request that came in: enough to identify it, and nothing that could be secret.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Requested<'a> {
    source: &'a Source,
    tool: &'a str,
    cwd: String,
    expires_ms: u64,
    input_sha256: &'a str,
}

/// Returns the row of a request, and the body of its audit entry. `stamp` is the present time since the machine's
/// start.
pub(super) fn row(request: &Request, stamp: Option<Stamp>) -> Result<(NewRequest, String), DiskError> {
    let id = request.id.to_string();
    let json = |request: &Request| serde_json::to_string(request).map_err(DiskError::json(&id));
    let (source, session_id, agent_id) = match &request.source {
        Source::Hook { session_id, agent_id } => ("hook", Some(session_id.clone()), agent_id.clone()),
        Source::Session { session_id, agent_id } => ("session", Some(session_id.clone()), agent_id.clone()),
        Source::Tool { .. } => ("tool", None, None),
    };
    let masked = json(&masked(request))?;
    let row = NewRequest {
        source: source.to_owned(),
        session_id,
        agent_id,
        tool: request.tool.clone(),
        cwd: request.cwd.clone(),
        created_ms: request.created_ms,
        expires_ms: request.expires_ms,
        digest: digest(request)?,
        body: json(request)?,
        masked_digest: store::digest(masked.as_bytes()),
        masked,
        stamp,
        id: id.clone(),
    };
    let requested = Requested {
        source: &request.source,
        tool: &request.tool,
        cwd: mask(&request.cwd).to_string(),
        expires_ms: request.expires_ms,
        input_sha256: &row.digest,
    };
    let body = serde_json::to_string(&requested).map_err(DiskError::json(&id))?;
    Ok((row, body))
}

/// Returns the SHA-256 of a request's exact input, in hex.
pub(super) fn digest(request: &Request) -> Result<String, DiskError> {
    let input = serde_json::to_vec(&request.input).map_err(DiskError::json(&request.id.to_string()))?;
    Ok(store::digest(&input))
}

/// Returns the row of a request's end, masked. Whether the resolution is complete is not checked here.
pub(super) fn end(resolution: &Resolution, at_ms: u64) -> Result<store::End, DiskError> {
    let kept = masked_end(resolution);
    Ok(store::End {
        outcome: word(&kept.outcome)?,
        surface: kept.by.as_ref().map(|by| by.surface.clone()),
        resolution: serde_json::to_string(&kept).map_err(DiskError::json("an end"))?,
        at_ms,
    })
}

/// Returns the stored request and its status.
pub(super) fn standing(row: &RequestRow) -> Result<Standing, DiskError> {
    let of = || format!("request number {}", row.number);
    let request = serde_json::from_str(&row.body).map_err(DiskError::json(&of()))?;
    let status = match (&row.resolution, row.ended_ms, &row.denial) {
        (Some(resolution), Some(ended_ms), _) => {
            let resolution = serde_json::from_str(resolution).map_err(DiskError::json(&of()))?;
            Status::Ended { resolution, ended_ms, taken: row.taken }
        }
        (_, _, Some(denial)) => {
            let Denial { by, until_ms, instead } = serde_json::from_str(denial).map_err(DiskError::json(&of()))?;
            Status::Denied { by, until_ms, instead }
        }
        _ => Status::Open,
    };
    Ok(Standing { request, status })
}

/// Returns the requests that have not ended. `now` is the time since the machine's start, `now_ms` the wall clock.
pub(super) fn recovered(reads: Reads<'_>, now: Option<&Stamp>, now_ms: u64) -> Result<Recovered, DiskError> {
    let mut recovered = Recovered { last_event: reads.last()?.seq, ..Recovered::default() };
    for row in reads.open_requests()? {
        match row.and_then(|row| Ok((readable(&row)?, row))) {
            Ok((standing, row)) => {
                let elapsed_ms = match (reads.stamp(&row.id)?, now) {
                    (Some(stamp), Some(now)) => stamp.elapsed_ms(now),
                    _ => None,
                };
                if let Some(elapsed_ms) = elapsed_ms {
                    let now_unset_ms = row.answered_ms.unwrap_or(row.created_ms).saturating_add(elapsed_ms);
                    recovered.drift_ms.insert(standing.request.id, difference(now_ms, now_unset_ms));
                }
                if reads.notes_on(&row.id)?.iter().any(|note| has_card(note)) {
                    recovered.shown.insert(standing.request.id);
                }
                recovered.open.push(standing);
            }
            Err(unreadable) => recovered.unreadable.push(unreadable),
        }
    }
    Ok(recovered)
}

/// Returns whether a messenger's note names its card.
fn has_card(note: &str) -> bool {
    #[derive(Deserialize)]
    struct Noted {
        card: Option<IgnoredAny>,
    }
    serde_json::from_str(note).is_ok_and(|Noted { card }| card.is_some())
}

/// Returns `one - other`, clamped to the range of `i64`.
fn difference(one: u64, other: u64) -> i64 {
    let magnitude = i64::try_from(one.abs_diff(other)).unwrap_or(i64::MAX);
    if one < other { -magnitude } else { magnitude }
}

/// Returns a request and its status, or why they cannot be read.
pub(super) fn readable(row: &RequestRow) -> Result<Standing, Unreadable> {
    standing(row).map_err(|error| {
        let (number, id) = (row.number, Some(row.id.clone()));
        Unreadable { what: "request", number, id, why: error.without_content() }
    })
}

/// Returns the number of a row, readable or not.
pub(super) fn number(row: &Row<RequestRow>) -> u64 {
    row.as_ref().map_or_else(|unreadable| unreadable.number, |row| row.number)
}

/// Returns a stored request's JSON without the text of what was asked.
pub(super) fn without_text(body: &str) -> Option<String> {
    let request: Request = serde_json::from_str(body).ok()?;
    let subject = Subject {
        context: Vec::new(),
        parts: Vec::new(),
        grant: None,
        granted: None,
        risks: Vec::new(),
        ..request.subject
    };
    let offer = Offer { always: Vec::new(), questions: Vec::new(), ..request.offer };
    serde_json::to_string(&Request { input: Map::new(), subject, offer, ..request }).ok()
}

/// Returns the word by which JSON names an enum's value.
pub(super) fn word(value: &impl Serialize) -> Result<String, DiskError> {
    let value = serde_json::to_value(value).map_err(DiskError::json("a word"))?;
    Ok(value.as_str().unwrap_or_default().to_owned())
}
