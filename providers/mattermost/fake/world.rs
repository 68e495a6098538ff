use super::model::{Message, Reaction, User};
use super::refusal::Refusal;
use super::sockets::Sockets;
use super::{BOT, BOT_NAME};
use crate::bucket::Bucket;
use bytes::Bytes;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Requests that are taken at once, and each second (`RateLimitSettings.PerSec`).
const REQUESTS: u32 = 10;
const REFILL: Duration = Duration::from_millis(100);

/// Everything that the server knows.
pub(crate) struct World {
    pub(crate) users: BTreeMap<String, User>,
    pub(crate) channels: BTreeMap<String, Channel>,
    pub(crate) messages: Vec<Message>,
    pub(crate) uploads: BTreeMap<String, Upload>,
    /// When each reaction was added for the first time, by its post, its user and its name, in milliseconds.
    reacted: BTreeMap<[String; 3], u64>,
    /// What members may do in channels.
    pub(crate) permissions: BTreeSet<String>,
    pub(crate) takes_files: bool,
    pub(crate) sockets: Sockets,
    bucket: Option<Bucket>,
    number: u64,
    time: u64,
}

/// A channel, or a direct channel of a person with the bot.
pub(crate) struct Channel {
    /// The person of a direct channel.
    pub(crate) with: Option<String>,
    /// Whether the bot is a member.
    pub(crate) is_member: bool,
}

/// A file that was uploaded.
pub(crate) struct Upload {
    pub(crate) channel: String,
    pub(crate) name: String,
    pub(crate) bytes: Bytes,
}

impl World {
    pub(crate) fn new() -> Self {
        let bot = User { id: BOT.to_owned(), name: BOT_NAME.to_owned(), is_bot: true };
        let permissions =
            ["read_channel", "create_post", "edit_post", "add_reaction", "remove_reaction", "upload_file"];
        Self {
            users: BTreeMap::from([(BOT.to_owned(), bot)]),
            channels: BTreeMap::new(),
            messages: Vec::new(),
            uploads: BTreeMap::new(),
            reacted: BTreeMap::new(),
            permissions: permissions.map(str::to_owned).into(),
            takes_files: true,
            sockets: Sockets::default(),
            bucket: None,
            number: 0,
            time: 0,
        }
    }

    /// An id that was not used before: 26 characters.
    pub(crate) fn id(&mut self, kind: &str) -> String {
        self.number += 1;
        format!("{kind}{:0width$}", self.number, width = 26 - kind.len())
    }

    /// A time in milliseconds that nothing else has.
    pub(crate) fn now(&mut self) -> u64 {
        let now = u64::try_from(crate::clock::since_epoch().as_millis()).unwrap_or_default();
        self.time = now.max(self.time + 1);
        self.time
    }

    pub(crate) fn limit(&mut self) {
        self.bucket = Some(Bucket::new(REQUESTS, REFILL));
    }

    /// Counts a request; the wait where it is one too many.
    pub(crate) fn count(&mut self) -> Option<Duration> {
        self.bucket.as_mut()?.take().map(|_| Duration::from_secs(1))
    }

    pub(crate) fn user(&self, id: &str) -> Result<(u16, Value), Refusal> {
        let user = self.users.get(id);
        let user =
            user.ok_or_else(|| Refusal::new(404, "app.user.missing_account.const", "Unable to find the user."))?;
        Ok((200, user.json()))
    }

    pub(crate) fn open(&mut self, with: Option<&str>) -> String {
        let id = self.id("channel");
        self.channels.insert(id.clone(), Channel { with: with.map(str::to_owned), is_member: true });
        id
    }

    /// The direct channel with a person, which is made where there was none.
    pub(crate) fn dm(&mut self, user: &str) -> String {
        let found = self.channels.iter().find(|(_, channel)| channel.with.as_deref() == Some(user));
        match found.map(|(id, _)| id.clone()) {
            Some(id) => id,
            None => self.open(Some(user)),
        }
    }

    /// A channel that the bot may read. One that is not there looks like one that it may not read.
    pub(crate) fn readable(&self, id: &str) -> Result<Value, Refusal> {
        let channel = self.channels.get(id).filter(|it| it.is_member).ok_or_else(Refusal::permissions)?;
        let kind = if channel.with.is_some() { "D" } else { "O" };
        Ok(json!({
            "id": id, "create_at": 1, "update_at": 1, "delete_at": 0, "team_id": "", "type": kind, "display_name": "",
            "name": "approvals", "header": "", "purpose": "", "creator_id": "",
        }))
    }

    /// Checks that the bot is a member of a channel and may do that there.
    pub(crate) fn may(&self, channel: &str, permission: &str) -> Result<(), Refusal> {
        self.readable(channel)?;
        if self.permissions.contains(permission) { Ok(()) } else { Err(Refusal::permissions()) }
    }

    /// A post that was not deleted.
    pub(crate) fn post(&mut self, id: &str) -> Result<&mut Message, Refusal> {
        self.messages.iter_mut().find(|it| it.id == id && !it.deleted).ok_or_else(Refusal::no_post)
    }

    pub(crate) fn draft(&mut self, channel: &str, user: &str, text: &str, root: Option<String>) -> Message {
        let at = self.now();
        Message {
            channel: channel.to_owned(),
            id: self.id("post"),
            root,
            user: user.to_owned(),
            texts: vec![text.to_owned()],
            props: json!({}),
            files: Vec::new(),
            reactions: Vec::new(),
            at,
            deleted: false,
            updated: at,
            edited: 0,
            pending: String::new(),
            file_ids: Vec::new(),
        }
    }

    /// Keeps a post and tells of it.
    pub(crate) fn publish(&mut self, message: Message) -> Value {
        let post = message.json();
        let channel = message.channel.clone();
        let kind = if self.channels.get(&channel).is_some_and(|it| it.with.is_some()) { "D" } else { "O" };
        let name = self.users.get(&message.user).map(|user| user.name.clone()).unwrap_or_default();
        let mut data = json!({
            "channel_display_name": "", "channel_name": "approvals", "channel_type": kind, "post": post.to_string(),
            "sender_name": format!("@{name}"), "set_online": false, "team_id": "",
        });
        if kind == "D" || message.now().contains(&format!("@{BOT_NAME}")) {
            data["mentions"] = json!([BOT]).to_string().into();
        }
        self.messages.push(message);
        self.tell("posted", &channel, data);
        post
    }

    pub(crate) fn react(&mut self, post: &str, user: &str, name: &str) -> Option<Value> {
        let at = self.now();
        let key = [post, user, name].map(str::to_owned);
        self.post(post).ok()?;
        let first = *self.reacted.entry(key).or_insert(at);
        let message = self.post(post).ok()?;
        message.reactions.retain(|it| it.user != user || it.name != name);
        let reaction = Reaction { user: user.to_owned(), name: name.to_owned(), at: first, again: at };
        let told = reaction.json(message);
        message.reactions.push(reaction);
        message.updated = at;
        let channel = message.channel.clone();
        self.tell("reaction_added", &channel, json!({ "reaction": told.to_string() }));
        Some(told)
    }

    pub(crate) fn unreact(&mut self, post: &str, user: &str, name: &str) {
        let at = self.now();
        let Ok(message) = self.post(post) else { return };
        let Some(place) = message.reactions.iter().position(|it| it.user == user && it.name == name) else { return };
        let told = message.reactions.remove(place).json(message);
        message.updated = at;
        let channel = message.channel.clone();
        self.tell("reaction_removed", &channel, json!({ "reaction": told.to_string() }));
    }

    pub(crate) fn delete(&mut self, post: &str) {
        let at = self.now();
        let Ok(message) = self.post(post) else { return };
        (message.deleted, message.updated) = (true, at);
        let (channel, post) = (message.channel.clone(), message.json());
        self.tell("post_deleted", &channel, json!({ "post": post.to_string() }));
    }

    /// Tells the bot of something in a channel of which it is a member.
    pub(crate) fn tell(&mut self, event: &str, channel: &str, data: Value) {
        if self.channels.get(channel).is_some_and(|it| it.is_member) {
            self.sockets.tell(event, channel, &data);
        }
    }
}
