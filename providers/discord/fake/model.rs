use bytes::Bytes;
use serde_json::Value;

/// A person or a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// The snowflake of the user.
    pub id: u64,
    /// The name that is unique at Discord.
    pub username: String,
    /// The name that people see, where it differs.
    pub global_name: Option<String>,
    /// Whether it is a bot.
    pub bot: bool,
}

impl User {
    /// A user who is no bot.
    pub fn person(id: u64, username: impl Into<String>) -> Self {
        Self { id, username: username.into(), global_name: None, bot: false }
    }
}

/// What the bot may do in a channel: <https://discord.com/developers/docs/topics/permissions>.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Permissions(pub u64);

impl Permissions {
    /// Not one of the rights.
    pub const NONE: Self = Self(0);
    /// Leave a reaction that nobody has left yet.
    pub const ADD_REACTIONS: Self = Self(1 << 6);
    /// The right to see the channel.
    pub const VIEW_CHANNEL: Self = Self(1 << 10);
    /// The right to write messages.
    pub const SEND_MESSAGES: Self = Self(1 << 11);
    /// Remove what others wrote or reacted.
    pub const MANAGE_MESSAGES: Self = Self(1 << 13);
    /// The right to attach files.
    pub const ATTACH_FILES: Self = Self(1 << 15);
    /// See what was written before, and react.
    pub const READ_MESSAGE_HISTORY: Self = Self(1 << 16);
    /// What a member of a new server has, as far as it matters here.
    pub const USUAL: Self = Self(1 << 6 | 1 << 10 | 1 << 11 | 1 << 14 | 1 << 15 | 1 << 16);

    /// Whether all of these are among them.
    pub fn has(self, wanted: Self) -> bool {
        self.0 & wanted.0 == wanted.0
    }

    /// These rights without those.
    pub fn without(self, those: Self) -> Self {
        Self(self.0 & !those.0)
    }

    /// These rights and those together.
    pub fn with(self, those: Self) -> Self {
        Self(self.0 | those.0)
    }
}

/// Where a message is.
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

/// A message with everything that it ever showed.
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
    /// The message that it answers.
    pub reply_to: Option<u64>,
    /// The nonce that it was created with.
    pub nonce: Option<Value>,
    /// The flags that it was created with; 4096 suppresses the notification.
    pub flags: u64,
    /// The ids of those whom it pinged.
    pub mentions: Vec<u64>,
    /// Whether it pinged everyone.
    pub mention_everyone: bool,
    /// Whether it is gone.
    pub deleted: bool,
    /// In the order in which each emoji first came.
    pub reactions: Vec<Reaction>,
    /// What it showed, oldest first; never empty.
    pub revisions: Vec<Revision>,
}

impl Message {
    /// What it shows now.
    pub fn now(&self) -> Revision {
        self.revisions.last().cloned().unwrap_or_default()
    }

    /// The text that it shows now.
    pub fn content(&self) -> &str {
        self.revisions.last().map_or("", |revision| &revision.content)
    }

    /// The files that it shows now.
    pub fn attachments(&self) -> &[Attachment] {
        self.revisions.last().map_or(&[], |revision| &revision.attachments)
    }

    /// Who has reacted with this emoji, in the order in which they did.
    pub fn reacted(&self, emoji: &str) -> &[User] {
        self.reactions.iter().find(|reaction| reaction.emoji == emoji).map_or(&[], |reaction| &reaction.users)
    }

    /// The emoji on it, in the order in which they came.
    pub fn emoji(&self) -> Vec<&str> {
        self.reactions.iter().map(|reaction| reaction.emoji.as_str()).collect()
    }
}

/// What a message showed at one time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Revision {
    /// The text of the message.
    pub content: String,
    /// The embeds as they were sent.
    pub embeds: Vec<Value>,
    /// The rows of components, each component with its number; [`Message::buttons`] reads them.
    pub components: Vec<Value>,
    /// The files that are attached.
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
    /// The alternative text, where there is one.
    pub description: Option<String>,
    /// The whole of it.
    pub bytes: Bytes,
}

/// One emoji on a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reaction {
    /// The emoji itself or, for a server's own, `name:id`.
    pub emoji: String,
    /// Who left it; never empty.
    pub users: Vec<User>,
}
