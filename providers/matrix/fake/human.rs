//! The hands of the people in the rooms, and what their clients show. Their requests are not recorded, because the record is
//! that of the bot.

use super::FakeMatrix;
use super::model::{Event, Message, User};
use super::world::{BOT, World};
use bytes::Bytes;
use serde_json::{Value, json};

/// A room, and the id of a message in it.
pub type Place<'a> = (&'a str, &'a str);

impl FakeMatrix {
    /// Makes an account known.
    pub fn meet(&self, user: &User) {
        self.world.change(|world| world.users.insert(user.id.clone(), user.clone()));
    }

    /// Creates a room of some people, to which the bot is invited. Returns its id.
    ///
    /// # Panics
    /// If there are no people.
    pub fn invite(&self, people: &[User], is_direct: bool) -> String {
        people.iter().for_each(|user| self.meet(user));
        self.world.change(|world| {
            let room = world.create(&people[0].id, &[]);
            people[1..].iter().for_each(|user| world.set_member(&room, &user.id, &user.id, "join"));
            match is_direct {
                true => world.invite_directly(&room, &people[0].id, BOT),
                false => world.set_member(&room, &people[0].id, BOT, "invite"),
            }
            room
        })
    }

    /// Creates a room of some people and the bot. Returns its id.
    pub fn room(&self, people: &[User]) -> String {
        let room = self.invite(people, false);
        self.world.change(|world| world.set_member(&room, BOT, BOT, "join"));
        room
    }

    /// Creates the direct chat of the bot with a person, as the bot knows it. Returns its id.
    pub fn dm(&self, user: &User) -> String {
        self.meet(user);
        self.world.change(|world| {
            let key = (BOT.to_owned(), "m.direct".to_owned());
            if let Some(room) = world.account_data.get(&key).and_then(|known| known[&user.id][0].as_str()) {
                return room.to_owned();
            }
            let room = world.create(&user.id, &[]);
            world.set_member(&room, BOT, BOT, "join");
            let known = world.account_data.entry(key).or_insert_with(|| json!({}));
            known[&user.id] = json!([room]);
            room
        })
    }

    /// Lets the bot join a room, or takes it out.
    pub fn set_bot(&self, room: &str, membership: &str) {
        self.world.change(|world| world.set_member(room, BOT, BOT, membership));
    }

    /// Turns encryption on in a room.
    pub fn encrypt(&self, room: &str, by: &User) {
        let content = json!({ "algorithm": "m.megolm.v1.aes-sha2" });
        self.world.change(|world| world.add(room, "m.room.encryption", &by.id, Some(""), content));
    }

    /// Requires a power level that the bot does not have for events of a type.
    pub fn forbid(&self, room: &str, kind: &str) {
        self.world.change(|world| {
            let levels = json!({ "users_default": 0, "events_default": 0, "events": { kind: 50 }, "users": {} });
            world.add(room, "m.room.power_levels", BOT, Some(""), levels);
        });
    }

    /// Writes a message. Returns its event's id.
    pub fn say(&self, room: &str, user: &User, text: &str) -> String {
        self.send(room, user, "m.room.message", json!({ "msgtype": "m.text", "body": text }))
    }

    /// Writes a message as programs do.
    pub fn notice(&self, room: &str, user: &User, text: &str) -> String {
        self.send(room, user, "m.room.message", json!({ "msgtype": "m.notice", "body": text }))
    }

    /// Sends a message with the same content as another one, as somebody who imitates the bot. Returns its event's id.
    pub fn imitate(&self, (room, of): Place<'_>, user: &User) -> String {
        let content = self.world.read(|world| world.find(room, of).map(|event| event.content.clone()));
        self.send(room, user, "m.room.message", content.unwrap_or_default())
    }

    /// Replies to a message.
    pub fn reply(&self, (room, to): Place<'_>, user: &User, text: &str) -> String {
        let relation = json!({ "m.in_reply_to": { "event_id": to } });
        self.send(room, user, "m.room.message", json!({ "msgtype": "m.text", "body": text, "m.relates_to": relation }))
    }

    /// Sends a file, with a caption or without.
    pub fn attach(&self, room: &str, user: &User, name: &str, bytes: impl Into<Bytes>, caption: &str) -> String {
        let bytes = bytes.into();
        let info = json!({ "size": bytes.len() });
        let url = self.world.change(|world| {
            let url = format!("mxc://example.org/{:024}", world.next());
            world.media.insert(url.clone(), (name.to_owned(), bytes));
            url
        });
        let body = if caption.is_empty() { name } else { caption };
        let content = json!({ "msgtype": "m.file", "body": body, "filename": name, "url": url, "info": info });
        self.send(room, user, "m.room.message", content)
    }

    /// Sends any event. In an encrypted room nothing of a message but its relation can be read.
    pub fn send(&self, room: &str, user: &User, kind: &str, content: Value) -> String {
        self.world.change(|world| {
            if kind != "m.room.message" || world.state(room, "m.room.encryption", "").is_none() {
                return world.add(room, kind, &user.id, None, content);
            }
            let mut encrypted = json!({ "algorithm": "m.megolm.v1.aes-sha2", "ciphertext": "AwgAEnACgAkLmt6qF84IK++J7UDH2Za1YVchHyprqTqsg" });
            if let Some(relation) = content.get("m.relates_to") {
                encrypted["m.relates_to"] = relation.clone();
            }
            world.add(room, "m.room.encrypted", &user.id, None, encrypted)
        })
    }

    /// Adds a reaction. Returns its event's id.
    pub fn react(&self, (room, to): Place<'_>, user: &User, key: &str) -> String {
        let relation = json!({ "rel_type": "m.annotation", "event_id": to, "key": key });
        self.send(room, user, "m.reaction", json!({ "m.relates_to": relation }))
    }

    /// Adds a reaction, as somebody who takes the same one back first: a homeserver takes it once.
    pub fn tap(&self, (room, to): Place<'_>, user: &User, key: &str) -> String {
        let relation = json!({ "rel_type": "m.annotation", "event_id": to, "key": key });
        self.world.change(|world| {
            let is_same = |event: &&Event| event.sender == user.id && *event.relation() == relation;
            let there = world.in_room(room).map(|(_, event)| event).find(is_same).map(|event| event.id.clone());
            if let Some(id) = there {
                world.redact(room, &id, &user.id);
            }
            world.add(room, "m.reaction", &user.id, None, json!({ "m.relates_to": relation }))
        })
    }

    /// Redacts an event: a message, or a reaction that is taken back.
    pub fn delete(&self, (room, id): Place<'_>, by: &User) {
        self.world.change(|world| world.redact(room, id, &by.id));
    }
}

impl World {
    /// Returns what `find` finds among the messages of a room as a client shows them.
    pub(crate) fn on_screen<R>(&self, room: &str, find: impl FnOnce(&[Message]) -> Option<R>) -> Option<R> {
        find(&screen(self, room))
    }
}

fn screen(world: &World, room: &str) -> Vec<Message> {
    let mut messages: Vec<Message> = Vec::new();
    for (_, event) in world.in_room(room) {
        let relation = event.relation();
        let target = relation["event_id"].as_str().and_then(|id| messages.iter_mut().find(|message| message.id == id));
        match (event.kind.as_str(), relation["rel_type"].as_str(), target) {
            ("m.room.message", Some("m.replace"), Some(message)) if message.sender == event.sender => {
                message.contents.push(event.content["m.new_content"].clone());
            }
            ("m.reaction", _, Some(message)) => {
                message.reactions.push((event.sender.clone(), relation["key"].as_str().unwrap_or_default().to_owned()));
            }
            ("m.room.message" | "m.room.encrypted", _, _) => messages.push(message(world, room, event)),
            _ => {}
        }
    }
    messages
}

fn message(world: &World, room: &str, event: &Event) -> Message {
    let answered = event.relation()["m.in_reply_to"]["event_id"].as_str();
    Message {
        id: event.id.clone(),
        sender: event.sender.clone(),
        at: event.at,
        contents: vec![event.content.clone()],
        reactions: Vec::new(),
        file: event.content["url"].as_str().and_then(|url| world.media.get(url)).cloned(),
        reply_to: answered.filter(|id| world.find(room, id).is_some_and(|it| it.redacted.is_none())).map(str::to_owned),
        deleted: event.redacted.is_some(),
    }
}
