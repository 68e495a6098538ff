//! What a provider finds out for `dmplz doctor` and `dmplz setup`.

use super::{Chat, User};

/// The subject of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// No other program receives the bot's events.
    Events,
    /// The chat exists and the bot is in it.
    Chat,
    /// Whether the bot may post in the chat.
    Post,
    /// Whether the bot may leave reactions.
    React,
    /// The bot may attach files.
    Attach,
    /// The bot may read messages.
    Read,
}

/// The result of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// The subject of the check.
    pub subject: Subject,
    /// Whether the check passed.
    pub ok: bool,
    /// What was found, in English.
    pub detail: String,
}

/// A provider's findings about token, chat and permissions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnosis {
    /// The bot's id at the messenger.
    pub bot_id: String,
    /// The bot's name, as people see it.
    pub bot_name: String,
    /// The results of the checks.
    pub checks: Vec<Check>,
}

/// How a person reaches a bot that has no chat yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Introduction {
    /// The bot, and what was found about it.
    pub found: Diagnosis,
    /// A link that adds the bot to a chat, if that is necessary.
    pub invite: Option<String>,
    /// A link that opens the chat with the bot and sends the code with one press.
    pub link: Option<String>,
    /// The text that the person sends if no link does it.
    pub message: String,
}

/// A message by which a person pairs with the bot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Greeting {
    /// The chat, as the operator would configure it.
    pub chat: Chat,
    /// The person who wrote.
    pub user: User,
    /// The code that they sent. Untrusted.
    pub code: String,
}

/// The result of one poll for greetings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meeting {
    /// The greetings in the order in which they were written.
    pub greetings: Vec<Greeting>,
    /// The cursor at which the next poll continues.
    pub cursor: String,
}
