//! What is watched, and what people do.

use super::{Choice, MessageRef, User, Words};

/// A card that waits for events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watch {
    /// The message that shows the card.
    pub message: MessageRef,
    /// The tag of the card that it shows.
    pub tag: String,
    /// The choices that it offers.
    pub choices: Vec<Choice>,
    /// Whether texts that follow it are wanted too.
    pub text: bool,
}

/// A press of a button, or a reaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen {
    /// The message that shows the card. It is not known yet if the card was pressed while it is being posted.
    pub message: MessageRef,
    /// The card's tag, if the press carries it.
    pub tag: Option<String>,
    /// The id of the choice.
    pub choice: String,
    /// The person who pressed.
    pub user: User,
    /// The token for acknowledging the press; empty if it cannot be acknowledged.
    pub token: String,
    /// The text in the choice's field.
    pub text: Option<String>,
}

/// A message that a person wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// The message that was written.
    pub message: MessageRef,
    /// The message to which it replies, if it does.
    pub reply_to: Option<MessageRef>,
    /// The person who wrote.
    pub user: User,
    /// The text of the message; empty if the messenger does not tell it, and for files without a caption.
    pub text: String,
    /// The files that were sent with it, at most 10.
    pub files: Vec<SentFile>,
}

/// A file that a person sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentFile {
    /// The provider's id of the file, by which it finds the file again.
    pub id: String,
    /// The file's name. It is untrusted.
    pub name: String,
    /// The file's size in bytes, if the messenger reports it.
    pub size: Option<u64>,
}

/// The request that gets a file, as the provider wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Download {
    /// The URL, with the placeholder of a secret where there is one.
    pub url: String,
    /// The names and values of the headers, likewise.
    pub headers: Vec<(String, String)>,
}

impl Said {
    /// Returns whether the messenger reports that somebody wrote, but not what.
    pub fn is_unreadable(&self) -> bool {
        self.text.trim().is_empty() && self.files.is_empty()
    }

    /// Returns whether it is files without any words, which answers nothing that asks for words.
    pub fn has_only_files(&self) -> bool {
        self.text.trim().is_empty() && !self.files.is_empty()
    }
}

/// A command that people use in a chat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// The command's name, without the slash: `[a-z]{1,32}`.
    pub name: String,
    /// What the command does, at most 100 units in each language.
    pub help: Words,
    /// What may follow it, at most 100 units in each language; `None` if nothing does.
    pub takes: Option<Words>,
    /// Whether a file may go with it.
    pub file: bool,
}

/// An action of a person in a chat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A press or a reaction.
    Chosen(Chosen),
    /// A message in the chat.
    Said(Said),
}

/// The result of one poll for events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    /// The events in the order in which they happened, as far as the messenger reports it.
    pub events: Vec<Event>,
    /// The cursor at which the next poll continues.
    pub cursor: String,
}
