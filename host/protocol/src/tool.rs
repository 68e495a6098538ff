//! Commands that the gateway runs: what is asked for, and what is told of it.

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

/// A command to run, and to be followed to its end: it is stopped when its asker hangs up.
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
pub struct RunTool(pub InvokeTool);

/// Asks for an invocation, as far as it went.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GetTool {
    /// The invocation that is wanted.
    #[serde(deserialize_with = "id::deserialize")]
    pub invocation_id: Uuid,
}

/// Asks to stop an invocation that runs.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CancelTool {
    /// The invocation that is to be stopped.
    #[serde(deserialize_with = "id::deserialize")]
    pub invocation_id: Uuid,
}

/// What became of stopping it.
#[derive(Debug, Serialize, Deserialize)]
pub struct Cancelled {
    /// Whether there was anything to stop.
    pub cancelled: bool,
}

/// The answer to a call, at once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Invoked {
    /// By which it is looked at later.
    #[schema(value_type = String)]
    pub invocation_id: Uuid,
    /// Whether a person is asked.
    pub awaiting_approval: bool,
    /// How far the invocation has come.
    pub state: State,
    /// The request by which somebody is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub approval_id: Option<RequestId>,
}

/// An invocation, as far as it went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Names the invocation, by a UUID.
    #[schema(value_type = String)]
    pub invocation_id: Uuid,
    /// How far the invocation has come.
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

/// Where an invocation stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = InvocationState)]
pub enum State {
    /// A person is asked.
    AwaitingApproval,
    /// It was allowed, and runs.
    Running,
    /// It exited with 0.
    Succeeded,
    /// It exited with anything else, was killed, could not be started, or was stopped.
    Failed,
    /// A person or a rule denied, or what would have run was not what was shown.
    Forbidden,
    /// Nobody answered in time.
    Expired,
}

/// Why an invocation did not succeed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Fault {
    /// What programs look at.
    pub code: Code,
    /// What people and models read.
    pub message: String,
}

/// The kinds of faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[schema(as = FaultCode)]
pub enum Code {
    /// A person or a rule denied it.
    #[serde(rename = "ERR_FORBIDDEN")]
    Forbidden,
    /// What would have run is not what was shown.
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
    /// It ran longer than it may, and was killed.
    #[serde(rename = "ERR_TIMEOUT")]
    Timeout,
    /// Whoever asked for it stopped it.
    #[serde(rename = "ERR_CANCELLED")]
    Cancelled,
    /// The gateway ended before it did.
    #[serde(rename = "ERR_INTERRUPTED")]
    Interrupted,
    /// Its environment values were lost: they are never stored.
    #[serde(rename = "ERR_ENVIRONMENT")]
    Environment,
    /// The disk took no record of it, so it was not started.
    #[serde(rename = "ERR_NOT_RECORDED")]
    NotRecorded,
}

/// Where a command writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Stream {
    /// Its results.
    Stdout,
    /// Its complaints.
    Stderr,
}

/// A piece of what a command wrote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Piece {
    /// Whether it was written to stdout or to stderr.
    pub stream: Stream,
    /// The text that was written.
    pub text: String,
    /// How many bytes of the stream before it were not kept.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub omitted_bytes: u64,
}

impl State {
    /// Whether it never changes again.
    pub fn is_final(self) -> bool {
        !matches!(self, Self::AwaitingApproval | Self::Running)
    }

    /// Its name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::AwaitingApproval => "awaiting_approval",
            Self::Running => "running",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Forbidden => "forbidden",
            Self::Expired => "expired",
        }
    }
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl Stream {
    /// Its name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stdout => "stdout",
            Self::Stderr => "stderr",
        }
    }
}
