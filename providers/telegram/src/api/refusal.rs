//! An error that Telegram reports. It has a code and a text. The texts matched here are those of the Bot API server
//! (<https://github.com/tdlib/telegram-bot-api>, `Client.cpp`, `fail_query_with_error`) and of Telegram's own
//! upper-case error names, which the server passes on.

use dmplz_provider_sdk::prelude::*;

/// The error that Telegram reported.
#[derive(Debug)]
pub(crate) struct Refusal {
    /// The code, which has the meaning of an HTTP status.
    code: i64,
    /// The reason, in English; "Contents are subject to change in the future".
    description: String,
    /// The id of the supergroup that the chat was migrated to
    /// (<https://core.telegram.org/bots/api#responseparameters>).
    migrate_to_chat_id: Option<i64>,
    /// The seconds to wait before the next call.
    retry_after: Option<u32>,
}

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

impl Refusal {
    /// Parses a reply whose `ok` is false.
    pub(crate) fn read(status: u16, reply: &Value) -> Self {
        let parameters = reply.inner("parameters");
        Self {
            code: reply.int("error_code").unwrap_or_else(|| status.into()),
            description: reply.text("description").unwrap_or_default().to_owned(),
            migrate_to_chat_id: parameters.int("migrate_to_chat_id"),
            retry_after: parameters.int("retry_after").and_then(|seconds| u32::try_from(seconds).ok()),
        }
    }

    /// Returns whether an edit was refused because the message already shows the card, so that nothing is left to do.
    pub(crate) fn is_not_modified(&self) -> bool {
        self.mentions(&["message is not modified", "message_not_modified"])
    }

    /// Returns whether a topic was left as it was because it has that name, or is open or closed already.
    pub(crate) fn is_topic_not_modified(&self) -> bool {
        self.mentions(&["topic_not_modified"])
    }

    /// Returns whether the chat has no topics.
    pub(crate) fn is_no_forum(&self) -> bool {
        self.mentions(&["the chat is not a forum"])
    }

    /// Returns whether the group became a supergroup.
    pub(crate) fn has_moved(&self) -> bool {
        self.migrate_to_chat_id.is_some()
    }

    /// Returns whether the topic is closed to the bot, so that nothing can be posted in it.
    pub(crate) fn is_topic_closed(&self) -> bool {
        self.mentions(&["topic_closed"])
    }

    /// Returns whether the press is too old to be acknowledged; its progress indicator is no longer shown.
    pub(crate) fn is_old_press(&self) -> bool {
        self.mentions(&["query is too old", "query id is invalid", "query_id_invalid"])
    }

    fn mentions(&self, words: &[&str]) -> bool {
        let description = self.description.to_ascii_lowercase();
        words.iter().any(|words| description.contains(words))
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        if let Some(id) = refusal.migrate_to_chat_id {
            let moved = format!("the group became a supergroup: its id is now {id}");
            return Error::bad_setting("chat-id", moved);
        }
        if let Some(seconds) = refusal.retry_after {
            return Error::RateLimited(Some(seconds.saturating_mul(1000)));
        }
        let said = Some(refusal.description.clone());
        match refusal.code {
            // A Bot API server of one's own may be older than the method.
            404 if refusal.mentions(&["method not found"]) => Error::Rejected(said),
            // A malformed token is answered with 404, a revoked one with 401. Neither is about a chat or message.
            401 | 404 => Error::Unauthorized,
            403 => Error::Denied(said),
            409 => Error::Conflict(said),
            413 => Error::TooLarge,
            429 => Error::RateLimited(None),
            500.. => Error::Unavailable(said),
            _ if refusal.mentions(&NO_SUCH) => Error::NotFound,
            _ if refusal.mentions(&TOO_LARGE) => Error::TooLarge,
            _ if refusal.mentions(&DENIED) => Error::Denied(said),
            _ => Error::Rejected(said),
        }
    }
}
