//! Why an answer does not count. No error allows anything.

use dmplz_protocol::refusal::NotOffered;
use dmplz_protocol::{Approval, Refusal, RequestId, Standing};

use crate::disk::DiskError;
use crate::offered::decisions;

/// Why an answer does not count. It displays its [`Refusal`].
#[derive(Debug, thiserror::Error)]
#[error("{}", self.refusal())]
pub enum AnswerError {
    /// No request has this id.
    Unknown(RequestId),
    /// Another answer came first, or the time was over.
    Ended(Box<Standing>),
    /// Another person has denied it and may still say why.
    Denied(Box<Standing>),
    /// The gateway is stopping. The next gateway takes answers again.
    Closing(RequestId),
    /// The answer is not among those that the request offers.
    NotOffered {
        /// The part that is not offered.
        why: NotOffered,
        /// The request and its status, which show what it offers.
        standing: Box<Standing>,
    },
    /// The disk did not record the answer. An allow then does not count and the request stays open; a denial counts
    /// anyway.
    NotRecorded(RequestId, #[source] Option<DiskError>),
    /// The disk cannot say what became of the request, or whether there is one. No answer to it counts, a denial neither:
    /// nobody waits for it in this gateway.
    Unreadable(RequestId, #[source] DiskError),
}

impl AnswerError {
    /// Returns what is refused.
    pub(crate) fn refusal(&self) -> Refusal {
        match self {
            Self::Unknown(request) => Refusal::NoRequest { request: *request },
            Self::Ended(standing) => Refusal::RequestEnded { request: standing.request.id },
            Self::Denied(standing) => Refusal::RequestDenied { request: standing.request.id },
            Self::Closing(request) => Refusal::GatewayStopping { request: *request },
            Self::NotOffered { why, standing } => Refusal::NotOffered {
                request: standing.request.id,
                why: why.clone().into(),
                takes: decisions(&standing.request.offer).join(", "),
            },
            Self::NotRecorded(request, _) => Refusal::OutcomeNotRecorded { request: *request },
            Self::Unreadable(request, _) => Refusal::RequestUnreadable { request: *request },
        }
    }

    /// Returns the request and its status, if that is why the answer does not count.
    pub(crate) fn approval(self) -> Option<Approval> {
        match self {
            Self::Ended(standing) | Self::Denied(standing) | Self::NotOffered { standing, .. } => {
                Some((*standing).into())
            }
            Self::Unknown(_) | Self::Closing(_) | Self::NotRecorded(..) | Self::Unreadable(..) => None,
        }
    }
}
