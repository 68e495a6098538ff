use crate::clock::rounded_up;
use crate::exchange::{Answer, Wording};
use http::StatusCode;
use http::header::RETRY_AFTER;
use serde_json::{Value, json};
use std::time::Duration;

/// An error of the server (`server/errors.go`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) status: u16,
    pub(crate) code: u64,
    pub(crate) error: String,
}

impl Refusal {
    pub(crate) fn new(status: u16, code: u64, error: &str) -> Self {
        Self { status, code, error: error.to_owned() }
    }

    pub(crate) fn answer(self) -> Answer {
        let body = json!({ "code": self.code, "http": self.status, "error": self.error });
        Answer::of(self.status, body)
    }
}

pub(crate) struct NtfyWording;

impl Wording for NtfyWording {
    fn refused(&self, status: StatusCode, code: Option<u64>, message: Option<String>) -> Answer {
        let usual = match status.as_u16() {
            401 => "unauthorized",
            403 => "forbidden",
            404 => "page not found",
            429 => "limit reached: too many requests",
            _ => "internal server error",
        };
        let status = status.as_u16();
        let code = code.unwrap_or(u64::from(status) * 100 + 1);
        Refusal { status, code, error: message.unwrap_or_else(|| usual.to_owned()) }.answer()
    }

    /// Answers 429. ntfy itself does not state how long to wait, but a proxy in front of it may.
    fn rate_limited(&self, retry_after: Duration, _global: bool) -> Answer {
        let mut answer = self.refused(StatusCode::TOO_MANY_REQUESTS, None, None);
        answer.headers.insert(RETRY_AFTER, rounded_up(retry_after).into());
        answer
    }

    fn list<'a>(&self, body: &'a mut Value) -> Option<&'a mut Vec<Value>> {
        body.as_array_mut()
    }

    /// Formats the body. Messages are sent one per line.
    fn written(&self, body: &Value) -> String {
        match body.as_array() {
            Some(messages) => messages.iter().map(|message| format!("{message}\n")).collect(),
            None => body.to_string(),
        }
    }
}
