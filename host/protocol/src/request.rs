//! A request: a tool call that an agent or another program wants to make.

use std::fmt;
use std::str::FromStr;

use dmplz_core::approvers::Answerer;
use dmplz_core::card::Subject;
use dmplz_core::request::{Offer, Resolution};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::id::{self, NotAnId};

/// A request's id: a random UUID, so that nobody can guess it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = String, pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
pub struct RequestId(#[serde(deserialize_with = "id::deserialize")] Uuid);

/// Where a request came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Source {
    /// A session of Claude Code.
    Hook {
        /// The session's id.
        #[serde(rename = "sessionId")]
        session_id: String,
        /// The subagent's id, if a subagent asks.
        #[serde(rename = "agentId", default, skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        agent_id: Option<String>,
    },
    /// A session of Claude Code that the gateway runs.
    Session {
        /// The session.
        #[serde(rename = "sessionId")]
        session_id: String,
        /// The subagent in it.
        #[serde(rename = "agentId", default, skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        agent_id: Option<String>,
    },
    /// A call of `tools.invoke` or `dmplz exec`.
    Tool {
        /// The invocation's id, a UUID v4.
        #[serde(rename = "invocationId")]
        #[schema(value_type = String, pattern = "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$")]
        invocation_id: Uuid,
    },
}

/// A request as it came in. It never changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    /// The request's id, a UUID.
    pub id: RequestId,
    /// Where the request came from.
    pub source: Source,
    /// The name of the tool to call.
    pub tool: String,
    /// The tool's whole input, unchanged.
    pub input: Map<String, Value>,
    /// The folder in which the agent works.
    pub cwd: String,
    /// The content of its card: complete, with invisible characters made visible.
    pub subject: Subject,
    /// The answers that it takes besides yes and no.
    #[serde(flatten, with = "offer")]
    pub offer: Offer,
    /// When it came in, in Unix milliseconds.
    pub created_ms: u64,
    /// When it expires, in Unix milliseconds.
    pub expires_ms: u64,
}

/// The status of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Status {
    /// Nobody has answered.
    Open,
    /// A person denied, and may give a reason until `until_ms`. The request can only end as a rejection.
    Denied {
        /// The person who denied.
        by: Answerer,
        /// Until when a reason may follow, in Unix milliseconds.
        until_ms: u64,
        /// Whether the person is asked what to do instead.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        instead: bool,
    },
    /// The request has ended.
    Ended {
        /// How it ended.
        resolution: Resolution,
        /// When it ended, in Unix milliseconds.
        ended_ms: u64,
        /// Whether the asker took the decision; `None` if that is unknown.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        taken: Option<bool>,
    },
}

/// A request and its status.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// The request. Once it has ended, its input and subject are masked.
    #[serde(flatten)]
    pub request: Request,
    /// Whether the request is open, denied or ended.
    #[serde(flatten)]
    pub status: Status,
}

impl RequestId {
    /// Makes a new random id.
    pub fn new() -> Self {
        Self(Uuid::new_v4())
    }

    /// Makes an id of 16 bytes that nobody can guess, such as a keyed digest, for a caller that has to find the same id again.
    pub fn of_secret(bytes: [u8; 16]) -> Self {
        Self(uuid::Builder::from_random_bytes(bytes).into_uuid())
    }

    /// Returns whether it is the nil UUID, which identifies nothing.
    pub fn is_nil(&self) -> bool {
        self.0.is_nil()
    }
}

impl Source {
    /// Returns the client's session and the subagent that it came from; `None` for a tool run.
    pub fn session(&self) -> Option<(&str, Option<&str>)> {
        match self {
            Self::Hook { session_id, agent_id } | Self::Session { session_id, agent_id } => {
                Some((session_id, agent_id.as_deref()))
            }
            Self::Tool { .. } => None,
        }
    }
}

impl Request {
    /// Returns whether this is the same request. After a lost connection it is asked again with other times.
    pub fn is_again(&self, other: &Self) -> bool {
        self.id == other.id
            && self.source == other.source
            && self.tool == other.tool
            && self.cwd == other.cwd
            && self.input == other.input
    }

    /// Returns the approximate number of bytes of text in the request.
    pub fn weight(&self) -> usize {
        let shown: usize = self.subject.parts.iter().map(|part| part.text().len()).sum();
        shown + self.input.iter().map(|(key, value)| key.len() + weight(value)).sum::<usize>()
    }
}

/// Serialises the offer beside the request's other fields. Records from before offers existed hold only
/// `offersSession`.
mod offer {
    use dmplz_core::request::Offer;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize)]
    struct Written<'a> {
        offer: &'a Offer,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Kept {
        offer: Option<Offer>,
        #[serde(default)]
        offers_session: bool,
    }

    pub(super) fn serialize<S: Serializer>(offer: &Offer, serializer: S) -> Result<S::Ok, S::Error> {
        Written { offer }.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Offer, D::Error> {
        let Kept { offer, offers_session } = Kept::deserialize(deserializer)?;
        Ok(offer.unwrap_or_else(|| Offer::plain(offers_session)))
    }
}

fn weight(value: &Value) -> usize {
    // The size of a value without its text.
    const VALUE: usize = 32;
    VALUE
        + match value {
            Value::String(text) => text.len(),
            Value::Array(values) => values.iter().map(weight).sum(),
            Value::Object(fields) => fields.iter().map(|(key, value)| key.len() + weight(value)).sum(),
            Value::Null | Value::Bool(_) | Value::Number(_) => 0,
        }
}

impl Default for RequestId {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for RequestId {
    type Err = NotAnId;

    /// Parses a complete id in the spelling that [`Display`](fmt::Display) writes, and nothing else.
    fn from_str(text: &str) -> Result<Self, NotAnId> {
        id::parse(text).map(Self)
    }
}
