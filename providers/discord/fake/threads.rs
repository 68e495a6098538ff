//! Threads without a message (<https://discord.com/developers/docs/topics/threads>), and the commands of the bot.

use super::FakeDiscord;
use super::ask::Ask;
use super::fields::{id as text, set};
use super::human::uploaded;
use super::interactions;
use super::json;
use super::model::{Message, Permissions, Thread, User};
use super::refusal::Refusal;
use super::world::{Channel, ChannelKind, World};
use http::StatusCode;
use serde_json::{Value, json};
use std::time::Duration;

/// Creates a thread in a text channel.
pub(crate) fn create(world: &mut World, ask: &Ask) -> Result<Value, Refusal> {
    let channel = world.channel_for_bot(ask)?;
    channel.need(Permissions::CREATE_PUBLIC_THREADS)?;
    let (parent, permissions) = (channel.id, channel.permissions());
    let ChannelKind::Text { guild, .. } = channel.kind else {
        return Err(Refusal::new(StatusCode::BAD_REQUEST, 50024, "Cannot execute action on this channel type"));
    };
    let name = ask.body.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
    let id = world.open(ChannelKind::Thread { guild, parent, name, archived: false, permissions });
    Ok(world.channels.get(&id).map_or(Value::Null, |channel| json::channel(world, channel)))
}

/// Changes the name of a thread, archives it, or takes it out of the archive. In the archive nothing else can change.
pub(crate) fn change(world: &mut World, ask: &Ask) -> Result<Value, Refusal> {
    let id = world.channel_for_bot(ask)?.id;
    let wanted = ask.body.get("archived").and_then(Value::as_bool);
    if let Some(Channel { kind: ChannelKind::Thread { name, archived, .. }, .. }) = world.channels.get_mut(&id) {
        if *archived && wanted != Some(false) {
            return Err(Refusal::archived());
        }
        if let Some(new) = ask.body.get("name").and_then(Value::as_str) {
            new.clone_into(name);
        }
        *archived = wanted.unwrap_or(*archived);
    }
    Ok(world.channels.get(&id).map_or(Value::Null, |channel| json::channel(world, channel)))
}

/// Replaces the commands of a guild, or those without one.
pub(crate) fn set_commands(world: &mut World, ask: &Ask) -> Result<Value, Refusal> {
    if ask.id("application_id")? != world.bot.id {
        return Err(Refusal::unknown(10002, "Application"));
    }
    let guild = if ask.variable("guild_id").is_empty() { 0 } else { ask.id("guild_id")? };
    let written = |command: &Value| {
        let mut object = command.clone();
        for (field, value) in [
            ("id", json!(text(world.ids.next()))),
            ("application_id", json!(text(world.bot.id))),
            ("version", json!(text(world.ids.next()))),
            ("default_member_permissions", Value::Null),
        ] {
            set(&mut object, field, Some(value));
        }
        object
    };
    let list: Vec<Value> = ask.list.iter().map(written).collect();
    world.commands.insert(guild, list.clone());
    Ok(Value::Array(list))
}

impl World {
    /// Returns an error if a message stands in an archived thread.
    pub(crate) fn not_archived(&self, channel: u64) -> Result<(), Refusal> {
        match self.channels.get(&channel).map(|channel| &channel.kind) {
            Some(ChannelKind::Thread { archived: true, .. }) => Err(Refusal::archived()),
            _ => Ok(()),
        }
    }

    /// Takes a thread out of the archive, as a message in it does.
    pub(crate) fn unarchive(&mut self, channel: u64) {
        if let Some(ChannelKind::Thread { archived, .. }) = self.channels.get_mut(&channel).map(|it| &mut it.kind) {
            *archived = false;
        }
    }
}

impl FakeDiscord {
    /// Returns the threads of a channel, oldest first.
    pub fn threads(&self, channel: u64) -> Vec<Thread> {
        self.world.read(|world| threads(world, channel))
    }

    /// Waits for a thread of a channel that satisfies `wanted`, for at most `wait`.
    pub fn await_thread_blocking(
        &self,
        channel: u64,
        wait: Duration,
        mut wanted: impl FnMut(&Thread) -> bool,
    ) -> Option<Thread> {
        self.world.within_blocking(wait, move |world| threads(world, channel).into_iter().find(|it| wanted(it)))
    }

    /// Returns the guild of a channel or thread.
    pub fn guild_of(&self, channel: u64) -> Option<u64> {
        self.world.read(|world| world.channels.get(&channel)?.guild())
    }

    /// Deletes a thread with its messages, as a moderator can.
    pub fn delete_thread(&self, thread: u64) {
        self.world.change(|world| drop(world.channels.remove(&thread)));
    }

    /// Returns the commands of a guild as people with this language see them, as name and description; those without a
    /// guild with 0.
    pub fn commands(&self, guild: u64, language: &str) -> Vec<(String, String)> {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let seen = |command: &Value| {
            let localized = command["description_localizations"].get(language);
            (text(&command["name"]), text(localized.unwrap_or(&command["description"])))
        };
        self.world.read(|world| world.commands.get(&guild).into_iter().flatten().map(seen).collect())
    }

    /// As [`FakeDiscord::use_command`], once the command is registered; waits for at most `wait`.
    pub fn await_command_blocking(
        &self,
        channel: u64,
        wait: Duration,
        user: &User,
        name: &str,
        text: &str,
        file: Option<(&str, &[u8])>,
    ) -> Option<u64> {
        let there = self.world.within_blocking(wait, |world| {
            let guild = world.channels.get(&channel)?.guild().unwrap_or(0);
            world.commands.get(&guild)?.iter().any(|command| command["name"] == name).then_some(())
        });
        there.and_then(|()| self.use_command(channel, user, name, text, file))
    }

    /// Returns the messages of a channel and its threads, in the order in which they were written.
    pub fn messages_with_threads(&self, channel: u64) -> Vec<Message> {
        self.world.read(|world| all_messages(world, channel))
    }

    /// As [`FakeDiscord::watch_blocking`], with the messages of the channel's threads.
    pub fn watch_with_threads_blocking<R>(
        &self,
        channel: u64,
        wait: Duration,
        mut find: impl FnMut(&[Message]) -> Option<R>,
    ) -> Option<R> {
        self.world.within_blocking(wait, move |world| find(&all_messages(world, channel)))
    }

    /// Uses a command in a channel or thread, with a text and a file (name and content) if it takes them. Returns the
    /// interaction's id; `None` if no such command is registered there.
    pub fn use_command(
        &self,
        channel: u64,
        user: &User,
        name: &str,
        text: &str,
        file: Option<(&str, &[u8])>,
    ) -> Option<u64> {
        self.world.change(|world| {
            let file = file.map(|(name, content)| uploaded(world, name, content.to_vec().into()));
            interactions::use_command(world, channel, user, name, text, file)
        })
    }
}

fn all_messages(world: &World, channel: u64) -> Vec<Message> {
    let threads = threads(world, channel).into_iter().map(|thread| thread.id);
    let channels = std::iter::once(channel).chain(threads).filter_map(|id| world.channels.get(&id));
    let mut messages: Vec<Message> = channels.flat_map(|channel| channel.messages.clone()).collect();
    messages.sort_by_key(|message| message.id);
    messages
}

fn threads(world: &World, channel: u64) -> Vec<Thread> {
    let thread = |it: &Channel| match &it.kind {
        ChannelKind::Thread { parent, name, archived, .. } if *parent == channel => {
            Some(Thread { id: it.id, name: name.clone(), archived: *archived })
        }
        _ => None,
    };
    world.channels.values().filter_map(thread).collect()
}
