//! What a caller of REST is told when it does not get what it asked for: always the same shape, never a secret.
//!
//! ```json
//! {"error": {"code": "already_answered", "message": "..."}, "approval": { }}
//! ```

use axum::Json;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::{RETRY_AFTER, WWW_AUTHENTICATE};
use serde::Serialize;
use utoipa::ToSchema;

use super::fence::Refused;
use crate::approvals::{AnswerError, AskError};
use crate::disk::DiskError;
use crate::grants::GrantError;
use crate::listing::ListError;
use crate::tools::{InvokeError, NotRecorded};
use crate::view::Approval;

/// An error as it is sent.
#[derive(Debug, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Error)]
pub(super) struct ErrorBody {
    /// What went wrong.
    error: ErrorDetail,
    /// With `already_answered`: the request as it stands, so who won. With `not_offered`: so what it offers.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    approval: Option<Box<Approval>>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ErrorDetail {
    /// For programs.
    code: ErrorCode,
    /// For people, in English.
    message: String,
}

/// What went wrong, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum ErrorCode {
    /// 400: the request cannot be understood.
    BadRequest,
    /// 401: no token, or one that does not count.
    Unauthorized,
    /// 403: it comes from another site, or under a name that is not ours.
    Forbidden,
    /// 404: there is no such request, grant or route.
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

/// Why a caller does not get what it asked for.
#[derive(Debug)]
pub(super) struct ApiError {
    code: ErrorCode,
    message: String,
    approval: Option<Box<Approval>>,
}

impl ApiError {
    pub(super) fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), approval: None }
    }

    pub(super) fn unauthorized() -> Self {
        Self::new(ErrorCode::Unauthorized, "show the token of gateway.token")
    }

    fn status(&self) -> StatusCode {
        match self.code {
            ErrorCode::BadRequest => StatusCode::BAD_REQUEST,
            ErrorCode::Unauthorized => StatusCode::UNAUTHORIZED,
            ErrorCode::Forbidden => StatusCode::FORBIDDEN,
            ErrorCode::NotFound => StatusCode::NOT_FOUND,
            ErrorCode::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            ErrorCode::TooSlow => StatusCode::REQUEST_TIMEOUT,
            ErrorCode::AlreadyAnswered | ErrorCode::NotOffered => StatusCode::CONFLICT,
            ErrorCode::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            ErrorCode::NotJson => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            ErrorCode::TooManyRequests => StatusCode::TOO_MANY_REQUESTS,
            ErrorCode::NotRecorded | ErrorCode::NobodyListens | ErrorCode::Closing => StatusCode::SERVICE_UNAVAILABLE,
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let status = self.status();
        let error = ErrorDetail { code: self.code, message: self.message };
        let body = Json(ErrorBody { error, approval: self.approval });
        match self.code {
            ErrorCode::Unauthorized => (status, [(WWW_AUTHENTICATE, "Bearer")], body).into_response(),
            ErrorCode::TooManyRequests => (status, [(RETRY_AFTER, "10")], body).into_response(),
            _ => (status, body).into_response(),
        }
    }
}

impl From<Refused> for ApiError {
    fn from(refused: Refused) -> Self {
        let code = match refused {
            Refused::NoHost => ErrorCode::BadRequest,
            Refused::Host | Refused::OtherSite => ErrorCode::Forbidden,
        };
        Self::new(code, refused.to_string())
    }
}

impl From<AnswerError> for ApiError {
    fn from(error: AnswerError) -> Self {
        let message = format!("failed to {error}");
        let (code, approval) = match error {
            AnswerError::Unknown(_) => (ErrorCode::NotFound, None),
            AnswerError::NotOffered { standing, .. } => {
                (ErrorCode::NotOffered, Some(Box::new(Approval::from(*standing))))
            }
            AnswerError::NotRecorded(..) => (ErrorCode::NotRecorded, None),
            AnswerError::Ended(standing) | AnswerError::Denied(standing) => {
                (ErrorCode::AlreadyAnswered, Some(Box::new(Approval::from(*standing))))
            }
        };
        Self { code, message, approval }
    }
}

impl From<ListError> for ApiError {
    fn from(error: ListError) -> Self {
        match error {
            ListError::Limit | ListError::Text => Self::new(ErrorCode::BadRequest, format!("failed to {error}")),
            ListError::Disk(error) => error.into(),
        }
    }
}

impl From<DiskError> for ApiError {
    /// What exactly failed is the operator's business.
    fn from(_: DiskError) -> Self {
        Self::new(ErrorCode::NotRecorded, "the disk could not be used")
    }
}

impl From<InvokeError> for ApiError {
    fn from(error: InvokeError) -> Self {
        let message = format!("failed to {error}");
        let code = match error {
            InvokeError::Invalid(_) | InvokeError::Resolve(_) => ErrorCode::BadRequest,
            InvokeError::TooMany(_) | InvokeError::Ask(AskError::TooMany(_)) => ErrorCode::TooManyRequests,
            InvokeError::Ask(AskError::NobodyListens) => ErrorCode::NobodyListens,
            InvokeError::Ask(_) | InvokeError::NotRecorded(_) => ErrorCode::NotRecorded,
            InvokeError::Closing => ErrorCode::Closing,
        };
        Self::new(code, message)
    }
}

impl From<NotRecorded> for ApiError {
    fn from(_: NotRecorded) -> Self {
        Self::new(ErrorCode::NotRecorded, "the disk could not be used")
    }
}

impl From<GrantError> for ApiError {
    fn from(error: GrantError) -> Self {
        let code = match error {
            GrantError::Unknown => ErrorCode::NotFound,
            GrantError::Ending => ErrorCode::Closing,
            // Where the list is, is the operator's business.
            GrantError::Kept(_) => {
                return Self::new(ErrorCode::NotRecorded, "the list of grants cannot be used: see dmplz grants list");
            }
        };
        Self::new(code, format!("failed to {error}"))
    }
}
