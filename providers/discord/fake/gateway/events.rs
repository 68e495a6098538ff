//! The events that are sent to the sessions: <https://docs.discord.com/developers/events/gateway-events>.

use super::intents::{self, MESSAGE_CONTENT};
use crate::discord::fields::{id, set};
use crate::discord::json;
use crate::discord::model::{Message, MessageRef};
use crate::discord::world::gateway::Gateway;
use crate::discord::world::{Channel, World};
use serde_json::{Value, json};

/// An event before it is numbered.
pub(crate) struct Event {
    name: &'static str,
    /// The intent that it requires; 0 for none.
    intent: u64,
    /// The data for a session with the MESSAGE_CONTENT intent.
    data: Value,
    /// The data for other sessions, if it differs.
    bare: Option<Value>,
}

impl Event {
    pub(crate) fn interaction(data: Value) -> Self {
        Self { name: "INTERACTION_CREATE", intent: 0, data, bare: None }
    }

    pub(crate) fn guild_create(world: &World, guild: u64) -> Self {
        let data = json::available_guild(world, guild);
        Self { name: "GUILD_CREATE", intent: intents::GUILDS, data, bare: None }
    }

    pub(crate) fn channel_create(world: &World, channel: u64) -> Self {
        let data = world.channels.get(&channel).map_or(Value::Null, |channel| json::channel(world, channel));
        Self { name: "CHANNEL_CREATE", intent: intents::GUILDS, data, bare: None }
    }
}

impl Gateway {
    /// Sends an event to a session, if its intents ask for it.
    pub(super) fn tell_if(&mut self, session: &str, event: &Event) {
        let intents = self.sessions.get(session).map_or(0, |session| session.intents);
        if event.intent & intents == event.intent {
            let data = event.bare.as_ref().filter(|_| intents & MESSAGE_CONTENT == 0).unwrap_or(&event.data);
            self.tell(session, event.name, data);
        }
    }
}

impl World {
    /// Sends an event to every session whose intents ask for it. Returns whether there is one.
    pub(crate) fn dispatch(&mut self, event: &Event) -> bool {
        let sessions: Vec<String> = self.gateway.sessions.keys().cloned().collect();
        sessions.iter().for_each(|session| self.gateway.tell_if(session, event));
        !sessions.is_empty()
    }

    /// Sends the event that a message was written (`MESSAGE_CREATE`) or changed (`MESSAGE_UPDATE`).
    pub(crate) fn tell_message(&mut self, name: &'static str, at: MessageRef) {
        let Some(message) = self.message(at) else { return };
        let intent = self.intent_in(at.channel, intents::GUILD_MESSAGES, intents::DIRECT_MESSAGES);
        let data = |content| self.in_channel(at.channel, json::message_for(self, message, content), Some(message));
        let event = Event { name, intent, data: data(true), bare: Some(data(false)) };
        self.dispatch(&event);
    }

    /// Sends the event that a message was deleted.
    pub(crate) fn tell_deleted(&mut self, at: MessageRef) {
        let intent = self.intent_in(at.channel, intents::GUILD_MESSAGES, intents::DIRECT_MESSAGES);
        let data = json!({"id": id(at.id), "channel_id": id(at.channel)});
        let data = self.in_channel(at.channel, data, None);
        self.dispatch(&Event { name: "MESSAGE_DELETE", intent, data, bare: None });
    }

    /// Sends the event about the reactions of a message: `MESSAGE_REACTION_ADD` and `_REMOVE` of one user,
    /// `_REMOVE_EMOJI` without one, `_REMOVE_ALL` without an emoji.
    pub(crate) fn tell_reaction(&mut self, name: &'static str, at: MessageRef, emoji: Option<&str>, user: Option<u64>) {
        let intent = self.intent_in(at.channel, intents::GUILD_MESSAGE_REACTIONS, intents::DIRECT_MESSAGE_REACTIONS);
        let mut data = json!({"channel_id": id(at.channel), "message_id": id(at.id)});
        set(&mut data, "emoji", emoji.map(json::emoji));
        set(&mut data, "user_id", user.map(id));
        if user.is_some() {
            set(&mut data, "burst", Some(false));
            set(&mut data, "type", Some(0));
        }
        let data = self.in_channel(at.channel, data, None);
        self.dispatch(&Event { name, intent, data, bare: None });
    }

    fn intent_in(&self, channel: u64, guild: u64, direct: u64) -> u64 {
        if self.channels.get(&channel).is_some_and(|channel| channel.is_dm()) { direct } else { guild }
    }

    /// Adds the server to the data of an event in one of its channels, and the author as its member.
    fn in_channel(&self, channel: u64, mut data: Value, message: Option<&Message>) -> Value {
        if let Some(guild) = self.channels.get(&channel).and_then(Channel::guild) {
            set(&mut data, "guild_id", Some(id(guild)));
            if let Some(message) = message {
                let mut member = json::member(&message.author, &[]);
                member.as_object_mut().map(|fields| fields.remove("user"));
                set(&mut data, "member", Some(member));
            }
        }
        data
    }
}
