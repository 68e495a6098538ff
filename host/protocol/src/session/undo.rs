//! Undoing what a session's agent did to files.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{id, number};

/// Restores the files that the agent has edited since a message. The session must be idle. Without `confirm` nothing is
/// changed, and the result says what would be.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UndoSession {
    /// The id of the session whose edits are undone.
    #[serde(deserialize_with = "id::deserialize")]
    pub id: Uuid,
    /// The message since which edits are undone; by default the last one that the agent received.
    #[serde(default, deserialize_with = "id::optional", skip_serializing_if = "Option::is_none")]
    pub message_id: Option<Uuid>,
    /// What a person saw and confirmed. If undoing would change anything else by now, nothing is changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirm: Option<Undo>,
}

/// What is to be undone, as the body of a REST request.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UndoBody {
    /// The message since which edits are undone; by default the last one that the agent received.
    #[serde(default, deserialize_with = "id::optional", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<id::Id>, nullable = false)]
    pub message_id: Option<Uuid>,
    /// What a person saw and confirmed. Without it nothing is changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub confirm: Option<Undo>,
}

/// The changes that undoing makes to files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Undo {
    /// The message since which edits are undone.
    #[serde(deserialize_with = "id::deserialize")]
    #[schema(value_type = id::Id)]
    pub message_id: Uuid,
    /// The paths of the files that change, as the client writes them.
    pub files: Vec<String>,
    /// The number of lines that are added.
    #[serde(deserialize_with = "number::deserialize")]
    pub insertions: u64,
    /// The number of lines that are removed.
    #[serde(deserialize_with = "number::deserialize")]
    pub deletions: u64,
}

/// The result of `session.undo`.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct Undone {
    /// The changes that undoing makes to files.
    pub undo: Undo,
    /// The beginning of the message, on one line; empty if it is not known any more.
    pub text: String,
    /// Whether the files were changed.
    pub done: bool,
}
