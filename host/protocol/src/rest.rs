//! Errors of REST calls: always of this shape, and never with a secret.
//!
//! ```json
//! {"error": {"code": "already_answered", "message": "..."}, "approval": { }}
//! ```

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::approval::Approval;

/// The body of an error.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Error)]
pub struct ErrorBody {
    /// The code and the message of the error.
    pub error: ErrorDetail,
    /// The request and its status: with `already_answered` it shows the winner, with `not_offered` the offer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub approval: Option<Box<Approval>>,
}

/// What went wrong, for programs and for people.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct ErrorDetail {
    /// The error's code, for programs.
    pub code: ErrorCode,
    /// The message for people, in English.
    pub message: String,
}

/// The code of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// 400: the request is malformed.
    BadRequest,
    /// 401: the token is missing or wrong.
    Unauthorized,
    /// 403: the request comes from another site, names a host that is not ours, or wants a session in a folder where none may be started.
    Forbidden,
    /// 404: the request, grant, session, route, program or folder does not exist.
    NotFound,
    /// 405: the route has no such method.
    MethodNotAllowed,
    /// 408: the body did not come in time.
    TooSlow,
    /// 409: another answer came first, or the time was over.
    AlreadyAnswered,
    /// 409: the request does not offer this answer; `approval.offer` shows what it offers.
    NotOffered,
    /// 409: the session has ended.
    Ended,
    /// 500: the client of the session cannot be started, refused, or has not answered.
    Client,
    /// 413: the body is too large.
    TooLarge,
    /// 415: the body is not `application/json`.
    NotJson,
    /// 429: too many calls; `Retry-After` says when to try again.
    TooManyRequests,
    /// 503: the disk failed. An allow then does not count; a denial counts anyway.
    NotRecorded,
    /// 503: the disk cannot be read, so it is not known what became of the request. No answer to it counts.
    NotRead,
    /// 503: no surface is attached, so nobody can be asked.
    NobodyListens,
    /// 503: the gateway is stopping.
    Closing,
}
