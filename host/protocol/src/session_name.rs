//! What the sessions whose requests wait are called, so that people tell them apart.

use serde::{Deserialize, Serialize};

/// Params of `approvals.sessions`, which names the sessions that have an open request.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NameSessions {}

/// The result of `approvals.sessions`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedSessions {
    /// The sessions of which something is known, by their ids.
    pub sessions: Vec<NamedSession>,
}

/// What is known of a session. All of it is untrusted text on one line, with secrets masked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NamedSession {
    /// The id that the client gave the session.
    pub session_id: String,
    /// The branch that is checked out in its folder, or the beginning of a commit's id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// The beginning of the first prompt that the gateway was told of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
}
