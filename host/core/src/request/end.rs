//! How a request ended, in one word, and why where nobody's answer counts: for records, figures and APIs.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{ExpiredCause, Extent, Outcome, Resolver};

/// How a request ended, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Outcome)]
pub enum End {
    /// A person allowed this call, and no other.
    Approved,
    /// Allowed, and granted for the session.
    ApprovedSession,
    /// Allowed, and stored as a permission of the client.
    ApprovedAlways,
    /// Allowed, and granted for a while.
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
    /// Answered somewhere else, or not awaited any more.
    ResolvedElsewhere,
}

/// Why nobody's answer counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// The deadline passed while somebody could have answered.
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
    /// Whether a person allowed it.
    pub fn is_approval(self) -> bool {
        matches!(
            self,
            Self::Approved | Self::ApprovedSession | Self::ApprovedAlways | Self::ApprovedGranted | Self::Answered
        )
    }

    /// The word for what a person, or nobody, decided, and the cause that goes with it.
    pub fn of(outcome: &Outcome) -> (Self, Option<Cause>) {
        match outcome {
            Outcome::Approved { extent, .. } => {
                let end = match extent {
                    Extent::Once | Extent::Plan { .. } => Self::Approved,
                    Extent::Session => Self::ApprovedSession,
                    Extent::Always { .. } => Self::ApprovedAlways,
                    Extent::Granted { .. } => Self::ApprovedGranted,
                    Extent::Answers { .. } => Self::Answered,
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
