use crate::clock::rounded_up;
use crate::exchange::{Answer, Wording};
use http::header::RETRY_AFTER;
use http::{HeaderMap, StatusCode};
use serde_json::{Value, json};
use std::time::Duration;

/// An error as Slack gives it: `{"ok":false,"error":NAME}`, mostly with status 200.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    pub(crate) body: Value,
}

impl Refusal {
    pub(crate) fn new(error: &str) -> Self {
        Self { status: StatusCode::OK, body: json!({ "ok": false, "error": error }) }
    }

    /// What is wrong with arguments, as `response_metadata` lists it.
    pub(crate) fn of(error: &str, messages: &[String]) -> Self {
        let messages: Vec<_> = messages.iter().map(|message| format!("[ERROR] {message}")).collect();
        let body = json!({ "ok": false, "error": error, "response_metadata": { "messages": messages } });
        Self { status: StatusCode::OK, body }
    }

    pub(crate) fn missing_scope(needed: &str, provided: &str) -> Self {
        let body = json!({ "ok": false, "error": "missing_scope", "needed": needed, "provided": provided });
        Self { status: StatusCode::OK, body }
    }

    pub(crate) fn answer(self) -> Answer {
        Answer { status: self.status, headers: HeaderMap::new(), body: Some(self.body) }
    }
}

/// docs.slack.dev/apis/web-api/rate-limits: status 429, with `Retry-After` in seconds.
pub(crate) fn rate_limited(retry_after: Duration) -> Answer {
    let status = StatusCode::TOO_MANY_REQUESTS;
    let mut answer = Refusal { status, ..Refusal::new("ratelimited") }.answer();
    answer.headers.insert(RETRY_AFTER, rounded_up(retry_after).into());
    answer
}

pub(crate) struct SlackWording;

impl Wording for SlackWording {
    fn refused(&self, status: StatusCode, _code: Option<u64>, message: Option<String>) -> Answer {
        let (usual, status) = match status.as_u16() {
            401 => ("invalid_auth", StatusCode::OK),
            403 => ("restricted_action", StatusCode::OK),
            404 => ("channel_not_found", StatusCode::OK),
            400 => ("invalid_arguments", StatusCode::OK),
            500.. => ("internal_error", status),
            _ => ("fatal_error", status),
        };
        Refusal { status, ..Refusal::new(&message.unwrap_or_else(|| usual.to_owned())) }.answer()
    }

    fn rate_limited(&self, retry_after: Duration, _global: bool) -> Answer {
        rate_limited(retry_after)
    }

    fn list<'a>(&self, _body: &'a mut Value) -> Option<&'a mut Vec<Value>> {
        None
    }
}
