use http::StatusCode;

/// An error with which Telegram refuses a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    pub(crate) description: String,
    /// The time to wait in seconds, for 429 only.
    pub(crate) retry_after: Option<u64>,
}

impl Refusal {
    fn new(status: StatusCode, description: impl Into<String>) -> Self {
        Self { status, description: description.into(), retry_after: None }
    }

    /// Returns 400 with Telegram's prefix before `what`.
    pub(crate) fn bad_request(what: impl AsRef<str>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, format!("Bad Request: {}", what.as_ref()))
    }

    pub(crate) fn forbidden(what: &str) -> Self {
        Self::new(StatusCode::FORBIDDEN, format!("Forbidden: {what}"))
    }

    pub(crate) fn unauthorized(description: &str) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, description)
    }

    pub(crate) fn not_found(description: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, description)
    }

    pub(crate) fn conflict(what: &str) -> Self {
        Self::new(StatusCode::CONFLICT, format!("Conflict: {what}"))
    }

    pub(crate) fn too_large() -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "Request Entity Too Large")
    }
}
