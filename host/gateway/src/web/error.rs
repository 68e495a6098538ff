//! Why a REST call fails, as a status and an [`ErrorBody`].

use axum::Json;
use axum::response::{IntoResponse, Response};
use dmplz_protocol::rest::{ErrorBody, ErrorCode, ErrorDetail};
use dmplz_protocol::{Approval, Refusal};
use http::StatusCode;
use http::header::{RETRY_AFTER, WWW_AUTHENTICATE};

use super::fence::Refused;
use crate::approvals::AnswerError;
use crate::bus::AskError;
use crate::disk::DiskError;
use crate::grants::GrantError;
use crate::listing::ListError;
use crate::tools::{InvokeError, NotRecorded};

/// Why a REST call fails.
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

    /// Refuses a caller without the token that is in this file. Where the state directory really is, is for the operator only.
    pub(super) fn unauthorized(file: &str) -> Self {
        let message = format!(
            "show the token of {file} as `Authorization: Bearer`; the file is in the gateway's state directory, \
             ~/.claude/dm-plz unless DMPLZ_STATE_DIR names another"
        );
        Self::new(ErrorCode::Unauthorized, message)
    }

    fn status(&self) -> StatusCode {
        match self.code {
            ErrorCode::BadRequest => StatusCode::BAD_REQUEST,
            ErrorCode::Unauthorized => StatusCode::UNAUTHORIZED,
            ErrorCode::Forbidden => StatusCode::FORBIDDEN,
            ErrorCode::NotFound => StatusCode::NOT_FOUND,
            ErrorCode::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            ErrorCode::TooSlow => StatusCode::REQUEST_TIMEOUT,
            ErrorCode::AlreadyAnswered | ErrorCode::NotOffered | ErrorCode::Ended => StatusCode::CONFLICT,
            ErrorCode::Client => StatusCode::INTERNAL_SERVER_ERROR,
            ErrorCode::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            ErrorCode::NotJson => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            ErrorCode::TooManyRequests => StatusCode::TOO_MANY_REQUESTS,
            ErrorCode::NotRecorded | ErrorCode::NotRead | ErrorCode::NobodyListens | ErrorCode::Closing => {
                StatusCode::SERVICE_UNAVAILABLE
            }
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
        let refused = Self::from(error.refusal());
        Self { approval: error.approval().map(Box::new), ..refused }
    }
}

impl From<ListError> for ApiError {
    fn from(error: ListError) -> Self {
        match error {
            ListError::Limit | ListError::Text | ListError::Period(_) => {
                Self::new(ErrorCode::BadRequest, error.to_string())
            }
            ListError::Disk(error) => error.into(),
        }
    }
}

impl From<DiskError> for ApiError {
    /// Converts a disk error without its details, which are for the operator only.
    fn from(_: DiskError) -> Self {
        Self::new(ErrorCode::NotRecorded, "the disk could not be used")
    }
}

impl From<InvokeError> for ApiError {
    fn from(error: InvokeError) -> Self {
        let message = error.to_string();
        let code = match error {
            InvokeError::Invalid(_) => ErrorCode::BadRequest,
            InvokeError::Resolve(_) => ErrorCode::NotFound,
            InvokeError::TooMany(_) | InvokeError::Ask(AskError::TooMany(_)) => ErrorCode::TooManyRequests,
            InvokeError::Ask(AskError::NobodyListens) => ErrorCode::NobodyListens,
            InvokeError::Ask(_) | InvokeError::NotRecorded(_) => ErrorCode::NotRecorded,
            InvokeError::Closing => ErrorCode::Closing,
        };
        Self::new(code, message)
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        let message = match &refusal {
            // The location of the folder is for the operator only.
            Refusal::SessionFolder { .. } => "the folder of the session cannot be used".to_owned(),
            refusal => refusal.to_string(),
        };
        Self::new(refusal.codes().1, message)
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
            GrantError::Unknown => return Refusal::NoGrant.into(),
            GrantError::Ending => ErrorCode::Closing,
            // The location of the list is for the operator only.
            GrantError::Kept(_) => {
                return Self::new(ErrorCode::NotRecorded, "the list of grants cannot be used: see dmplz grants list");
            }
        };
        Self::new(code, error.to_string())
    }
}
