//! Why an answer does not count. No error allows anything.

use dmplz_protocol::{RequestId, Standing};

use crate::disk::DiskError;
use crate::offered::{NotOffered, decisions};

/// Why an answer does not count.
#[derive(Debug, thiserror::Error)]
pub enum AnswerError {
    /// No request has this id.
    #[error("there is no request {0}")]
    Unknown(RequestId),
    /// Another answer came first, or the time was over.
    #[error("request {} cannot be answered: it has ended", .0.request.id)]
    Ended(Box<Standing>),
    /// Another person has denied it and may still say why.
    #[error("request {} cannot be answered: it was denied", .0.request.id)]
    Denied(Box<Standing>),
    /// The gateway is stopping. The next gateway takes answers again.
    #[error("request {0} cannot be answered now: the gateway is stopping")]
    Closing(RequestId),
    /// The answer is not among those that the request offers.
    #[error("request {} does not take this answer: {why}; it takes {}", .standing.request.id, takes(.standing))]
    NotOffered {
        /// The part that is not offered.
        why: NotOffered,
        /// The request and its status, which show what it offers.
        standing: Box<Standing>,
    },
    /// The disk did not record the answer. An allow then does not count and the request stays open; a denial counts
    /// anyway.
    #[error("what became of request {0} cannot be recorded")]
    NotRecorded(RequestId, #[source] Option<DiskError>),
}

/// Returns the names of the decisions that a request takes.
fn takes(standing: &Standing) -> String {
    decisions(&standing.request.offer).join(", ")
}
