//! Requests as the store keeps them, and back.

use dmplz_core::card::Subject;
use dmplz_core::flow::Offer;
use dmplz_core::redact::mask;
use dmplz_core::resolution::{Answerer, Resolution};
use dmplz_state::store::{self, NewRequest, RequestRow};
use serde::{Deserialize, Serialize};
use serde_json::Map;

use super::{DiskError, masked, masked_end};
use crate::request::{Request, Source, Standing, Status};

/// Who denied, and until when a reason is waited for.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Denial {
    pub(super) by: Answerer,
    pub(super) until_ms: u64,
    /// Whether they are to say what to do instead.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) instead: bool,
}

/// What the audit trail says of a request that came in: enough to know it by, and nothing that could be secret.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Requested<'a> {
    source: &'a Source,
    tool: &'a str,
    cwd: String,
    expires_ms: u64,
    input_sha256: &'a str,
}

/// A request as it is kept, and what the audit trail says of it.
pub(super) fn row(request: &Request) -> Result<(NewRequest, String), DiskError> {
    let id = request.id.to_string();
    let json = |request: &Request| serde_json::to_string(request).map_err(DiskError::json(&id));
    let (source, session_id, agent_id) = match &request.source {
        Source::Hook { session_id, agent_id } => ("hook", Some(session_id.clone()), agent_id.clone()),
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

/// The SHA-256 of a request's exact input, hex.
pub(super) fn digest(request: &Request) -> Result<String, DiskError> {
    let input = serde_json::to_vec(&request.input).map_err(DiskError::json(&request.id.to_string()))?;
    Ok(store::digest(&input))
}

/// An end as it is kept. One that says too little is none: an allow needs the person who gave it.
pub(super) fn end(resolution: &Resolution, at_ms: u64) -> Result<store::End, DiskError> {
    let kept = masked_end(resolution);
    Ok(store::End {
        outcome: word(&kept.outcome)?,
        surface: kept.by.as_ref().map(|by| by.surface.clone()),
        resolution: serde_json::to_string(&kept).map_err(DiskError::json("an end"))?,
        at_ms,
    })
}

/// A request and how it stands, as it was kept.
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

/// A request's text without what was asked.
pub(super) fn without_text(body: &str) -> Option<String> {
    let request: Request = serde_json::from_str(body).ok()?;
    let subject = Subject { context: Vec::new(), parts: Vec::new(), grant: None, granted: None, ..request.subject };
    let offer = Offer { always: Vec::new(), questions: Vec::new(), ..request.offer };
    serde_json::to_string(&Request { input: Map::new(), subject, offer, ..request }).ok()
}

/// The word that JSON has for a value of an enum.
pub(super) fn word(value: &impl Serialize) -> Result<String, DiskError> {
    let value = serde_json::to_value(value).map_err(DiskError::json("a word"))?;
    Ok(value.as_str().unwrap_or_default().to_owned())
}
