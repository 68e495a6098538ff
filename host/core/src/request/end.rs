//! The name of a request's outcome, and the cause if nobody's answer counts. Records, figures and APIs use them.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{ApprovalScope, ExpiredCause, Outcome, Resolver};

/// How a request ended, as one name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Outcome)]
pub enum End {
    /// A person allowed this call, and no other.
    Approved,
    /// A person allowed it and granted it for the session.
    ApprovedSession,
    /// A person allowed it, and the client stored a permission.
    ApprovedAlways,
    /// A person allowed it and granted it for a limited time.
    ApprovedGranted,
    /// A person answered the questions.
    Answered,
    /// A person denied it and said why.
    RejectedWithReason,
    /// A person denied it and gave no reason.
    RejectedNoReason,
    /// Allowed by a rule.
    AllowedByRule,
    /// Denied by a rule.
    DeniedByRule,
    /// No answer came before the deadline, or nobody could be asked.
    Expired,
    /// It was answered elsewhere, or nobody waits for the answer any more.
    ResolvedElsewhere,
}

/// Why a request ended without anybody's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// The deadline passed without an answer, although people could be asked.
    Nobody,
    /// The messenger could not be used.
    Failed,
    /// The call went on in the terminal.
    Terminal,
    /// The client stopped the hook.
    Stopped,
    /// The client is gone.
    ClientGone,
}

impl fmt::Display for End {
    /// Writes the name that records and APIs have for it: `approved_session`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

impl End {
    /// Returns whether a person allowed it.
    pub fn is_approval(self) -> bool {
        matches!(
            self,
            Self::Approved | Self::ApprovedSession | Self::ApprovedAlways | Self::ApprovedGranted | Self::Answered
        )
    }

    /// Returns the name of an outcome, and its cause if nobody's answer counts.
    pub fn of(outcome: &Outcome) -> (Self, Option<Cause>) {
        match outcome {
            Outcome::Approved { scope, .. } => {
                let end = match scope {
                    ApprovalScope::Once | ApprovalScope::Plan { .. } => Self::Approved,
                    ApprovalScope::Session => Self::ApprovedSession,
                    ApprovalScope::Always { .. } => Self::ApprovedAlways,
                    ApprovalScope::Granted { .. } => Self::ApprovedGranted,
                    ApprovalScope::Answers { .. } => Self::Answered,
                };
                (end, None)
            }
            Outcome::RejectedWithReason { .. } => (Self::RejectedWithReason, None),
            Outcome::RejectedNoReason { .. } => (Self::RejectedNoReason, None),
            Outcome::Expired(ExpiredCause::Nobody) => (Self::Expired, Some(Cause::Nobody)),
            Outcome::Expired(ExpiredCause::Failed(_)) => (Self::Expired, Some(Cause::Failed)),
            Outcome::ResolvedElsewhere(resolver) => {
                let cause = match resolver {
                    Resolver::Terminal => Cause::Terminal,
                    Resolver::Stopped => Cause::Stopped,
                    Resolver::ClientGone => Cause::ClientGone,
                };
                (Self::ResolvedElsewhere, Some(cause))
            }
        }
    }
}
