//! Commands that the gateway runs: the calls, and the reports.

mod invoke;
mod written;

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

pub use invoke::{InvokeTool, MAX_ARGV_WORDS, MAX_ENV_NAMES};
pub use written::Written;

use crate::id;
use crate::request::RequestId;

/// Params of `tools.run`, which runs a command for a client that follows it. The command is stopped if the client disconnects.
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
pub struct RunTool(pub InvokeTool);

/// Params of `tools.get`, which returns an invocation in its present state.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GetTool {
    /// The id of the invocation.
    #[serde(deserialize_with = "id::deserialize")]
    pub invocation_id: Uuid,
}

/// Params of `tools.cancel`, which stops an invocation.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CancelTool {
    /// The id of the invocation.
    #[serde(deserialize_with = "id::deserialize")]
    pub invocation_id: Uuid,
}

/// The result of stopping an invocation.
#[derive(Debug, Serialize, Deserialize)]
pub struct Cancelled {
    /// Whether there was anything to stop.
    pub cancelled: bool,
}

/// The immediate result of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Invoked {
    /// The invocation's id, for later calls.
    #[schema(value_type = id::Id)]
    pub invocation_id: Uuid,
    /// Whether a person is asked.
    pub awaiting_approval: bool,
    /// The state of the invocation.
    pub state: State,
    /// The request that asks a person, if one is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub approval_id: Option<RequestId>,
}

/// An invocation in its present state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The invocation's id, a UUID.
    #[schema(value_type = id::Id)]
    pub invocation_id: Uuid,
    /// The state of the invocation.
    pub state: State,
    /// The program and its arguments.
    pub argv: Vec<String>,
    /// The folder in which it runs, without links.
    #[schema(value_type = String)]
    pub cwd: PathBuf,
    /// The exit code of a process that exited by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub exit_code: Option<i32>,
    /// The signal that ended the process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub signal: Option<i32>,
    /// Why it did not succeed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub error: Option<Fault>,
    /// The output that is kept: stdout, then stderr.
    pub output: Vec<Piece>,
    /// Whether some of the output was not kept.
    pub truncated: bool,
    /// Whether secrets are masked, because this comes from the store and not from memory.
    #[serde(default)]
    pub masked: bool,
    /// When it was asked for, in Unix milliseconds.
    pub created_ms: u64,
    /// When it ended, in Unix milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub ended_ms: Option<u64>,
}

/// The state of an invocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = InvocationState)]
pub enum State {
    /// A person is asked.
    AwaitingApproval,
    /// It was allowed, and is running.
    Running,
    /// It exited with 0.
    Succeeded,
    /// It exited with another code, was killed, could not be started, or was stopped.
    Failed,
    /// A person or a rule denied it, or it would not have run what was shown.
    Forbidden,
    /// Nobody answered in time.
    Expired,
}

/// Why an invocation did not succeed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Fault {
    /// The code, for programs.
    pub code: Code,
    /// The message, for people and models.
    pub message: String,
}

/// The codes of faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[schema(as = FaultCode)]
pub enum Code {
    /// A person or a rule denied it.
    #[serde(rename = "ERR_FORBIDDEN")]
    Forbidden,
    /// It would not have run what was shown.
    #[serde(rename = "ERR_MISMATCH")]
    Mismatch,
    /// Nobody answered in time.
    #[serde(rename = "ERR_EXPIRED")]
    Expired,
    /// It could not be started.
    #[serde(rename = "ERR_START")]
    Start,
    /// It exited with another code than 0.
    #[serde(rename = "ERR_EXIT")]
    Exit,
    /// A signal ended it.
    #[serde(rename = "ERR_SIGNAL")]
    Signal,
    /// It exceeded its time limit, and was killed.
    #[serde(rename = "ERR_TIMEOUT")]
    Timeout,
    /// The asker stopped it.
    #[serde(rename = "ERR_CANCELLED")]
    Cancelled,
    /// The gateway ended first.
    #[serde(rename = "ERR_INTERRUPTED")]
    Interrupted,
    /// The values of its variables were lost, because they are never stored.
    #[serde(rename = "ERR_ENVIRONMENT")]
    Environment,
    /// It could not be recorded, so it was not started.
    #[serde(rename = "ERR_NOT_RECORDED")]
    NotRecorded,
}

/// An output stream of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Stream {
    /// The standard output.
    Stdout,
    /// The standard error.
    Stderr,
}

/// A chunk of a command's output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Piece {
    /// Whether it was written to stdout or to stderr.
    pub stream: Stream,
    /// The text that was written.
    pub text: String,
    /// How many bytes of the stream before this chunk were not kept.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub omitted_bytes: u64,
}

impl State {
    /// Returns whether the state never changes again.
    pub fn is_final(self) -> bool {
        !matches!(self, Self::AwaitingApproval | Self::Running)
    }
}

pub(crate) fn is_zero(count: &u64) -> bool {
    *count == 0
}
