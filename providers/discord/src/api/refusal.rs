//! Maps Discord's errors to those of the contract: by the HTTP status, and if that is ambiguous by the code in the
//! body (<https://discord.com/developers/docs/topics/opcodes-and-status-codes>).

use dmplz_provider_sdk::http::seconds_to_ms;
use dmplz_provider_sdk::prelude::*;
use dmplz_provider_sdk::serde_json::from_slice;

/// "Cannot send messages to this user": the person accepts no direct messages of this bot.
const CANNOT_SEND_TO_USER: &str = "50007";
const MISSING_ACCESS: &str = "50001";
const MISSING_PERMISSIONS: &str = "50013";
const REQUEST_TOO_LARGE: &str = "40005";
const INVALID_FORM_BODY: &str = "50035";
const INVALID_RECIPIENT: &str = "50033";
/// "Tried to perform an operation on an archived thread".
pub(crate) const THREAD_ARCHIVED: &str = "50083";
const REPLY_WITHOUT_HISTORY: &str = "160002";
/// "Opening direct messages too fast", with the status 403.
const TOO_MANY_DIRECT_CHANNELS: &str = "40003";
/// "Cannot send messages in a non-text channel".
const NOT_A_TEXT_CHANNEL: &str = "50008";
/// "Message blocked by harmful links filter", which less text may pass.
const HARMFUL_LINKS: &str = "240000";
/// The thread is locked for the bot, so that nothing can be posted in it.
pub(crate) const THREAD_LOCKED: &str = "160005";
/// The message is gone.
pub(crate) const UNKNOWN_MESSAGE: &str = "10008";

/// Parses a reply whose status is not 2xx. The code is "0" if Discord sent none.
pub(super) fn read(response: &Response) -> Refusal {
    let body = from_slice::<Value>(&response.body).unwrap_or_default();
    let code = body.int("code").unwrap_or_default().to_string();
    Refusal { error: error(response, &body, &code), code }
}

/// Returns the error, with the permissions that the call needs if Discord only reports that one is missing.
pub(crate) fn wanting(refusal: Refusal, permissions: &str) -> Error {
    match refusal.error {
        Error::Denied(said) if refusal.code == MISSING_PERMISSIONS => {
            denied(&format!("{permissions} is missing"), said)
        }
        error => error,
    }
}

fn error(response: &Response, body: &Value, code: &str) -> Error {
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
        (404, "0") => Error::wrong_server("a path of the API", crate::manifest::API_BASE),
        (404, _) => Error::NotFound,
        (400, INVALID_FORM_BODY) if is_too_long(body) => Error::TooLarge,
        _ => Error::Rejected(said),
    }
}

fn denied(what: &str, said: Option<String>) -> Error {
    Error::denied(format!("{what}: {}", said.unwrap_or_default()))
}

fn description(status: u16, code: &str, body: &Value) -> String {
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
