//! The messages that the bus carries.

use dmplz_core::approvers::Answerer;
use dmplz_core::grant::change::Over;
use dmplz_core::grant::{Change, Grant};
use dmplz_core::request::Resolution;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::request::{Request, RequestId, Standing};
use crate::session::{Numbered, Session};
use crate::tool::{State, Stream};

mod malformed;

pub use malformed::Malformed;

/// A message that was published, as surfaces get it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// Its number in the audit trail, from 1, with which a client continues after an absence. `None` for events that
    /// are only sent live, such as a tool's output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event_id: Option<u64>,
    /// When it happened, in Unix milliseconds.
    pub at_ms: u64,
    /// What happened, with its data.
    #[serde(flatten)]
    pub message: Message,
}

/// A typed message. The correlation id of a confirmation is its request's id.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all_fields = "camelCase")]
pub enum Message {
    /// A program asks to run a tool, and no rule decides it. It is not yet on disk: `approval.requested` follows.
    #[serde(rename = "confirmation.request")]
    ConfirmationRequest {
        /// Pairs the request with its response.
        correlation_id: RequestId,
        /// The request.
        request: Box<Request>,
    },
    /// The response to a `confirmation.request`, or a rule's decision about a request that nobody was asked about.
    #[serde(rename = "confirmation.response")]
    ConfirmationResponse {
        /// The request's id.
        correlation_id: RequestId,
        /// Whether the request was allowed.
        confirmed: bool,
        /// How the request ended.
        resolution: Resolution,
    },
    /// A rule denied the request; nobody was asked.
    #[serde(rename = "policy.rejection")]
    PolicyRejection {
        /// The request's id.
        correlation_id: RequestId,
        /// The rule, as `file:line`.
        rule: String,
        /// The message of the rule's author.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<String>,
    },
    /// A person is asked. The request is on disk.
    #[serde(rename = "approval.requested")]
    ApprovalRequested {
        /// The request and its status.
        approval: Box<Standing>,
    },
    /// A person denied, and may give a reason.
    #[serde(rename = "approval.denied")]
    ApprovalDenied {
        /// The request and its status.
        approval: Box<Standing>,
    },
    /// A request ended. Its end is on disk, unless the event has no number.
    #[serde(rename = "approval.resolved")]
    ApprovalResolved {
        /// The request and its status.
        approval: Box<Standing>,
    },
    /// Whether the asker took the decision.
    #[serde(rename = "approval.taken")]
    ApprovalTaken {
        /// The request's id.
        request_id: RequestId,
        /// Whether the asker took it.
        taken: bool,
    },
    /// A person gave a grant.
    #[serde(rename = "grant.made")]
    GrantMade {
        /// The grant, with the person and the request. Whatever could be secret in it is masked.
        grant: Box<Grant>,
    },
    /// A person revoked a grant.
    #[serde(rename = "grant.revoked")]
    GrantRevoked {
        /// The grant that was revoked.
        grant: Box<Grant>,
        /// Who revoked it, and on which surface.
        by: Answerer,
    },
    /// A grant ended without being revoked.
    #[serde(rename = "grant.ended")]
    GrantEnded {
        /// The grant that ended.
        grant: Box<Grant>,
        /// Why it ended.
        why: Over,
    },
    /// A messenger has not been usable for a minute. Sent live only.
    #[serde(rename = "messenger.unreachable")]
    MessengerUnreachable {
        /// The messenger's name, such as `telegram`.
        messenger: String,
        /// Since when, in Unix milliseconds.
        since_ms: u64,
        /// Why, in English; absent if it has not started.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// A messenger can be used again. Sent live only.
    #[serde(rename = "messenger.reachable")]
    MessengerReachable {
        /// The messenger's name.
        messenger: String,
    },
    /// An approved invocation has started.
    #[serde(rename = "tool.started")]
    ToolStarted {
        /// The invocation's id.
        invocation_id: Uuid,
    },
    /// Output of an invocation. Sent live only.
    #[serde(rename = "tool.output")]
    ToolOutput {
        /// The invocation's id.
        invocation_id: Uuid,
        /// Where it was written to.
        stream: Stream,
        /// The output as text; bytes that are not UTF-8 are replaced.
        text: String,
    },
    /// An invocation has ended, or will never run.
    #[serde(rename = "tool.finished")]
    ToolFinished {
        /// The invocation's id.
        invocation_id: Uuid,
        /// Its last state.
        state: State,
        /// The exit code of a process that exited by itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        exit_code: Option<i32>,
    },
    /// A session did something. Sent live only; `session.get` returns earlier events.
    #[serde(rename = "session.event")]
    SessionEvent {
        /// The id of the session.
        session_id: Uuid,
        /// The event.
        happened: Box<Numbered>,
    },
    /// The agent of a session is writing a text. Sent live only, a few times a second; `session.get` returns what was written so far. The
    /// finished text is an event of the session, and takes its place.
    #[serde(rename = "session.partial")]
    SessionPartial {
        /// The id of the session.
        session_id: Uuid,
        /// How much of the text was sent before, in UTF-16 code units. 0: it begins anew, and what was sent before counts no more.
        from: usize,
        /// What comes next in it. With `from` 0, an empty text says that nothing is being written any more.
        text: String,
    },
    /// A session began or changed. Sent live only; `session.list` returns all sessions.
    #[serde(rename = "session.changed")]
    SessionChanged {
        /// The session in its current state.
        session: Box<Session>,
    },
}

macro_rules! kinds {
    ($($kind:ident: $name:literal;)*) => {
        /// The type of a message, used to subscribe.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum Kind {
            $(
                #[doc = concat!("`", $name, "`")]
                #[serde(rename = $name)]
                $kind,
            )*
        }

        impl Message {
            /// Returns the kind, by which subscribers select messages.
            pub fn kind(&self) -> Kind {
                match self {
                    $(Self::$kind { .. } => Kind::$kind,)*
                }
            }
        }
    };
}

kinds! {
    ConfirmationRequest: "confirmation.request";
    ConfirmationResponse: "confirmation.response";
    PolicyRejection: "policy.rejection";
    ApprovalRequested: "approval.requested";
    ApprovalDenied: "approval.denied";
    ApprovalResolved: "approval.resolved";
    ApprovalTaken: "approval.taken";
    GrantMade: "grant.made";
    GrantRevoked: "grant.revoked";
    GrantEnded: "grant.ended";
    MessengerUnreachable: "messenger.unreachable";
    MessengerReachable: "messenger.reachable";
    ToolStarted: "tool.started";
    ToolOutput: "tool.output";
    ToolFinished: "tool.finished";
    SessionEvent: "session.event";
    SessionPartial: "session.partial";
    SessionChanged: "session.changed";
}

impl Message {
    /// Returns the request that the audit trail files the message under, if the message itself does not record it.
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
    /// The kinds of messages about messengers.
    pub const MESSENGERS: &[Self] = &[Self::MessengerUnreachable, Self::MessengerReachable];

    /// The kinds of messages that a surface needs to show requests.
    pub const APPROVALS: &[Self] =
        &[Self::ApprovalRequested, Self::ApprovalDenied, Self::ApprovalResolved, Self::ApprovalTaken];
}

/// Params of `events.subscribe`. Events are sent as notifications. A session has one subscription; a new one replaces it.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Subscribe {
    /// The last event that the peer saw. It receives the events after it, and then the live ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<u64>,
    /// The types of events; [`Kind::APPROVALS`] by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub types: Option<Vec<Kind>>,
}

/// The result of a subscription.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Subscribed {
    /// The last event before the subscription began.
    pub last_event_id: u64,
}
