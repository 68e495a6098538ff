use bytes::Bytes;
use serde_json::{Value, json};

/// A user of the server.
#[derive(Clone, Debug, PartialEq)]
pub struct User {
    /// The id: 26 letters and digits.
    pub id: String,
    /// The name that people see, without the at sign.
    pub name: String,
    /// Whether it is a bot account.
    pub is_bot: bool,
}

impl User {
    /// Returns an account that is no bot.
    pub fn person(id: impl Into<String>, name: impl Into<String>) -> Self {
        Self { id: id.into(), name: name.into(), is_bot: false }
    }

    pub(crate) fn json(&self) -> Value {
        let mut user = json!({
            "id": self.id, "create_at": 1, "update_at": 1, "delete_at": 0, "username": self.name, "first_name": "",
            "last_name": "", "nickname": "", "email": "", "auth_service": "", "roles": "system_user", "locale": "en",
        });
        if self.is_bot {
            user["is_bot"] = true.into();
            user["bot_description"] = "".into();
        }
        user
    }
}

/// A post of a channel, with everything that it showed.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// The channel where it is.
    pub channel: String,
    /// The id of the post.
    pub id: String,
    /// The post at the beginning of its thread.
    pub root: Option<String>,
    /// The id of its author.
    pub user: String,
    /// The Markdown of each revision, the last one is shown.
    pub texts: Vec<String>,
    /// The properties that its author gave it.
    pub props: Value,
    /// Its files, with their names.
    pub files: Vec<(String, Bytes)>,
    /// The reactions that it has now, the first ones first.
    pub reactions: Vec<Reaction>,
    /// When it was created, in milliseconds.
    pub at: u64,
    /// Whether it was deleted.
    pub deleted: bool,
    pub(crate) updated: u64,
    pub(crate) edited: u64,
    pub(crate) pending: String,
    pub(crate) file_ids: Vec<String>,
}

/// A reaction to a post.
#[derive(Clone, Debug, PartialEq)]
pub struct Reaction {
    /// The id of the user.
    pub user: String,
    /// The name of the emoji.
    pub name: String,
    /// When it was added for the first time, in milliseconds.
    pub at: u64,
    /// When it was added last, in milliseconds.
    pub again: u64,
}

impl Message {
    /// The Markdown that is shown now.
    pub fn now(&self) -> &str {
        self.texts.last().map(String::as_str).unwrap_or_default()
    }

    /// The names of a user's reactions.
    pub fn reactions_of(&self, user: &str) -> Vec<String> {
        self.reactions.iter().filter(|it| it.user == user).map(|it| it.name.clone()).collect()
    }

    pub(crate) fn json(&self) -> Value {
        let deleted = if self.deleted { self.updated } else { 0 };
        let mut metadata = json!({});
        if !self.reactions.is_empty() {
            metadata["reactions"] = self.reactions.iter().map(|it| it.json(self)).collect();
        }
        if !self.files.is_empty() {
            let info = |(id, (name, bytes)): (&String, &(String, Bytes))| {
                json!({ "id": id, "user_id": self.user, "post_id": self.id, "create_at": self.at, "update_at": self.at,
                    "delete_at": 0, "name": name, "size": bytes.len(), "extension": "", "mime_type": "" })
            };
            metadata["files"] = self.file_ids.iter().zip(&self.files).map(info).collect();
        }
        let mut post = json!({
            "id": self.id, "create_at": self.at, "update_at": self.updated, "edit_at": self.edited,
            "delete_at": deleted, "is_pinned": false, "user_id": self.user, "channel_id": self.channel,
            "root_id": self.root.clone().unwrap_or_default(), "original_id": "", "message": self.now(), "type": "",
            "props": self.props, "hashtags": "", "file_ids": self.file_ids, "pending_post_id": self.pending,
            "reply_count": 0, "last_reply_at": 0, "participants": null, "metadata": metadata,
        });
        if !self.reactions.is_empty() {
            post["has_reactions"] = true.into();
        }
        post
    }
}

impl Reaction {
    pub(crate) fn json(&self, post: &Message) -> Value {
        json!({
            "user_id": self.user, "post_id": post.id, "emoji_name": self.name, "create_at": self.at,
            "update_at": self.again, "delete_at": 0, "remote_id": "", "channel_id": post.channel,
        })
    }
}
