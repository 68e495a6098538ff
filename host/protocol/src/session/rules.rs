//! The permission rules of a session's client.

use dmplz_core::approvers::Answerer;
use dmplz_core::claude::{Permission, Scope};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::id;

/// Asks a session's client for its permission rules.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListSessionRules {
    /// The id of the session that is asked.
    #[serde(deserialize_with = "id::deserialize")]
    pub id: Uuid,
}

/// The permission rules of a session's client. They apply in addition to those of this program.
#[derive(Debug, Serialize, Deserialize)]
pub struct SessionRules {
    /// The rules as the client lists them; none if the session has ended.
    pub rules: Vec<ClientRule>,
    /// What people allowed when they answered the session's requests, oldest first. It can be revoked.
    #[serde(default)]
    pub given: Vec<GivenPermission>,
}

/// What a person allowed the client to do from then on, when they answered a request of the session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GivenPermission {
    /// Its number, which names it in this session.
    pub number: u32,
    /// What the client may do, as its settings write it.
    pub permission: Permission,
    /// For what it was stored.
    pub scope: Scope,
    /// The person who allowed it.
    pub by: Answerer,
    /// When they did, in Unix milliseconds.
    pub at_ms: u64,
}

/// Revokes what a person allowed when they answered a request of a session: the client asks about it again. It also works
/// after the session has ended.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RevokePermission {
    /// The id of the session.
    #[serde(deserialize_with = "id::deserialize")]
    pub id: Uuid,
    /// The number of the permission.
    pub number: u32,
}

/// A permission rule of the client's settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClientRule {
    /// What it does: `allow`, `deny` or `ask`.
    pub behavior: String,
    /// The rule as the client writes it.
    pub rule: String,
    /// The settings that contain it: `userSettings`, `session`, ...
    pub source: String,
}
