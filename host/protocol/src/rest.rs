//! What a caller of REST is told when it does not get what it asked for: always the same shape, never a secret.
//!
//! ```json
//! {"error": {"code": "already_answered", "message": "..."}, "approval": { }}
//! ```

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::approval::Approval;

/// An error as it is sent.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Error)]
pub struct ErrorBody {
    /// What went wrong with the request.
    pub error: ErrorDetail,
    /// With `already_answered`: the request as it stands, so who won. With `not_offered`: so what it offers.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub approval: Option<Box<Approval>>,
}

/// What went wrong, for programs and for people.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct ErrorDetail {
    /// Names what went wrong, for programs.
    pub code: ErrorCode,
    /// For people, in English.
    pub message: String,
}

/// What went wrong, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// 400: the request cannot be understood.
    BadRequest,
    /// 401: no token, or one that does not count.
    Unauthorized,
    /// 403: it comes from another site, or under a name that is not ours.
    Forbidden,
    /// 404: there is no such request, grant, route, program or folder.
    NotFound,
    /// 405: the route has no such method.
    MethodNotAllowed,
    /// 408: the body did not come in time.
    TooSlow,
    /// 409: somebody, or its time, was first.
    AlreadyAnswered,
    /// 409: it offers less than that; `approval.offer` says what.
    NotOffered,
    /// 413: the body is too large.
    TooLarge,
    /// 415: the body is not `application/json`.
    NotJson,
    /// 429: too often; `Retry-After` says when to come again.
    TooManyRequests,
    /// 503: the disk failed. An allow does not count then; a denial does, nevertheless.
    NotRecorded,
    /// 503: there is nobody who could be asked.
    NobodyListens,
    /// 503: the gateway is about to end.
    Closing,
}
