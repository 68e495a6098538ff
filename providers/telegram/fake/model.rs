use bytes::Bytes;
use serde_json::{Map, Value};

/// A person or a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// Telegram's number for it; also the id of its private chat.
    pub id: i64,
    /// Whether it is a bot.
    pub is_bot: bool,
    /// The first name, which is never empty.
    pub first_name: String,
    /// The unique name, without the `@`.
    pub username: Option<String>,
    /// An IETF language tag, as the client of that person reports it.
    pub language: Option<String>,
}

impl User {
    /// A person with only a name.
    pub fn person(id: i64, first_name: impl Into<String>) -> Self {
        Self { id, is_bot: false, first_name: first_name.into(), username: None, language: None }
    }
}

/// What a chat is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChatKind {
    /// With one person, who has started the bot.
    Private(User),
    /// A supergroup with these people.
    Group {
        /// Its name.
        title: String,
        /// Who is in it, apart from the bot.
        members: Vec<User>,
    },
}

/// A chat with the bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chat {
    /// Positive for a private chat, negative for a group.
    pub id: i64,
    /// The kind of the chat.
    pub kind: ChatKind,
    /// Whether the bot may post: false once it was blocked or removed.
    pub open: bool,
    /// Whether the bot is an administrator of the group.
    pub bot_is_admin: bool,
    /// In the order of their ids, deleted ones too.
    pub messages: Vec<Message>,
}

/// Where a message is.
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

/// A message with everything that it ever showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The id of the chat.
    pub chat: i64,
    /// Unique in its chat and growing.
    pub id: i64,
    /// The user who wrote it.
    pub from: User,
    /// When it was sent, in Unix seconds.
    pub date: u64,
    /// Unix seconds of the last edit.
    pub edited: Option<u64>,
    /// The message that it answers.
    pub reply_to: Option<i64>,
    /// Whether it came without a sound.
    pub silent: bool,
    /// Whether it is gone.
    pub deleted: bool,
    /// What it showed, oldest first; never empty.
    pub revisions: Vec<Revision>,
}

impl Message {
    /// What it shows now.
    pub fn now(&self) -> Revision {
        self.revisions.last().cloned().unwrap_or_default()
    }

    /// The text (of a document: the caption) that it shows now.
    pub fn text(&self) -> &str {
        self.revisions.last().map_or("", |revision| &revision.text)
    }

    /// The buttons that it shows now, row by row.
    pub fn keyboard(&self) -> &[Vec<Button>] {
        self.revisions.last().map_or(&[], |revision| &revision.keyboard)
    }

    /// The button it shows now that has this callback data or, failing that, this label.
    pub fn button(&self, data_or_label: &str) -> Option<&Button> {
        self.revisions.last().and_then(|revision| revision.button(data_or_label))
    }
}

/// What a message showed at one time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Revision {
    /// The text; of a document: the caption.
    pub text: String,
    /// The parts of the text that are marked.
    pub entities: Vec<Entity>,
    /// The inline keyboard, row by row.
    pub keyboard: Vec<Vec<Button>>,
    /// The file of `sendDocument`.
    pub document: Option<Document>,
}

impl Revision {
    /// The button with this callback data or, failing that, this label.
    pub fn button(&self, data_or_label: &str) -> Option<&Button> {
        let buttons = || self.keyboard.iter().flatten();
        buttons()
            .find(|button| button.data.as_deref() == Some(data_or_label))
            .or_else(|| buttons().find(|button| button.text == data_or_label))
    }

    /// The parts of the text that are marked as `kind`, such as `code`, `pre` or `bold`.
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
    /// Where it begins, in UTF-16 units.
    pub offset: usize,
    /// How long it is, in UTF-16 units.
    pub length: usize,
    /// The fields of only some types, such as `url` and `language`.
    pub more: Map<String, Value>,
}

/// A button of an inline keyboard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Button {
    /// The label of the button.
    pub text: String,
    /// Its callback data; none for a link.
    pub data: Option<String>,
    /// The button as it was sent.
    pub raw: Value,
}

/// A file in a chat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// Telegram's name for it.
    pub file_id: String,
    /// The file's own name.
    pub name: String,
    /// The media type that was sent with it.
    pub mime: String,
    /// The whole of it.
    pub bytes: Bytes,
}

/// What the bot answered to a press.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The toast; empty for none.
    pub text: String,
    /// Whether it came as a dialog that the person has to close.
    pub alert: bool,
}
