//! What a server answers to a request.

use crate::server::Cut;
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
