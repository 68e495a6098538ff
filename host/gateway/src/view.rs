//! Requests as surfaces get them: the same fields as a [`Standing`], and what of it a person reads.

use dmplz_core::card::Subject;
use dmplz_core::present::{Piece, pieces};
use dmplz_core::resolution::{Answerer, Resolution};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::request::{RequestId, Source, Standing, Status};

mod grant;
mod offer;
pub(crate) mod schema;

pub(crate) use grant::{Grants, RevokedGrant};
use offer::Offered;

/// A request and where it stands.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Approval {
    /// Its id, UUID v4.
    #[schema(value_type = String, pattern = "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$")]
    id: RequestId,
    /// Who asks.
    #[schema(value_type = schema::Source)]
    source: Source,
    /// The tool.
    tool: String,
    /// The tool's whole input, exactly as it came; masked once the request has ended.
    #[schema(value_type = Object, additional_properties = true)]
    input: Map<String, Value>,
    /// Where the agent works.
    cwd: String,
    /// How a card shows it.
    #[schema(value_type = schema::Subject)]
    subject: Subject,
    /// What may be answered besides yes and no.
    offer: Offered,
    /// Whether it may be granted for the session: `offer.session`.
    offers_session: bool,
    /// When it came in, Unix milliseconds.
    created_ms: u64,
    /// When it expires, Unix milliseconds.
    expires_ms: u64,
    /// Where it stands.
    status: StatusName,
    /// Once it was denied and as long as a reason may follow: by whom.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<schema::Answerer>, nullable = false)]
    by: Option<Answerer>,
    /// With `by`: until when a reason may follow, Unix milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    until_ms: Option<u64>,
    /// With `by`: whether the reason is to say what to do instead.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    instead: bool,
    /// Once it has ended: how.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<schema::Resolution>, nullable = false)]
    resolution: Option<Resolution>,
    /// Once it has ended: when, Unix milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    ended_ms: Option<u64>,
    /// Once it has ended: whether whoever asked took the decision. Not there while that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    taken: Option<bool>,
    /// What a person reads of the input: all of it, made visible.
    shown: Vec<Piece>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Status)]
enum StatusName {
    /// Nobody has answered.
    Open,
    /// Somebody denied, and may say why.
    Denied,
    /// Final.
    Ended,
}

impl From<Standing> for Approval {
    fn from(Standing { request, status }: Standing) -> Self {
        let shown = pieces(&request.tool, &request.input);
        let open = Self {
            id: request.id,
            source: request.source,
            tool: request.tool,
            input: request.input,
            cwd: request.cwd,
            subject: request.subject,
            offers_session: request.offer.session,
            offer: request.offer.into(),
            created_ms: request.created_ms,
            expires_ms: request.expires_ms,
            status: StatusName::Open,
            by: None,
            until_ms: None,
            instead: false,
            resolution: None,
            ended_ms: None,
            taken: None,
            shown,
        };
        match status {
            Status::Open => open,
            Status::Denied { by, until_ms, instead } => {
                Self { status: StatusName::Denied, by: Some(by), until_ms: Some(until_ms), instead, ..open }
            }
            Status::Ended { resolution, ended_ms, taken } => Self {
                status: StatusName::Ended,
                resolution: Some(resolution),
                ended_ms: Some(ended_ms),
                taken,
                ..open
            },
        }
    }
}

#[cfg(test)]
mod tests;
