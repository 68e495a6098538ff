use bytes::Bytes;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A person or a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// The id of the user, which is also that of its private chat.
    pub id: i64,
    /// Whether it is a bot.
    pub is_bot: bool,
    /// The first name, which is never empty.
    pub first_name: String,
    /// The unique name, without the `@`.
    pub username: Option<String>,
    /// The IETF language tag that the person's client reports.
    pub language: Option<String>,
}

impl User {
    /// Creates a person with only a name.
    pub fn person(id: i64, first_name: impl Into<String>) -> Self {
        Self { id, is_bot: false, first_name: first_name.into(), username: None, language: None }
    }
}

/// The kind of a chat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChatKind {
    /// A private chat with a person who has started the bot.
    Private(User),
    /// A supergroup with these people.
    Group {
        /// The title of the group.
        title: String,
        /// The members of the group, without the bot.
        members: Vec<User>,
    },
}

/// A chat with the bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chat {
    /// The id: positive for a private chat, negative for a group.
    pub id: i64,
    /// The kind of the chat.
    pub kind: ChatKind,
    /// Whether the bot may post; false after it was blocked or removed.
    pub open: bool,
    /// Whether the bot is an administrator of the group.
    pub bot_is_admin: bool,
    /// The topics, by the ids of the messages that began them; `None` if topics are not turned on.
    pub topics: Option<BTreeMap<i64, Topic>>,
    /// The messages in the order of their ids, including deleted ones.
    pub messages: Vec<Message>,
}

/// What a person sees of a text that the bot is writing, until it goes by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// The id of the private chat.
    pub chat: i64,
    /// The topic, if it is in one.
    pub topic: Option<i64>,
    /// The id that the bot chose; drafts of one text have the same.
    pub id: i64,
    /// What is written so far.
    pub text: String,
}

/// A topic of a chat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topic {
    /// The name that people see.
    pub name: String,
    /// Whether only administrators can write in it.
    pub closed: bool,
}

/// The chat and id of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MessageRef {
    /// The id of the chat.
    pub chat: i64,
    /// The id of the message.
    pub id: i64,
}

impl From<(i64, i64)> for MessageRef {
    fn from((chat, id): (i64, i64)) -> Self {
        Self { chat, id }
    }
}

impl From<&Message> for MessageRef {
    fn from(message: &Message) -> Self {
        Self { chat: message.chat, id: message.id }
    }
}

/// A message with all its revisions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The id of the chat.
    pub chat: i64,
    /// The id, which is unique in its chat and larger than those of earlier messages.
    pub id: i64,
    /// The topic that it stands in, by the message that began it.
    pub topic: Option<i64>,
    /// The name of the topic that it began, if it is such a service message.
    pub begins: Option<String>,
    /// The user who wrote it.
    pub from: User,
    /// The time when it was sent, in Unix seconds.
    pub date: u64,
    /// The time of the last edit, in Unix seconds.
    pub edited: Option<u64>,
    /// The id of the message that it replies to.
    pub reply_to: Option<i64>,
    /// Whether it was sent without a sound.
    pub silent: bool,
    /// Whether it was deleted.
    pub deleted: bool,
    /// Its revisions, oldest first; never empty.
    pub revisions: Vec<Revision>,
}

impl Message {
    /// Returns what it shows now.
    pub fn now(&self) -> Revision {
        self.revisions.last().cloned().unwrap_or_default()
    }

    /// Returns the text that it shows now; of a document, the caption.
    pub fn text(&self) -> &str {
        self.revisions.last().map_or("", |revision| &revision.text)
    }

    /// Returns the buttons that it shows now, row by row.
    pub fn keyboard(&self) -> &[Vec<Button>] {
        self.revisions.last().map_or(&[], |revision| &revision.keyboard)
    }

    /// Returns the button with this callback data or, if there is none, with this label, which it shows now.
    pub fn button(&self, data_or_label: &str) -> Option<&Button> {
        self.revisions.last().and_then(|revision| revision.button(data_or_label))
    }
}

/// The content of a message at one time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Revision {
    /// The text; of a document, the caption.
    pub text: String,
    /// The parts of the text that are marked.
    pub entities: Vec<Entity>,
    /// The inline keyboard, row by row.
    pub keyboard: Vec<Vec<Button>>,
    /// The file of `sendDocument`.
    pub document: Option<Document>,
}

impl Revision {
    /// Returns the button with this callback data or, if there is none, with this label.
    pub fn button(&self, data_or_label: &str) -> Option<&Button> {
        let buttons = || self.keyboard.iter().flatten();
        buttons()
            .find(|button| button.data.as_deref() == Some(data_or_label))
            .or_else(|| buttons().find(|button| button.text == data_or_label))
    }

    /// Returns the parts of the text that are marked as `kind`, such as `code`, `pre` or `bold`.
    pub fn marked(&self, kind: &str) -> Vec<String> {
        let units: Vec<u16> = self.text.encode_utf16().collect();
        let of =
            |entity: &Entity| units.get(entity.offset..entity.offset + entity.length).map(String::from_utf16_lossy);
        self.entities.iter().filter(|entity| entity.kind == kind).filter_map(of).collect()
    }
}

/// A marked part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entity {
    /// Telegram's `type`: `bold`, `code`, `pre`, ...
    pub kind: String,
    /// The offset of its beginning, in UTF-16 units.
    pub offset: usize,
    /// The length, in UTF-16 units.
    pub length: usize,
    /// The fields that only some types have, such as `url` and `language`.
    pub more: Map<String, Value>,
}

/// A button of an inline keyboard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Button {
    /// The label of the button.
    pub text: String,
    /// The callback data; `None` for a link.
    pub data: Option<String>,
    /// The button as it was sent.
    pub raw: Value,
}

/// A file in a chat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// Telegram's id of the file.
    pub file_id: String,
    /// The name of the file.
    pub name: String,
    /// The media type that was sent with it.
    pub mime: String,
    /// The content of the file.
    pub bytes: Bytes,
}

/// The bot's answer to a press.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The text; empty for none.
    pub text: String,
    /// Whether it is shown as a dialog that the person has to close.
    pub alert: bool,
}
