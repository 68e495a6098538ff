//! Why a message is not published, and why nobody can be asked. No error allows anything.

use dmplz_protocol::{Malformed, Refusal, RequestId};

use crate::disk::DiskError;

/// Why nobody can be asked. No variant allows anything.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// No surface is attached that could show the request.
    #[error("{}", Refusal::NobodyListens)]
    NobodyListens,
    /// Another request has the same id.
    #[error("the id {0} is taken: another request has it")]
    IdTaken(RequestId),
    /// The request is malformed.
    #[error(transparent)]
    Malformed(#[from] Malformed),
    /// The open requests are too many, or too long, to accept another one.
    #[error("{}", Refusal::TooManyRequests { open: *.0 })]
    TooMany(usize),
    /// The request cannot be recorded, so nobody was asked.
    #[error("{}", Refusal::RequestNotRecorded { request: *.0 })]
    NotRecorded(RequestId, #[source] DiskError),
}

/// Why a message was not published. No subscriber received it.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// The message is malformed.
    #[error(transparent)]
    Malformed(#[from] Malformed),
    /// It is a request, for whose response nobody would wait.
    #[error("request {0} cannot be published: nobody would wait for its response")]
    Unawaited(RequestId),
    /// No request with this id is in flight: it has had its response, or its time is over.
    #[error("request {0} cannot be answered: nobody waits for it")]
    NotAwaited(RequestId),
}
