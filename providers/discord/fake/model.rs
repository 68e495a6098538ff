use bytes::Bytes;
use serde_json::Value;

/// A person or a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// The snowflake of the user.
    pub id: u64,
    /// The unique name of the user.
    pub username: String,
    /// The name that people see, if it differs.
    pub global_name: Option<String>,
    /// Whether it is a bot.
    pub bot: bool,
}

impl User {
    /// Creates a user who is not a bot.
    pub fn person(id: u64, username: impl Into<String>) -> Self {
        Self { id, username: username.into(), global_name: None, bot: false }
    }
}

/// The permissions of the bot in a channel: <https://discord.com/developers/docs/topics/permissions>.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Permissions(pub u64);

impl Permissions {
    /// The set without any permission.
    pub const NONE: Self = Self(0);
    /// The permission to add a reaction with a new emoji.
    pub const ADD_REACTIONS: Self = Self(1 << 6);
    /// The permission to see the channel.
    pub const VIEW_CHANNEL: Self = Self(1 << 10);
    /// The permission to write messages.
    pub const SEND_MESSAGES: Self = Self(1 << 11);
    /// The permission to remove messages and reactions of others.
    pub const MANAGE_MESSAGES: Self = Self(1 << 13);
    /// The permission to attach files.
    pub const ATTACH_FILES: Self = Self(1 << 15);
    /// The permission to read earlier messages, and to react.
    pub const READ_MESSAGE_HISTORY: Self = Self(1 << 16);
    /// The permission to create public threads.
    pub const CREATE_PUBLIC_THREADS: Self = Self(1 << 35);
    /// The permissions of a member of a new server, as far as the fake knows them.
    pub const USUAL: Self = Self(1 << 6 | 1 << 10 | 1 << 11 | 1 << 14 | 1 << 15 | 1 << 16 | 1 << 35 | 1 << 38);

    /// Returns whether it includes all of `wanted`.
    pub fn has(self, wanted: Self) -> bool {
        self.0 & wanted.0 == wanted.0
    }

    /// Returns these permissions without `those`.
    pub fn without(self, those: Self) -> Self {
        Self(self.0 & !those.0)
    }

    /// Returns these permissions and `those`.
    pub fn with(self, those: Self) -> Self {
        Self(self.0 | those.0)
    }
}

/// A thread of a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// The id, which is that of a channel.
    pub id: u64,
    /// The name that people see.
    pub name: String,
    /// Whether it is archived.
    pub archived: bool,
}

/// The channel and id of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MessageRef {
    /// The id of the channel.
    pub channel: u64,
    /// The id of the message.
    pub id: u64,
}

impl From<(u64, u64)> for MessageRef {
    fn from((channel, id): (u64, u64)) -> Self {
        Self { channel, id }
    }
}

impl From<&Message> for MessageRef {
    fn from(message: &Message) -> Self {
        Self { channel: message.channel, id: message.id }
    }
}

/// A message with all its revisions.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// The id of the channel.
    pub channel: u64,
    /// The snowflake of the message.
    pub id: u64,
    /// The user who wrote it.
    pub author: User,
    /// Milliseconds since 1970 of the last edit.
    pub edited: Option<u64>,
    /// The id of the message that it replies to.
    pub reply_to: Option<u64>,
    /// The nonce that it was created with.
    pub nonce: Option<Value>,
    /// The flags that it was created with; 4096 suppresses the notification.
    pub flags: u64,
    /// The ids of the users that it pinged.
    pub mentions: Vec<u64>,
    /// Whether it pinged everyone.
    pub mention_everyone: bool,
    /// Whether it was deleted.
    pub deleted: bool,
    /// The reactions, in the order in which the emoji were first added.
    pub reactions: Vec<Reaction>,
    /// Its revisions, oldest first; never empty.
    pub revisions: Vec<Revision>,
}

impl Message {
    /// Returns what it shows now.
    pub fn now(&self) -> Revision {
        self.revisions.last().cloned().unwrap_or_default()
    }

    /// Returns the text that it shows now.
    pub fn content(&self) -> &str {
        self.revisions.last().map_or("", |revision| &revision.content)
    }

    /// Returns the files that it shows now.
    pub fn attachments(&self) -> &[Attachment] {
        self.revisions.last().map_or(&[], |revision| &revision.attachments)
    }

    /// Returns the users who have reacted with this emoji, in the order in which they did.
    pub fn reacted(&self, emoji: &str) -> &[User] {
        self.reactions.iter().find(|reaction| reaction.emoji == emoji).map_or(&[], |reaction| &reaction.users)
    }

    /// Returns the emoji on it, in the order in which they were first added.
    pub fn emoji(&self) -> Vec<&str> {
        self.reactions.iter().map(|reaction| reaction.emoji.as_str()).collect()
    }
}

/// The content of a message at one time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Revision {
    /// The text of the message.
    pub content: String,
    /// The embeds as they were sent.
    pub embeds: Vec<Value>,
    /// The rows of components, each component with its number; [`Message::buttons`] reads them.
    pub components: Vec<Value>,
    /// The files attached to the message.
    pub attachments: Vec<Attachment>,
}

/// A file in a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// The snowflake of the attachment.
    pub id: u64,
    /// The name under which people save it.
    pub filename: String,
    /// The media type that was sent with it.
    pub content_type: String,
    /// The alternative text, if there is one.
    pub description: Option<String>,
    /// The content of the file.
    pub bytes: Bytes,
}

/// One emoji on a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reaction {
    /// The emoji as a character or, for a custom one, as `name:id`.
    pub emoji: String,
    /// The users who added it; never empty.
    pub users: Vec<User>,
}
