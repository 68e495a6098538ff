//! The actions of people in the channels, and what they see.

use super::FakeDiscord;
use super::create::post;
use super::gateway::Event;
use super::mentions::Mentions;
use super::model::{Attachment, Message, MessageRef, Permissions, Revision, User};
use super::reactions;
use super::world::{ChannelKind, Guild, World};
use bytes::Bytes;
use std::time::Duration;

impl FakeDiscord {
    /// Creates a server that the bot is a member of. Returns its id.
    pub fn guild(&self, name: &str) -> u64 {
        self.world.change(|world| {
            let (id, owner, bot_role) = (world.ids.next(), world.ids.next(), world.ids.next());
            world.guilds.insert(id, Guild { name: name.to_owned(), owner, bot_role });
            let event = Event::guild_create(world, id);
            world.dispatch(&event);
            id
        })
    }

    /// Creates a text channel in a server, in which the bot has the usual permissions. Returns its id.
    pub fn channel(&self, guild: u64, name: &str) -> u64 {
        self.world.change(|world| {
            let position = world.channels.len();
            let name = name.to_owned();
            let id = world.open(ChannelKind::Text { guild, name, position, permissions: Permissions::USUAL });
            let event = Event::channel_create(world, id);
            world.dispatch(&event);
            id
        })
    }

    /// Makes a person known, so that the bot can write to them.
    pub fn meet(&self, person: &User) {
        self.world.change(|world| world.meet(person));
    }

    /// Opens the direct channel with a person, as their first message to the bot would. Returns its id.
    pub fn dm(&self, person: &User) -> u64 {
        self.world.change(|world| {
            world.meet(person);
            world.dm(person.id)
        })
    }

    /// Sets whether a person accepts direct messages from the bot.
    pub fn set_reachable(&self, person: &User, reachable: bool) {
        self.world.change(|world| match reachable {
            true => _ = world.unreachable.remove(&person.id),
            false => _ = world.unreachable.insert(person.id),
        });
    }

    /// Sets the permissions of the bot in a channel of a server.
    pub fn set_permissions(&self, channel: u64, allowed: Permissions) {
        self.world.change(|world| {
            let kind = world.channels.get_mut(&channel).map(|channel| &mut channel.kind);
            if let Some(ChannelKind::Text { permissions, .. }) = kind {
                *permissions = allowed;
            }
        });
    }

    /// Sets whether the bot has the MESSAGE_CONTENT intent. Without it the messages of others on a server have no
    /// content for the bot, unless they mention it.
    pub fn set_message_content(&self, granted: bool) {
        self.world.change(|world| world.reads_content = granted);
    }

    /// Writes a text in a channel.
    pub fn say(&self, channel: u64, user: &User, text: &str) -> MessageRef {
        self.write(channel, user, text, None)
    }

    /// Replies to a message with a text, which pings its author.
    pub fn reply(&self, to: impl Into<MessageRef>, user: &User, text: &str) -> MessageRef {
        let to = to.into();
        self.write(to.channel, user, text, Some(to.id))
    }

    /// Sends a file with a text.
    pub fn attach(&self, channel: u64, user: &User, name: &str, bytes: impl Into<Bytes>, text: &str) -> MessageRef {
        self.world.change(|world| {
            world.meet(user);
            let attachment = uploaded(world, name, bytes.into());
            let shows = Revision { content: text.to_owned(), attachments: vec![attachment], ..Revision::default() };
            told(world, channel, user, None, shows)
        })
    }

    fn write(&self, channel: u64, user: &User, text: &str, reply_to: Option<u64>) -> MessageRef {
        let shows = Revision { content: text.to_owned(), ..Revision::default() };
        self.world.change(|world| {
            world.meet(user);
            told(world, channel, user, reply_to, shows)
        })
    }

    /// Changes the text of a message, as its author can.
    pub fn edit(&self, message: impl Into<MessageRef>, text: &str) {
        let at = message.into();
        self.world.change(|world| {
            if let Some(now) = world.message(at).map(Message::now) {
                world.show(at, Revision { content: text.to_owned(), ..now });
            }
        });
    }

    /// Deletes a message, as its author or a moderator can.
    pub fn delete(&self, message: impl Into<MessageRef>) {
        let at = message.into();
        self.world.change(|world| {
            world.message_mut(at).into_iter().for_each(|message| message.deleted = true);
            world.tell_deleted(at);
        });
    }

    /// Adds a reaction. `emoji` is a character or, for a custom emoji, `name:id`.
    pub fn react(&self, message: impl Into<MessageRef>, emoji: &str, user: &User) {
        let at = message.into();
        self.world.change(|world| {
            world.meet(user);
            if let Some(message) = world.message_mut(at) {
                reactions::react(message, emoji, user);
            }
            world.tell_reaction("MESSAGE_REACTION_ADD", at, Some(emoji), Some(user.id));
        });
    }

    /// Removes a reaction of this user.
    pub fn unreact(&self, message: impl Into<MessageRef>, emoji: &str, user: &User) {
        let at = message.into();
        self.world.change(|world| {
            if let Some(message) = world.message_mut(at) {
                reactions::unreact(message, emoji, user.id);
            }
            world.tell_reaction("MESSAGE_REACTION_REMOVE", at, Some(emoji), Some(user.id));
        });
    }

    /// Drops all but the newest messages of every channel, the frames, and every interaction that was responded to, for
    /// runs that are too long to store all of it.
    pub fn forget(&self, kept: usize) {
        self.world.change(|world| {
            for channel in world.channels.values_mut() {
                channel.messages.drain(..channel.messages.len().saturating_sub(kept));
            }
            world.nonces.retain(|_, (_, at)| at.elapsed() < Duration::from_secs(600));
            world.gateway.frames.passed.clear();
            world.interactions.forget(kept);
        });
        self.wire().forget();
    }

    /// Returns a message as people see it now.
    pub fn message(&self, at: impl Into<MessageRef>) -> Option<Message> {
        let at = at.into();
        self.world.read(|world| world.message(at).cloned())
    }

    /// Waits for a message of the bot that satisfies `wanted`, for at most `wait`; one that is there already counts.
    pub async fn await_message(&self, wait: Duration, wanted: impl FnMut(&Message) -> bool) -> Option<Message> {
        self.world.within(wait, first(wanted)).await
    }

    /// As [`FakeDiscord::await_message`], for a thread without a runtime.
    pub fn await_message_blocking(&self, wait: Duration, wanted: impl FnMut(&Message) -> bool) -> Option<Message> {
        self.world.within_blocking(wait, first(wanted))
    }
}

/// Adds a person's message to a channel, and sends the event.
fn told(world: &mut World, channel: u64, user: &User, reply_to: Option<u64>, shows: Revision) -> MessageRef {
    let at = post(world, channel, user.clone(), reply_to, shows, &Mentions::ALL);
    world.tell_message("MESSAGE_CREATE", at);
    at
}

impl World {
    /// Returns what `find` finds among the messages of a channel.
    pub(crate) fn on_screen<R>(&self, channel: u64, find: impl FnOnce(&[Message]) -> Option<R>) -> Option<R> {
        find(&self.channels.get(&channel)?.messages)
    }
}

fn first(mut wanted: impl FnMut(&Message) -> bool) -> impl FnMut(&mut World) -> Option<Message> {
    move |world| {
        let bot = world.bot.id;
        let messages = world.channels.values().flat_map(|channel| &channel.messages);
        messages.filter(|message| message.author.id == bot).find(|message| wanted(message)).cloned()
    }
}

/// Returns a file that somebody uploads. Its name has to stand in a URL, so Discord keeps no other characters of it.
pub(crate) fn uploaded(world: &mut World, name: &str, bytes: Bytes) -> Attachment {
    let is_kept = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    Attachment {
        id: world.ids.next(),
        filename: name.chars().map(|c| if is_kept(c) { c } else { '_' }).collect(),
        content_type: "application/octet-stream".to_owned(),
        description: None,
        bytes,
    }
}
