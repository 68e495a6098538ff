//! What the bus carries.

use dmplz_core::approvers::Answerer;
use dmplz_core::grant::change::Over;
use dmplz_core::grant::{Change, Grant};
use dmplz_core::request::Resolution;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::request::{Request, RequestId, Standing};
use crate::session::Numbered;

mod malformed;

pub use malformed::Malformed;

/// A message that was published, as surfaces get it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// Its place in the audit trail, from 1, by which a client goes on after it was away. None for what is only told
    /// live, such as a tool's output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event_id: Option<u64>,
    /// When it happened, in Unix milliseconds.
    pub at_ms: u64,
    /// What happened, with all that belongs to it.
    #[serde(flatten)]
    pub message: Message,
}

/// A typed message. The correlation id of a confirmation is its request's id.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all_fields = "camelCase")]
pub enum Message {
    /// Somebody wants to do something. The policy judges it before any subscriber sees it.
    #[serde(rename = "confirmation.request")]
    ConfirmationRequest {
        /// Pairs it with its response.
        correlation_id: RequestId,
        /// What.
        request: Box<Request>,
    },
    /// The end of it.
    #[serde(rename = "confirmation.response")]
    ConfirmationResponse {
        /// Of which request.
        correlation_id: RequestId,
        /// Whether it may go on.
        confirmed: bool,
        /// How it ended.
        resolution: Resolution,
    },
    /// A rule denied; nobody was asked.
    #[serde(rename = "policy.rejection")]
    PolicyRejection {
        /// Of which request.
        correlation_id: RequestId,
        /// The rule, `file:line`.
        rule: String,
        /// What the rule's author says.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<String>,
    },
    /// A person is asked: on disk by now.
    #[serde(rename = "approval.requested")]
    ApprovalRequested {
        /// What.
        approval: Box<Standing>,
    },
    /// Somebody denied and may say why.
    #[serde(rename = "approval.denied")]
    ApprovalDenied {
        /// With the status.
        approval: Box<Standing>,
    },
    /// It ended: on disk by now.
    #[serde(rename = "approval.resolved")]
    ApprovalResolved {
        /// With the status.
        approval: Box<Standing>,
    },
    /// Whoever asked took the decision, or did not.
    #[serde(rename = "approval.taken")]
    ApprovalTaken {
        /// Of which request.
        request_id: RequestId,
        /// Whether.
        taken: bool,
    },
    /// Somebody granted something for a while.
    #[serde(rename = "grant.made")]
    GrantMade {
        /// What, by whom, and on which request. What could be secret in it is masked.
        grant: Box<Grant>,
    },
    /// Somebody took a grant back.
    #[serde(rename = "grant.revoked")]
    GrantRevoked {
        /// Which.
        grant: Box<Grant>,
        /// Who did, and where.
        by: Answerer,
    },
    /// A grant ended without anybody.
    #[serde(rename = "grant.ended")]
    GrantEnded {
        /// Which.
        grant: Box<Grant>,
        /// Why.
        why: Over,
    },
    /// A messenger has not been usable for a minute. Told live only.
    #[serde(rename = "messenger.unreachable")]
    MessengerUnreachable {
        /// Which, such as `telegram`.
        messenger: String,
        /// Since when, Unix milliseconds.
        since_ms: u64,
        /// Why, in English; none where it has not started.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// It can be used again.
    #[serde(rename = "messenger.reachable")]
    MessengerReachable {
        /// Which.
        messenger: String,
    },
    /// An approved invocation runs.
    #[serde(rename = "tool.started")]
    ToolStarted {
        /// Which.
        invocation_id: Uuid,
    },
    /// What it wrote.
    #[serde(rename = "tool.output")]
    ToolOutput {
        /// Which.
        invocation_id: Uuid,
        /// `stdout` or `stderr`.
        stream: String,
        /// Text; bytes that are not UTF-8 are replaced.
        text: String,
    },
    /// It is over, or will never run.
    #[serde(rename = "tool.finished")]
    ToolFinished {
        /// Which.
        invocation_id: Uuid,
        /// `succeeded`, `failed`, `forbidden` or `expired`.
        state: String,
        /// Of a process that exited by itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        exit_code: Option<i32>,
    },
    /// A session did something. Told live only; `session.get` tells what it did before.
    #[serde(rename = "session.event")]
    SessionEvent {
        /// Which.
        session_id: Uuid,
        /// What.
        happened: Box<Numbered>,
    },
}

/// A message's type, to subscribe by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Kind {
    /// `confirmation.request`
    #[serde(rename = "confirmation.request")]
    ConfirmationRequest,
    /// `confirmation.response`
    #[serde(rename = "confirmation.response")]
    ConfirmationResponse,
    /// `policy.rejection`
    #[serde(rename = "policy.rejection")]
    PolicyRejection,
    /// `approval.requested`
    #[serde(rename = "approval.requested")]
    ApprovalRequested,
    /// `approval.denied`
    #[serde(rename = "approval.denied")]
    ApprovalDenied,
    /// `approval.resolved`
    #[serde(rename = "approval.resolved")]
    ApprovalResolved,
    /// `approval.taken`
    #[serde(rename = "approval.taken")]
    ApprovalTaken,
    /// `grant.made`
    #[serde(rename = "grant.made")]
    GrantMade,
    /// `grant.revoked`
    #[serde(rename = "grant.revoked")]
    GrantRevoked,
    /// `grant.ended`
    #[serde(rename = "grant.ended")]
    GrantEnded,
    /// `messenger.unreachable`
    #[serde(rename = "messenger.unreachable")]
    MessengerUnreachable,
    /// `messenger.reachable`
    #[serde(rename = "messenger.reachable")]
    MessengerReachable,
    /// `tool.started`
    #[serde(rename = "tool.started")]
    ToolStarted,
    /// `tool.output`
    #[serde(rename = "tool.output")]
    ToolOutput,
    /// `tool.finished`
    #[serde(rename = "tool.finished")]
    ToolFinished,
    /// `session.event`
    #[serde(rename = "session.event")]
    SessionEvent,
}

impl Message {
    /// The kind by which it is subscribed to.
    pub fn kind(&self) -> Kind {
        match self {
            Self::ConfirmationRequest { .. } => Kind::ConfirmationRequest,
            Self::ConfirmationResponse { .. } => Kind::ConfirmationResponse,
            Self::PolicyRejection { .. } => Kind::PolicyRejection,
            Self::ApprovalRequested { .. } => Kind::ApprovalRequested,
            Self::ApprovalDenied { .. } => Kind::ApprovalDenied,
            Self::ApprovalResolved { .. } => Kind::ApprovalResolved,
            Self::ApprovalTaken { .. } => Kind::ApprovalTaken,
            Self::GrantMade { .. } => Kind::GrantMade,
            Self::GrantRevoked { .. } => Kind::GrantRevoked,
            Self::GrantEnded { .. } => Kind::GrantEnded,
            Self::MessengerUnreachable { .. } => Kind::MessengerUnreachable,
            Self::MessengerReachable { .. } => Kind::MessengerReachable,
            Self::ToolStarted { .. } => Kind::ToolStarted,
            Self::ToolOutput { .. } => Kind::ToolOutput,
            Self::ToolFinished { .. } => Kind::ToolFinished,
            Self::SessionEvent { .. } => Kind::SessionEvent,
        }
    }

    /// Returns the request that the audit trail files it under, where that is not in the message's own record.
    pub fn filed_under(&self) -> Option<&str> {
        match self {
            Self::GrantMade { grant } | Self::GrantRevoked { grant, .. } | Self::GrantEnded { grant, .. } => {
                Some(&grant.request_id)
            }
            _ => None,
        }
    }
}

impl From<Change> for Message {
    fn from(change: Change) -> Self {
        match change {
            Change::Made { grant } => Self::GrantMade { grant: grant.into() },
            Change::Revoked { grant, by } => Self::GrantRevoked { grant: grant.into(), by },
            Change::Ended { grant, why } => Self::GrantEnded { grant: grant.into(), why },
        }
    }
}

impl Kind {
    /// What people are told of messengers.
    pub const MESSENGERS: &[Self] = &[Self::MessengerUnreachable, Self::MessengerReachable];

    /// The kinds of messages that a surface needs to show requests.
    pub const APPROVALS: &[Self] =
        &[Self::ApprovalRequested, Self::ApprovalDenied, Self::ApprovalResolved, Self::ApprovalTaken];
}

/// Asks for the events that come, as notifications. A session has one subscription; another one replaces it.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Subscribe {
    /// The last event that the peer saw: it gets what came after it, and then what comes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<u64>,
    /// Which events; those of [`Kind::APPROVALS`] where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub types: Option<Vec<Kind>>,
}

/// A subscription has begun.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Subscribed {
    /// The last event before it.
    pub last_event_id: u64,
}
