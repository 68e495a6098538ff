use super::limits::Limits;
use super::model::{Attachment, Message, MessageRef, Permissions, Revision, User};
use super::snowflake::Snowflakes;
use crate::clock::since_epoch;
use bytes::Bytes;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

pub(crate) mod gateway;
pub(crate) mod interactions;

use gateway::Gateway;
use interactions::Interactions;

/// The state of the server.
pub(crate) struct World {
    pub(crate) token: String,
    pub(crate) base_url: String,
    pub(crate) bot: User,
    /// Whether the bot was granted the MESSAGE_CONTENT intent.
    pub(crate) reads_content: bool,
    pub(crate) users: BTreeMap<u64, User>,
    /// The users who accept no direct messages from the bot.
    pub(crate) unreachable: BTreeSet<u64>,
    pub(crate) guilds: BTreeMap<u64, Guild>,
    pub(crate) channels: BTreeMap<u64, Channel>,
    /// The registered commands, by their guild; those without a guild by 0.
    pub(crate) commands: BTreeMap<u64, Vec<Value>>,
    /// The files that went with commands.
    pub(crate) uploads: Vec<Attachment>,
    /// The messages that were created with a nonce, by author and nonce.
    pub(crate) nonces: BTreeMap<(u64, String), (MessageRef, Instant)>,
    pub(crate) ids: Snowflakes,
    pub(crate) limits: Limits,
    pub(crate) gateway: Gateway,
    pub(crate) interactions: Interactions,
}

/// A server that the bot is a member of.
pub(crate) struct Guild {
    pub(crate) name: String,
    pub(crate) owner: u64,
    /// The id of the bot's own role.
    pub(crate) bot_role: u64,
}

pub(crate) struct Channel {
    pub(crate) id: u64,
    pub(crate) kind: ChannelKind,
    /// The messages in the order of their ids, including deleted ones.
    pub(crate) messages: Vec<Message>,
}

pub(crate) enum ChannelKind {
    /// The direct channel with this person.
    Dm(u64),
    Text {
        guild: u64,
        name: String,
        position: usize,
        /// The permissions of the bot.
        permissions: Permissions,
    },
    Thread {
        guild: u64,
        parent: u64,
        name: String,
        archived: bool,
        /// The permissions of the bot, which are those in the parent when the thread was created.
        permissions: Permissions,
    },
}

impl World {
    pub(crate) fn new(token: &str) -> Self {
        let mut ids = Snowflakes::default();
        let bot = User { id: ids.next(), username: "dm-plz".to_owned(), global_name: None, bot: true };
        Self {
            token: token.to_owned(),
            base_url: String::new(),
            users: BTreeMap::from([(bot.id, bot.clone())]),
            bot,
            reads_content: true,
            unreachable: BTreeSet::new(),
            guilds: BTreeMap::new(),
            channels: BTreeMap::new(),
            commands: BTreeMap::new(),
            uploads: Vec::new(),
            nonces: BTreeMap::new(),
            ids,
            limits: Limits::default(),
            gateway: Gateway::new(),
            interactions: Interactions::new(),
        }
    }

    /// Returns the content of an attachment.
    pub(crate) fn file(&self, attachment: u64) -> Option<Bytes> {
        let messages = self.channels.values().flat_map(|channel| &channel.messages);
        let attached = messages.flat_map(|message| &message.revisions).flat_map(|revision| &revision.attachments);
        attached.chain(&self.uploads).find(|file| file.id == attachment).map(|file| file.bytes.clone())
    }

    pub(crate) fn message(&self, at: MessageRef) -> Option<&Message> {
        self.channels.get(&at.channel)?.messages.iter().find(|message| message.id == at.id)
    }

    pub(crate) fn message_mut(&mut self, at: MessageRef) -> Option<&mut Message> {
        self.channels.get_mut(&at.channel)?.messages.iter_mut().find(|message| message.id == at.id)
    }

    /// Returns a message of a channel, or one that only one person sees.
    pub(crate) fn any_message(&self, at: MessageRef) -> Option<&Message> {
        self.message(at).or_else(|| self.interactions.whisper(at))
    }

    /// As [`World::any_message`], but mutable.
    pub(crate) fn any_message_mut(&mut self, at: MessageRef) -> Option<&mut Message> {
        match self.message(at).is_some() {
            true => self.message_mut(at),
            false => self.interactions.whisper_mut(at),
        }
    }

    /// Changes the content of a message, and sends the event.
    pub(crate) fn show(&mut self, at: MessageRef, shows: Revision) {
        if let Some(message) = self.any_message_mut(at) {
            message.revisions.push(shows);
            message.edited = u64::try_from(since_epoch().as_millis()).ok();
        }
        self.tell_message("MESSAGE_UPDATE", at);
    }

    /// Returns the direct channel with a person, and opens it if necessary.
    pub(crate) fn dm(&mut self, person: u64) -> u64 {
        let open = self.channels.values().find(|channel| matches!(channel.kind, ChannelKind::Dm(id) if id == person));
        if let Some(channel) = open {
            return channel.id;
        }
        self.open(ChannelKind::Dm(person))
    }

    pub(crate) fn open(&mut self, kind: ChannelKind) -> u64 {
        let id = self.ids.next();
        self.channels.insert(id, Channel { id, kind, messages: Vec::new() });
        id
    }

    pub(crate) fn meet(&mut self, user: &User) {
        self.users.entry(user.id).or_insert_with(|| user.clone());
    }
}
