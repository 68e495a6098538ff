use crate::clock::rounded_up;
use crate::exchange::{Answer, Wording};
use http::header::{HeaderName, RETRY_AFTER};
use http::{HeaderMap, StatusCode};
use serde_json::{Value, json};
use std::time::Duration;

/// An error as Mattermost gives it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Refusal {
    status: u16,
    id: &'static str,
    message: String,
}

impl Refusal {
    pub(crate) fn new(status: u16, id: &'static str, message: &str) -> Self {
        Self { status, id, message: message.to_owned() }
    }

    pub(crate) fn permissions() -> Self {
        Self::new(403, "api.context.permissions.app_error", "You do not have the appropriate permissions.")
    }

    pub(crate) fn invalid(what: &str) -> Self {
        Self::new(
            400,
            "api.context.invalid_body_param.app_error",
            &format!("Invalid or missing {what} in request body."),
        )
    }

    pub(crate) fn no_post() -> Self {
        Self::new(404, "app.post.get.app_error", "Unable to get the post.")
    }

    pub(crate) fn answer(self) -> Answer {
        let body = json!({
            "id": self.id, "message": self.message, "detailed_error": "", "request_id": "smda55ckcfy89b6tia58shk5fh",
            "status_code": self.status,
        });
        Answer::of(self.status, body)
    }
}

/// The rate limiter replies with plain text, and its headers count in seconds.
pub(crate) fn rate_limited(retry_after: Duration) -> Answer {
    let seconds = rounded_up(retry_after);
    let mut headers = HeaderMap::new();
    headers.insert(RETRY_AFTER, seconds.into());
    for (name, value) in [("x-ratelimit-limit", 10), ("x-ratelimit-remaining", 0), ("x-ratelimit-reset", seconds)] {
        headers.insert(HeaderName::from_static(name), value.into());
    }
    Answer { status: StatusCode::TOO_MANY_REQUESTS, headers, body: Some("limit exceeded".into()) }
}

pub(crate) struct MattermostWording;

impl Wording for MattermostWording {
    fn refused(&self, status: StatusCode, _code: Option<u64>, message: Option<String>) -> Answer {
        let (id, usual) = match status.as_u16() {
            401 => ("api.context.session_expired.app_error", "Invalid or expired session, please login again."),
            403 => ("api.context.permissions.app_error", "You do not have the appropriate permissions."),
            404 => ("app.post.get.app_error", "Unable to get the post."),
            400 => ("api.context.invalid_body_param.app_error", "Invalid or missing post in request body."),
            _ => ("api.web_socket.error", "Something went wrong."),
        };
        Refusal::new(status.as_u16(), id, &message.unwrap_or_else(|| usual.to_owned())).answer()
    }

    fn rate_limited(&self, retry_after: Duration, _global: bool) -> Answer {
        rate_limited(retry_after)
    }

    fn list<'a>(&self, _body: &'a mut Value) -> Option<&'a mut Vec<Value>> {
        None
    }

    /// What is no object or list is plain text.
    fn written(&self, body: &Value) -> String {
        body.as_str().map_or_else(|| body.to_string(), str::to_owned)
    }
}
