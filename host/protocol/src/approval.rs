//! Requests as surfaces get them: the fields of a [`Standing`], and the text that a person reads. A client that needs
//! no more can parse a [`Standing`] from it.

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

/// A request and its status.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Approval {
    /// The request's id, a UUID v4.
    id: RequestId,
    /// The source of the request.
    source: Source,
    /// The name of the tool.
    tool: String,
    /// The tool's whole input, unchanged; masked once the request has ended.
    #[schema(value_type = Object, additional_properties = true)]
    input: Map<String, Value>,
    /// The folder in which the agent works.
    cwd: String,
    /// The content of its card.
    subject: Subject,
    /// The answers that it takes besides yes and no.
    offer: Offered,
    /// Whether it may be granted for the session: `offer.session`.
    offers_session: bool,
    /// When it came in, in Unix milliseconds.
    created_ms: u64,
    /// When it expires, in Unix milliseconds.
    expires_ms: u64,
    /// Whether it is open, denied or ended.
    status: StatusName,
    /// The person who denied, while a reason may follow.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    by: Option<Answerer>,
    /// With `by`: until when a reason may follow, in Unix milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    until_ms: Option<u64>,
    /// With `by`: whether the person is asked what to do instead.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    instead: bool,
    /// How it ended, once it has ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    resolution: Option<Resolution>,
    /// When it ended, in Unix milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    ended_ms: Option<u64>,
    /// Whether the asker took the decision. Absent while the request is open, or if that is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    taken: Option<bool>,
    /// The input as a person reads it: complete, with invisible characters made visible.
    shown: Vec<Piece>,
}

/// The status of a request, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Status)]
enum StatusName {
    /// Nobody has answered.
    Open,
    /// A person denied, and may give a reason.
    Denied,
    /// The request has ended.
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

/// Params of `approvals.get`, which returns one request.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GetApproval {
    /// The id of the request.
    pub id: RequestId,
}

/// One request.
// The gateway writes an [`Approval`]; a client may read only the [`Standing`] in it.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = OneApproval)]
pub struct One<A = Approval> {
    /// The request and its status.
    pub approval: A,
}

/// Params of `approval.respond`, which answers a request of any session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Respond {
    /// The id of the request.
    pub id: RequestId,
    /// The answer, flattened into the other members.
    #[serde(flatten)]
    pub answer: AnswerBody,
    /// Deny at once, for good. The reason may follow as a second deny.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub reason_to_come: bool,
}

impl<'de> Deserialize<'de> for Respond {
    /// Parses the remaining members as the answer, which refuses unknown members.
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
