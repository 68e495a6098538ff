//! Requests as surfaces get them: the same fields as a [`Standing`], and what of it a person reads. A client that needs no
//! more reads a [`Standing`] of it.

use dmplz_core::approvers::Answerer;
use dmplz_core::card::Subject;
use dmplz_core::present::{Piece, pieces};
use dmplz_core::request::Resolution;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::answer::AnswerBody;
use crate::request::{RequestId, Source, Standing, Status};

mod offer;

use offer::Offered;

/// A request and where it stands.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Approval {
    /// Its id, UUID v4.
    id: RequestId,
    /// Who asks.
    source: Source,
    /// The tool.
    tool: String,
    /// The tool's whole input, exactly as it came; masked once the request has ended.
    #[schema(value_type = Object, additional_properties = true)]
    input: Map<String, Value>,
    /// Where the agent works.
    cwd: String,
    /// How a card shows it.
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
    #[schema(nullable = false)]
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
    #[schema(nullable = false)]
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

/// Where a request stands, in one word.
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

/// Asks for one request.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GetApproval {
    /// The id of the request that was asked.
    pub id: RequestId,
}

/// One request.
// The gateway writes an [`Approval`], and a client may read the [`Standing`] in it.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = OneApproval)]
pub struct One<A = Approval> {
    /// The request and where it stands.
    pub approval: A,
}

/// A person answers a request: whoever the session is of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Respond {
    /// The id of the request that is wanted.
    pub id: RequestId,
    /// The answer, beside the other members.
    #[serde(flatten)]
    pub answer: AnswerBody,
    /// Deny at once, for good; the reason may follow as a deny of its own.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub reason_to_come: bool,
}

impl<'de> Deserialize<'de> for Respond {
    /// Reads what is left of the members as the answer, which refuses those that it does not know.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct To {
            id: RequestId,
            #[serde(default)]
            reason_to_come: bool,
        }
        let mut members = Map::deserialize(deserializer)?;
        let to = ["id", "reasonToCome"].into_iter();
        let to = to.filter_map(|key| Some((key.to_owned(), members.shift_remove(key)?))).collect();
        let To { id, reason_to_come } = serde_json::from_value(to).map_err(D::Error::custom)?;
        let answer = serde_json::from_value(members.into()).map_err(D::Error::custom)?;
        Ok(Self { id, answer, reason_to_come })
    }
}

#[cfg(test)]
pub(crate) mod tests;
