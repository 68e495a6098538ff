//! What a server answers to a request.

use bytes::Bytes;
use http::StatusCode;

/// An answer, and how its connection ends.
pub(crate) struct Reply {
    pub(crate) response: http::Response<Bytes>,
    pub(crate) cut: Option<Cut>,
}

impl Reply {
    /// Creates an answer with a status and nothing else.
    pub(crate) fn of(status: StatusCode) -> Self {
        let mut response = http::Response::default();
        *response.status_mut() = status;
        Self { response, cut: None }
    }
}

/// The part of the next answer that is sent before its connection breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// None of the answer is sent.
    Now,
    /// The header and this number of bytes of the body are sent.
    InBody(usize),
}
