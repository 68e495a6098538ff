//! What whoever asked is told.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::output::Piece;
use super::state::{Fault, State};
use crate::request::RequestId;

/// The answer to a call, at once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Invoked {
    /// By which it is looked at later.
    #[schema(value_type = String)]
    pub invocation_id: Uuid,
    /// Whether a person is asked.
    pub awaiting_approval: bool,
    /// Where it stands.
    pub state: State,
    /// The request by which somebody is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, nullable = false)]
    pub approval_id: Option<RequestId>,
}

/// An invocation, as far as it went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Its id.
    #[schema(value_type = String)]
    pub invocation_id: Uuid,
    /// Where it stands.
    pub state: State,
    /// The program and its arguments.
    pub argv: Vec<String>,
    /// Where it runs, without links.
    #[schema(value_type = String)]
    pub cwd: PathBuf,
    /// Of a process that exited by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub exit_code: Option<i32>,
    /// The signal that ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub signal: Option<i32>,
    /// Why it did not succeed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub error: Option<Fault>,
    /// What it wrote, as far as it is kept: stdout, then stderr.
    pub output: Vec<Piece>,
    /// Whether it wrote more than is kept.
    pub truncated: bool,
    /// Whether secrets are masked, because this comes from the store and not from memory.
    #[serde(default)]
    pub masked: bool,
    /// When it was asked for, Unix milliseconds.
    pub created_ms: u64,
    /// When it ended, Unix milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub ended_ms: Option<u64>,
}
