//! Why nobody can be asked, or an answer does not count. None of them is an allow.

use dmplz_protocol::{Malformed, RequestId, Standing};

use crate::disk::DiskError;
use crate::offered::{NotOffered, decisions};

/// Why nobody can be asked. None of them is an allow.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// No surface is there to show it.
    #[error("no messenger, page or terminal is listening")]
    NobodyListens,
    /// It has an id that another request had.
    #[error("the id {0} is taken: another request has it")]
    IdTaken(RequestId),
    /// It is none.
    #[error(transparent)]
    Malformed(#[from] Malformed),
    /// So many are open, or such long ones, that nobody could answer one more.
    #[error("{0} requests are open already")]
    TooMany(usize),
    /// It could not be put on the disk, so nobody was asked.
    #[error("request {0} cannot be recorded")]
    NotRecorded(RequestId, #[source] DiskError),
}

/// Why an answer does not count.
#[derive(Debug, thiserror::Error)]
pub enum AnswerError {
    /// There is no such request.
    #[error("there is no request {0}")]
    Unknown(RequestId),
    /// Somebody, or its time, was first.
    #[error("request {} cannot be answered: it has ended", .0.request.id)]
    Ended(Box<Standing>),
    /// Somebody else denied, and may still say why.
    #[error("request {} cannot be answered: it was denied", .0.request.id)]
    Denied(Box<Standing>),
    /// The gateway is stopping. The next one takes answers again.
    #[error("request {0} cannot be answered now: the gateway is stopping")]
    Closing(RequestId),
    /// It offers less than the answer takes.
    #[error("request {} does not take this answer: {why}; it takes {}", .standing.request.id, takes(.standing))]
    NotOffered {
        /// What is not there.
        why: NotOffered,
        /// The request as it stands, so what it offers.
        standing: Box<Standing>,
    },
    /// The disk does not take it. An allow does not count then, and the request is open; a denial counts nevertheless.
    #[error("what became of request {0} cannot be recorded")]
    NotRecorded(RequestId, #[source] Option<DiskError>),
}

/// The decisions that a request takes.
fn takes(standing: &Standing) -> String {
    decisions(&standing.request.offer).join(", ")
}
