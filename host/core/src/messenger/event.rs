//! What is watched, and what people do.

use super::{Choice, MessageRef, User, Words};

/// A card that waits for events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watch {
    /// The message that shows the card.
    pub message: MessageRef,
    /// The choices that it offers.
    pub choices: Vec<Choice>,
    /// Whether texts that follow it are wanted too.
    pub text: bool,
}

/// A press of a button, or a reaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen {
    /// The message that shows the card.
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
    /// The text of the message.
    pub text: String,
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
