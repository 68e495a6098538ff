use crate::exchange::{Answer, Wording};
use http::StatusCode;
use http::header::RETRY_AFTER;
use serde_json::{Value, json};
use std::time::Duration;

/// A standard error response (<https://spec.matrix.org/v1.16/client-server-api/#standard-error-response>).
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Refusal {
    pub(crate) status: u16,
    pub(crate) body: Value,
}

impl Refusal {
    pub(crate) fn new(status: u16, code: &str, error: &str) -> Self {
        Self { status, body: json!({ "errcode": code, "error": error }) }
    }

    pub(crate) fn forbidden(error: &str) -> Self {
        Self::new(403, "M_FORBIDDEN", error)
    }

    pub(crate) fn not_found(error: &str) -> Self {
        Self::new(404, "M_NOT_FOUND", error)
    }

    pub(crate) fn answer(self) -> Answer {
        Answer::of(self.status, self.body)
    }
}

/// Answers 429, as Synapse does: the header counts whole seconds, and the body milliseconds.
pub(crate) fn limited(wait: Duration) -> Answer {
    let milliseconds = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
    let mut body = Refusal::new(429, "M_LIMIT_EXCEEDED", "Too Many Requests").body;
    body["retry_after_ms"] = milliseconds.into();
    let mut answer = Refusal { status: 429, body }.answer();
    answer.headers.insert(RETRY_AFTER, milliseconds.div_ceil(1000).into());
    answer
}

pub(crate) struct MatrixWording;

impl Wording for MatrixWording {
    fn refused(&self, status: StatusCode, _code: Option<u64>, message: Option<String>) -> Answer {
        let (code, usual) = match status.as_u16() {
            400 => ("M_UNKNOWN", "Bad request"),
            401 => ("M_UNKNOWN_TOKEN", "Invalid access token passed."),
            403 => ("M_FORBIDDEN", "You don't have permission to do that"),
            404 => ("M_NOT_FOUND", "Not found"),
            413 => ("M_TOO_LARGE", "Too large"),
            429 => ("M_LIMIT_EXCEEDED", "Too Many Requests"),
            _ => ("M_UNKNOWN", "Internal server error"),
        };
        Refusal::new(status.as_u16(), code, message.as_deref().unwrap_or(usual)).answer()
    }

    fn rate_limited(&self, retry_after: Duration, _global: bool) -> Answer {
        limited(retry_after)
    }

    fn list<'a>(&self, body: &'a mut Value) -> Option<&'a mut Vec<Value>> {
        if body.get("chunk").is_some() {
            return body.get_mut("chunk")?.as_array_mut();
        }
        let rooms = body.get_mut("rooms")?.get_mut("join")?.as_object_mut()?;
        rooms.values_mut().next()?.get_mut("timeline")?.get_mut("events")?.as_array_mut()
    }
}
