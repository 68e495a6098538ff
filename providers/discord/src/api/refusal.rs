//! Maps Discord's errors to those of the contract: by the HTTP status, and if that is ambiguous by the code in the
//! body (<https://discord.com/developers/docs/topics/opcodes-and-status-codes>).

use dmplz_provider_sdk::http::seconds_to_ms;
use dmplz_provider_sdk::prelude::*;
use dmplz_provider_sdk::serde_json::from_slice;

/// "Cannot send messages to this user": the person accepts no direct messages of this bot.
const CANNOT_SEND_TO_USER: i64 = 50007;
const MISSING_ACCESS: i64 = 50001;
const MISSING_PERMISSIONS: i64 = 50013;
const REQUEST_TOO_LARGE: i64 = 40005;
const INVALID_FORM_BODY: i64 = 50035;
const INVALID_RECIPIENT: i64 = 50033;
const THREAD_ARCHIVED: i64 = 50083;
const REPLY_WITHOUT_HISTORY: i64 = 160_002;
/// "Opening direct messages too fast", with the status 403.
const TOO_MANY_DIRECT_CHANNELS: i64 = 40003;
/// "Cannot send messages in a non-text channel".
const NOT_A_TEXT_CHANNEL: i64 = 50008;
/// "Message blocked by harmful links filter", which less text may pass.
const HARMFUL_LINKS: i64 = 240_000;
const THREAD_LOCKED: i64 = 160_005;
const UNKNOWN_MESSAGE: i64 = 10008;

/// Why a call failed.
#[derive(Debug)]
pub(crate) struct Refusal {
    /// The error for the host.
    pub(crate) error: Error,
    /// Discord's code; 0 if it sent none.
    pub(crate) code: i64,
}

impl Refusal {
    /// Parses a reply whose status is not 2xx.
    pub(crate) fn read(response: &Response) -> Self {
        let body = from_slice::<Value>(&response.body).unwrap_or_default();
        let code = body.int("code").unwrap_or_default();
        Self { error: error(response, &body, code), code }
    }

    /// Returns the milliseconds to wait after a 429.
    pub(crate) fn retry_after(&self) -> Option<u32> {
        match self.error {
            Error::RateLimited(pause) => pause,
            _ => None,
        }
    }

    /// Returns whether a message is gone.
    pub(crate) fn is_unknown_message(&self) -> bool {
        self.code == UNKNOWN_MESSAGE
    }

    /// Returns whether the thread is locked for the bot, so that nothing can be posted in it.
    pub(crate) fn is_thread_locked(&self) -> bool {
        self.code == THREAD_LOCKED
    }

    /// Returns the error, with the permissions that the call needs if Discord only reports that one is missing.
    pub(crate) fn wanting(self, permissions: &str) -> Error {
        match self.error {
            Error::Denied(said) if self.code == MISSING_PERMISSIONS => {
                denied(&format!("{permissions} is missing"), said)
            }
            error => error,
        }
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self { error, code: 0 }
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        refusal.error
    }
}

fn error(response: &Response, body: &Value, code: i64) -> Error {
    let said = Some(description(response.status, code, body));
    match (response.status, code) {
        (401, _) => Error::Unauthorized,
        (413, _) | (_, REQUEST_TOO_LARGE | HARMFUL_LINKS) => Error::TooLarge,
        (429, _) | (_, TOO_MANY_DIRECT_CHANNELS) => Error::RateLimited(retry_after(response, body)),
        (_, NOT_A_TEXT_CHANNEL) => Error::bad_setting("channel-id", "a channel for texts, or a thread of one"),
        (500.., _) => Error::Unavailable(said),
        (_, INVALID_RECIPIENT) => Error::NotFound,
        (_, MISSING_ACCESS) => denied("VIEW_CHANNEL is missing", said),
        (_, REPLY_WITHOUT_HISTORY) => denied("READ_MESSAGE_HISTORY is missing", said),
        (_, CANNOT_SEND_TO_USER) => denied("the person takes no direct messages of this bot", said),
        (_, THREAD_ARCHIVED) | (403, _) => Error::Denied(said),
        // Without a code, the whole path is unknown, not a resource.
        (404, 0) => Error::wrong_server("a path of the API", crate::manifest::API_BASE),
        (404, _) => Error::NotFound,
        (400, INVALID_FORM_BODY) if is_too_long(body) => Error::TooLarge,
        _ => Error::Rejected(said),
    }
}

fn denied(what: &str, said: Option<String>) -> Error {
    Error::denied(format!("{what}: {}", said.unwrap_or_default()))
}

fn description(status: u16, code: i64, body: &Value) -> String {
    let message = body.text("message").unwrap_or("no explanation");
    match body.get("errors") {
        Some(errors) => format!("{message} (status {status}, code {code}): {errors}"),
        None => format!("{message} (status {status}, code {code})"),
    }
}

/// Returns whether the content exceeded its length limit (docs/reference#error-messages shows the form).
fn is_too_long(body: &Value) -> bool {
    let errors = body.get("errors").and_then(|errors| errors.get("content"));
    let lengths = ["BASE_TYPE_MAX_LENGTH", "BASE_TYPE_BAD_LENGTH"];
    errors.is_some_and(|content| {
        content.items("_errors").iter().any(|error| error.text("code").is_some_and(|code| lengths.contains(&code)))
    })
}

/// Returns the milliseconds to wait. The body has them exactly, the header in whole seconds, and a proxy sends only the
/// header (docs/topics/rate-limits#exceeding-a-rate-limit).
fn retry_after(response: &Response, body: &Value) -> Option<u32> {
    match body.get("retry_after").and_then(Value::as_f64) {
        Some(seconds) => seconds_to_ms(seconds),
        None => response.retry_after(),
    }
}
