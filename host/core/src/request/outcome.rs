//! How a request can end, and what the client is told then.

use super::Extent;
use crate::approvers::Approver;
use crate::messenger::ProviderError;

/// The final state of a request that was put before a person. What a rule decides is put before nobody, and never is one:
/// `dmplz_policy::Ruled`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Allowed by a person.
    Approved {
        /// By whom.
        by: Approver,
        /// How far.
        extent: Extent,
    },
    /// A person denied it and said why.
    RejectedWithReason {
        /// By whom.
        by: Approver,
        /// Normalised, not masked: the client gets it as it was written.
        reason: String,
        /// Whether it says what to do instead, rather than why not.
        instead: bool,
    },
    /// Denied without a reason.
    RejectedNoReason {
        /// By whom.
        by: Approver,
        /// Why there is none: [`ReasonSource::ExplicitSkip`] or [`ReasonSource::Timeout`].
        source: ReasonSource,
    },
    /// No answer came before the deadline, or nobody could be asked.
    Expired(ExpiredCause),
    /// Answered somewhere else, or not awaited any more.
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
    /// None came in time.
    Timeout,
    /// A rule denied, not a person.
    Policy,
}

/// Why nobody's answer counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExpiredCause {
    /// The deadline passed while somebody could have answered.
    Nobody,
    /// Nobody could be asked: why.
    Failed(Trouble),
}

/// What keeps a request from anybody who could answer. The edge chooses by it what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// The messenger, or its provider, failed.
    #[error(transparent)]
    Messenger(#[from] ProviderError),
    /// Anything else, in a whole English clause: "the gateway went away".
    #[error("{0}")]
    Other(String),
}

/// What ended a request besides an answer on its card.
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

/// What the client is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// Run it. It holds who allowed it, because there is no other way to make one.
    Allow {
        /// The person who approved, one of the approvers.
        by: Approver,
        /// How far it reaches.
        extent: Extent,
    },
    /// Do not, and tell the model this.
    Deny {
        /// English, one of the messages of seed 0, FR-4.
        message: String,
    },
    /// Nothing: the client goes on by itself.
    None,
}

impl Outcome {
    /// The decision that follows. `deny_on_expired` is `DMPLZ_ON_EXPIRED=deny`.
    pub fn decision(&self, deny_on_expired: bool) -> Decision {
        let deny = |message: &str| Decision::Deny { message: message.to_owned() };
        match self {
            Self::Approved { by, extent } => Decision::Allow { by: by.clone(), extent: extent.clone() },
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

    /// The person behind it, where there is one.
    pub fn by(&self) -> Option<&Approver> {
        match self {
            Self::Approved { by, .. } | Self::RejectedWithReason { by, .. } | Self::RejectedNoReason { by, .. } => {
                Some(by)
            }
            Self::Expired(_) | Self::ResolvedElsewhere(_) => None,
        }
    }

    /// The reason and its source, when it is a rejection.
    pub fn rejection(&self) -> Option<(&str, ReasonSource)> {
        match self {
            Self::RejectedWithReason { reason, instead: false, .. } => Some((reason, ReasonSource::UserInput)),
            Self::RejectedWithReason { reason, instead: true, .. } => Some((reason, ReasonSource::Instead)),
            Self::RejectedNoReason { source, .. } => Some(("", *source)),
            Self::Approved { .. } | Self::Expired(_) | Self::ResolvedElsewhere(_) => None,
        }
    }
}
