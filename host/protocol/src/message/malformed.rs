//! Checks whether messages are well formed.
//!
//! | message | malformed if |
//! |---|---|
//! | any | an id in it is nil; its event id is 0 |
//! | `confirmation.request` | its correlation id is not its request's id; the request is malformed |
//! | `confirmation.response` | `confirmed` contradicts the resolution, or the resolution is incomplete |
//! | `policy.rejection` | it names no rule |
//! | `approval.requested`, `.denied`, `.resolved` | the request is malformed; its status contradicts the type |
//! | `grant.made`, `.revoked`, `.ended` | this program could not have made the grant; the revoker has no id |
//! | `messenger.unreachable`, `.reachable` | it names no messenger |
//! | `tool.finished` | the state is none in which an invocation ends |
//!
//! A request is malformed if it names no tool, or if it expires before it came in.

use dmplz_core::request::Incomplete;

use super::{Event, Kind, Message};
use crate::request::{Request, Standing, Status};

/// Why a message is malformed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    /// An id in the message is nil.
    #[error("a message cannot be read: an id in it is nil")]
    NilId,
    /// The event id is 0; events are numbered from 1.
    #[error("a message cannot be read: its event id is 0")]
    EventId,
    /// The correlation id is not the request's id.
    #[error("a request cannot be read: its correlation id is not its id")]
    Correlation,
    /// The request names no tool.
    #[error("a request cannot be read: it names no tool")]
    Tool,
    /// The request expires before it came in.
    #[error("a request cannot be read: it expires before it came in")]
    Expiry,
    /// The request's status contradicts the message's type.
    #[error("a message cannot be read: the request stands otherwise than its type {0:?} says")]
    Status(Kind),
    /// `confirmed` contradicts the resolution.
    #[error("a response cannot be read: it confirms otherwise than its resolution says")]
    Confirmed,
    /// The resolution is incomplete.
    #[error(transparent)]
    Incomplete(#[from] Incomplete),
    /// A rejection by the policy names no rule.
    #[error("a rejection cannot be read: it names no rule")]
    Rule,
    /// This program could not have made the grant, or its revoker has no id.
    #[error("a grant cannot be read: it is none that dmplz makes")]
    Grant,
    /// The message names no messenger.
    #[error("news of a messenger cannot be read: it names none")]
    Messenger,
    /// An invocation cannot end in this state.
    #[error("the end of an invocation cannot be read: no invocation ends in its state")]
    State,
}

impl Event {
    /// Checks that the event is well formed.
    pub fn check(&self) -> Result<(), Malformed> {
        if self.event_id == Some(0) {
            return Err(Malformed::EventId);
        }
        self.message.check()
    }
}

impl Message {
    /// Checks that the message is well formed.
    pub fn check(&self) -> Result<(), Malformed> {
        match self {
            Self::ConfirmationRequest { correlation_id, request } => match *correlation_id == request.id {
                true => request.check(),
                false => Err(Malformed::Correlation),
            },
            Self::ConfirmationResponse { correlation_id, confirmed, resolution } => {
                known(correlation_id.is_nil())?;
                resolution.outcome()?;
                let allowed = resolution.outcome.is_approval();
                if allowed == *confirmed { Ok(()) } else { Err(Malformed::Confirmed) }
            }
            Self::PolicyRejection { correlation_id, rule, .. } => {
                known(correlation_id.is_nil())?;
                if rule.is_empty() { Err(Malformed::Rule) } else { Ok(()) }
            }
            Self::ApprovalRequested { approval }
            | Self::ApprovalDenied { approval }
            | Self::ApprovalResolved { approval } => stands(approval, self.kind()),
            Self::ApprovalTaken { request_id, .. } => known(request_id.is_nil()),
            Self::GrantMade { grant } | Self::GrantEnded { grant, .. } if grant.is_sound() => Ok(()),
            Self::GrantRevoked { grant, by } if grant.is_sound() && !by.id.is_empty() => Ok(()),
            Self::GrantMade { .. } | Self::GrantRevoked { .. } | Self::GrantEnded { .. } => Err(Malformed::Grant),
            Self::MessengerUnreachable { messenger, .. } | Self::MessengerReachable { messenger } => {
                if messenger.is_empty() { Err(Malformed::Messenger) } else { Ok(()) }
            }
            Self::SessionEvent { session_id: id, .. }
            | Self::SessionPartial { session_id: id, .. }
            | Self::ToolStarted { invocation_id: id }
            | Self::ToolOutput { invocation_id: id, .. } => known(id.is_nil()),
            Self::SessionChanged { session } => known(session.id.is_nil()),
            Self::ToolFinished { invocation_id, state, .. } => match state.is_final() {
                true => known(invocation_id.is_nil()),
                false => Err(Malformed::State),
            },
        }
    }
}

impl Request {
    /// Checks that the request is well formed.
    pub fn check(&self) -> Result<(), Malformed> {
        known(self.id.is_nil())?;
        if self.tool.trim().is_empty() {
            return Err(Malformed::Tool);
        }
        if self.expires_ms < self.created_ms {
            return Err(Malformed::Expiry);
        }
        Ok(())
    }
}

fn known(is_nil: bool) -> Result<(), Malformed> {
    if is_nil { Err(Malformed::NilId) } else { Ok(()) }
}

fn stands(approval: &Standing, kind: Kind) -> Result<(), Malformed> {
    approval.request.check()?;
    match (&approval.status, kind) {
        (Status::Open, Kind::ApprovalRequested) => Ok(()),
        (Status::Denied { by, .. }, Kind::ApprovalDenied) if !by.id.is_empty() => Ok(()),
        (Status::Ended { resolution, .. }, Kind::ApprovalResolved) => Ok(resolution.outcome().map(drop)?),
        _ => Err(Malformed::Status(kind)),
    }
}

#[cfg(test)]
mod tests;
