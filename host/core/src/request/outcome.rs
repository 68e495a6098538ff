//! How a request can end, and the decision that the client then receives.

use super::ApprovalScope;
use crate::approvers::Approver;
use crate::messenger::ProviderError;

/// The final state of a request that was put before a person. A rule's decision is never an `Outcome`, because nobody
/// was asked; it is a `dmplz_policy::Ruled`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Allowed by a person.
    Approved {
        /// The person who approved.
        by: Approver,
        /// The scope of the approval.
        scope: ApprovalScope,
    },
    /// A person denied it and said why.
    RejectedWithReason {
        /// The person who denied.
        by: Approver,
        /// The reason, normalised but not masked: the client gets it as it was written.
        reason: String,
        /// Whether the reason says what to do instead, rather than why not.
        instead: bool,
    },
    /// Denied without a reason.
    RejectedNoReason {
        /// The person who denied.
        by: Approver,
        /// Why there is no reason: [`ReasonSource::ExplicitSkip`] or [`ReasonSource::Timeout`].
        source: ReasonSource,
    },
    /// No answer came before the deadline, or nobody could be asked.
    Expired(ExpiredCause),
    /// It was answered elsewhere, or nobody waits for the answer any more.
    ResolvedElsewhere(Resolver),
}

/// Where the reason of a denial comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReasonSource {
    /// The person wrote it.
    UserInput,
    /// The person wrote what to do instead.
    Instead,
    /// The person chose to give none.
    ExplicitSkip,
    /// No reason came in time.
    Timeout,
    /// A rule denied, not a person.
    Policy,
}

/// Why a request ended without anybody's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExpiredCause {
    /// The deadline passed without an answer, although people could be asked.
    Nobody,
    /// Nobody could be asked, for this reason.
    Failed(Trouble),
}

/// Why a request cannot reach an approver. The binary chooses its hint and exit code by it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// The messenger, or its provider, failed.
    #[error(transparent)]
    Messenger(#[from] ProviderError),
    /// Any other trouble of which a person is told in their language, as a whole clause in each.
    #[error("{en}")]
    Worded {
        /// The clause in English.
        en: String,
        /// The clause in Korean.
        ko: String,
    },
    /// Any other trouble, as a whole English clause: "the gateway went away".
    #[error("{0}")]
    Other(String),
}

/// What ended a request other than an answer on its card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Resolver {
    /// Another event of the session shows that the call went on.
    Terminal,
    /// The client stopped the hook.
    Stopped,
    /// The client is gone.
    ClientGone,
}

/// The decision that the client receives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// Run the call. It holds the person who allowed it, so that no allow can be made without one.
    Allow {
        /// The person who approved, one of the approvers.
        by: Approver,
        /// The scope of the approval.
        scope: ApprovalScope,
    },
    /// Do not run the call, and give the model this message.
    Deny {
        /// One of the English messages of [`Outcome::decision`].
        message: String,
    },
    /// No decision: the client proceeds as if there were no hook.
    None,
}

impl Outcome {
    /// Returns the decision that follows. `deny_on_expired` is `DMPLZ_ON_EXPIRED=deny`.
    pub fn decision(&self, deny_on_expired: bool) -> Decision {
        let deny = |message: &str| Decision::Deny { message: message.to_owned() };
        match self {
            Self::Approved { by, scope } => Decision::Allow { by: by.clone(), scope: scope.clone() },
            Self::RejectedWithReason { reason, instead: false, .. } => {
                deny(&format!("User rejected the request. Reason: {reason}"))
            }
            Self::RejectedWithReason { reason, instead: true, .. } => {
                deny(&format!("User rejected the request and said what to do instead: {reason}"))
            }
            Self::RejectedNoReason { source: ReasonSource::Timeout, .. } => {
                deny("User rejected the request. (No reason provided: timeout)")
            }
            Self::RejectedNoReason { .. } => deny("User rejected the request. (No reason provided)"),
            Self::Expired(ExpiredCause::Nobody) if deny_on_expired => {
                deny("Nobody answered the permission request in time, so it was not allowed. No user rejected it.")
            }
            Self::Expired(ExpiredCause::Failed(_)) if deny_on_expired => {
                deny("The permission request could not be delivered, so it was not allowed. No user rejected it.")
            }
            Self::Expired(_) | Self::ResolvedElsewhere(_) => Decision::None,
        }
    }

    /// Returns the person behind the outcome, if there is one.
    pub fn by(&self) -> Option<&Approver> {
        match self {
            Self::Approved { by, .. } | Self::RejectedWithReason { by, .. } | Self::RejectedNoReason { by, .. } => {
                Some(by)
            }
            Self::Expired(_) | Self::ResolvedElsewhere(_) => None,
        }
    }

    /// Returns the reason and its source if the outcome is a rejection.
    pub fn rejection(&self) -> Option<(&str, ReasonSource)> {
        match self {
            Self::RejectedWithReason { reason, instead: false, .. } => Some((reason, ReasonSource::UserInput)),
            Self::RejectedWithReason { reason, instead: true, .. } => Some((reason, ReasonSource::Instead)),
            Self::RejectedNoReason { source, .. } => Some(("", *source)),
            Self::Approved { .. } | Self::Expired(_) | Self::ResolvedElsewhere(_) => None,
        }
    }
}
