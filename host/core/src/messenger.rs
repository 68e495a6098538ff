//! The data that the host and a messenger's provider exchange: the Rust side of `wit/types.wit`, which describes each
//! item in full. Lengths in "units" are UTF-16 code units.
//!
//! | file | content |
//! |---|---|
//! | this one | chats, messages and users |
//! | `card` | cards and their choices |
//! | `event` | what is watched, what people do and send, and the commands that they use |
//! | `manifest` | what a provider says of itself |
//! | `meeting` | what `dmplz doctor` and `dmplz setup` ask it |
//! | `error` | why it did not do what it was asked |

mod card;
mod error;
mod event;
mod manifest;
mod meeting;

pub use card::{Attachment, Block, ButtonStyle, Card, Choice, TextField};
pub use error::{NoConnection, Obstacle, ProviderError};
pub use event::{Batch, Chosen, Command, Download, Event, Said, SentFile, Watch};
pub use manifest::{
    Answering, ChatKind, ChatSpec, FrameKind, Lifetime, Limits, Manifest, Renewal, SecretPlace, SecretSpec,
    SettingKind, SettingSpec, Tenure, Transport, Users, Words,
};
pub use meeting::{Check, Diagnosis, Greeting, Introduction, Meeting, Subject};

/// The destination of cards, as the operator configured it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Chat {
    /// A chat, group or channel, by its id.
    Room(String),
    /// One person, by their id.
    Person(String),
}

/// A chat that was opened, or a thread in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenChat {
    /// Its id, as in every [`MessageRef`] in it. A thread has an id of its own.
    pub id: String,
    /// The only person in it, if it is private.
    pub owner: Option<String>,
    /// Whether the messenger identifies its users.
    pub users: Users,
}

/// A message in a messenger.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct MessageRef {
    /// The chat that holds it.
    pub chat: String,
    /// Its id in that chat; empty if the message is not known yet.
    pub id: String,
    /// A number that increases with every message of the chat.
    pub sequence: u64,
}

impl Chat {
    /// Returns the id of the chat, or of the person.
    pub fn id(&self) -> &str {
        let (Self::Room(id) | Self::Person(id)) = self;
        id
    }
}

impl OpenChat {
    /// Returns a thread of this chat, or the chat itself, by its id.
    #[must_use]
    pub fn at(&self, id: &str) -> Self {
        Self { id: id.to_owned(), ..self.clone() }
    }

    /// Returns where a card is posted: in the thread of the message that it replies to, if it does, or in this chat.
    #[must_use]
    pub fn of(&self, card: &Card) -> Self {
        self.at(card.reply_to.as_ref().map_or(&self.id, |message| &message.chat))
    }
}

impl MessageRef {
    /// Returns whether both name the same message. The sequence does not count: an event may report another one.
    pub fn is_same(&self, other: &Self) -> bool {
        self.chat == other.chat && self.id == other.id
    }

    /// Returns whether the message is known. That of a card that is being posted is not.
    pub fn is_known(&self) -> bool {
        !self.id.is_empty()
    }

    /// Returns whether it came after another message of the same chat.
    pub fn follows(&self, other: &Self) -> bool {
        self.chat == other.chat && self.sequence > other.sequence
    }
}

/// A user of a chat. The name is untrusted.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct User {
    /// The user's stable id in the messenger.
    pub id: String,
    /// The name that people see, as the messenger reports it.
    pub name: String,
    /// Whether the user is a program.
    pub is_bot: bool,
}

impl User {
    /// Returns a user whom the messenger does not identify.
    pub fn anonymous() -> Self {
        Self { id: "anonymous".to_owned(), name: "anonymous".to_owned(), is_bot: false }
    }
}
