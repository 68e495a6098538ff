//! An error that Telegram reports. It has a code and a text. The texts matched here are those of the Bot API server
//! (<https://github.com/tdlib/telegram-bot-api>, `Client.cpp`, `fail_query_with_error`) and of Telegram's own
//! upper-case error names, which the server passes on.

use dmplz_provider_sdk::prelude::*;

/// An edit was refused because the message already shows the card, so that nothing is left to do.
pub(crate) const NOT_MODIFIED: [&str; 2] = ["message is not modified", "message_not_modified"];
/// A topic was left as it was because it has that name, or is open or closed already.
pub(crate) const TOPIC_NOT_MODIFIED: [&str; 1] = ["topic_not_modified"];
/// The chat has no topics.
pub(crate) const NO_FORUM: [&str; 1] = ["the chat is not a forum"];
/// The topic is closed to the bot, so that nothing can be posted in it.
pub(crate) const TOPIC_CLOSED: [&str; 1] = ["topic_closed"];
/// The press is too old to be acknowledged; its progress indicator is no longer shown.
pub(crate) const OLD_PRESS: [&str; 3] = ["query is too old", "query id is invalid", "query_id_invalid"];

const NO_SUCH: [&str; 13] = [
    "chat not found",
    "user not found",
    "peer_id_invalid",
    "message to edit not found",
    "message to be replied not found",
    "message to reply not found",
    "message_id_invalid",
    "message not found",
    "message thread not found",
    "topic_deleted",
    "topic_id_invalid",
    "wrong file_id",
    "invalid file_id",
];
const TOO_LARGE: [&str; 5] =
    ["message is too long", "message_too_long", "entities_too_long", "file is too big", "request entity too large"];
const DENIED: [&str; 11] = [
    "not enough rights", "have no rights", "have no write access", "need administrator rights", "chat_write_forbidden",
    "chat_admin_required", "chat_restricted", "bot is not a member", "topic_closed",
    // Of a channel, an administrator may have taken away the bot's right to change posts.
    "message can't be edited", "message_author_required",
];

/// Reads a reply whose `ok` is false. The code of the refusal is the description in lower case.
pub(super) fn read(response: &Response, reply: &Value) -> Refusal {
    let said = reply.text("description").unwrap_or_default();
    let code = said.to_ascii_lowercase();
    Refusal { error: error(response, reply, said, &code), code }
}

/// Returns the result of a call; `None` where Telegram refused it in one of these words, which are no errors here.
pub(crate) fn unless_said<T>(called: Result<T, Refusal>, words: &[&str]) -> Result<Option<T>, Refusal> {
    match called {
        Err(refusal) if mentions(&refusal.code, words) => Ok(None),
        called => called.map(Some),
    }
}

fn mentions(description: &str, words: &[&str]) -> bool {
    words.iter().any(|words| description.contains(words))
}

fn error(response: &Response, reply: &Value, said: &str, description: &str) -> Error {
    let parameters = reply.inner("parameters");
    // The id of the supergroup that the chat was migrated to (<https://core.telegram.org/bots/api#responseparameters>).
    if let Some(id) = parameters.int("migrate_to_chat_id") {
        let moved = format!("the group became a supergroup: its id is now {id}");
        return Error::bad_setting("chat-id", moved);
    }
    if let Some(seconds) = parameters.int("retry_after").and_then(|seconds| u32::try_from(seconds).ok()) {
        return Error::RateLimited(Some(seconds.saturating_mul(1000)));
    }
    let said = Some(said.to_owned());
    match reply.int("error_code").unwrap_or_else(|| response.status.into()) {
        // A Bot API server of one's own may be older than the method.
        404 if mentions(description, &["method not found"]) => Error::Rejected(said),
        // A malformed token is answered with 404, a revoked one with 401. Neither is about a chat or message.
        401 | 404 => Error::Unauthorized,
        403 => Error::Denied(said),
        409 => Error::Conflict(said),
        413 => Error::TooLarge,
        429 => Error::RateLimited(None),
        500.. => Error::Unavailable(said),
        _ if mentions(description, &NO_SUCH) => Error::NotFound,
        _ if mentions(description, &TOO_LARGE) => Error::TooLarge,
        _ if mentions(description, &DENIED) => Error::Denied(said),
        _ => Error::Rejected(said),
    }
}
