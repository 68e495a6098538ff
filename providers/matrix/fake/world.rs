use super::model::{Event, User};
use crate::bucket::Bucket;
use crate::clock::since_epoch;
use bytes::Bytes;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;

/// The bot's account and its tokens.
pub(crate) const BOT: &str = "@dmplz:example.org";
pub(crate) const TOKEN: &str = "syt_ZG1wbHo_vYbqQKPnqKQjzVtEvJvB_2m1v8C";
pub(crate) const REFRESH_TOKEN: &str = "syr_ZG1wbHo_kQxXUOcMXGYWbTqqkkEK_0dPzKX";

/// Events that an account may send at once, and the time after which another one is allowed (Synapse: `rc_message`).
const BURST: u32 = 10;
const REFILL: Duration = Duration::from_secs(5);

/// Everything that the homeserver knows.
pub(crate) struct World {
    /// All events, in the order of the stream.
    pub(crate) events: Vec<Event>,
    pub(crate) users: BTreeMap<String, User>,
    /// What was sent in a transaction: the event and its content, by account, room and id.
    pub(crate) transactions: BTreeMap<(String, String, String), (String, Value)>,
    pub(crate) account_data: BTreeMap<(String, String), Value>,
    pub(crate) media: BTreeMap<String, (String, Bytes)>,
    bucket: Option<Bucket>,
    number: u64,
    time: u64,
}

impl Default for World {
    fn default() -> Self {
        let bot = User { id: BOT.to_owned(), name: "dmplz".to_owned() };
        Self {
            events: Vec::new(),
            users: BTreeMap::from([(bot.id.clone(), bot)]),
            transactions: BTreeMap::new(),
            account_data: BTreeMap::new(),
            media: BTreeMap::new(),
            bucket: None,
            number: 0,
            time: 0,
        }
    }
}

impl World {
    pub(crate) fn limit_events(&mut self) {
        self.bucket = Some(Bucket::new(BURST, REFILL));
    }

    /// Counts an event of the bot; returns the wait if it is one too many.
    pub(crate) fn count(&mut self) -> Option<Duration> {
        self.bucket.as_mut()?.take()
    }

    /// Returns a number that was not used before.
    pub(crate) fn next(&mut self) -> u64 {
        self.number += 1;
        self.number
    }

    /// Adds an event to a room. Returns its id.
    pub(crate) fn add(&mut self, room: &str, kind: &str, sender: &str, key: Option<&str>, content: Value) -> String {
        let now = u64::try_from(since_epoch().as_millis()).unwrap_or_default();
        self.time = now.max(self.time + 1);
        let id = format!("${:043}", self.next());
        self.events.push(Event {
            id: id.clone(),
            room: room.to_owned(),
            kind: kind.to_owned(),
            sender: sender.to_owned(),
            state_key: key.map(str::to_owned),
            content,
            at: self.time,
            redacted: None,
        });
        id
    }

    /// Redacts an event, which leaves nothing of its content.
    pub(crate) fn redact(&mut self, room: &str, event: &str, sender: &str) -> String {
        let id = self.add(room, "m.room.redaction", sender, None, json!({ "redacts": event }));
        let redaction = self.events.last().map(Event::shown);
        for found in self.events.iter_mut().filter(|it| it.room == room && it.id == event) {
            found.content = json!({});
            found.redacted = redaction.clone();
        }
        id
    }

    /// Creates a room. Returns its id.
    pub(crate) fn create(&mut self, creator: &str, state: &[(&str, Value)]) -> String {
        let room = format!("!{:043}", self.next());
        self.add(&room, "m.room.create", creator, Some(""), json!({ "room_version": "12" }));
        self.set_member(&room, creator, creator, "join");
        let levels = json!({ "users_default": 0, "events_default": 0, "events": {}, "users": {} });
        self.add(&room, "m.room.power_levels", creator, Some(""), levels);
        for (kind, content) in state {
            self.add(&room, kind, creator, Some(""), content.clone());
        }
        room
    }

    pub(crate) fn set_member(&mut self, room: &str, by: &str, user: &str, membership: &str) {
        let name = self.users.get(user).map_or(user, |user| &user.name).to_owned();
        self.add(room, "m.room.member", by, Some(user), json!({ "membership": membership, "displayname": name }));
    }

    /// Invites somebody to a direct chat.
    pub(crate) fn invite_directly(&mut self, room: &str, by: &str, user: &str) {
        self.add(room, "m.room.member", by, Some(user), json!({ "membership": "invite", "is_direct": true }));
    }

    /// Returns the events of a room with their places in the stream.
    pub(crate) fn in_room(&self, room: &str) -> impl DoubleEndedIterator<Item = (usize, &Event)> {
        self.events.iter().enumerate().filter(move |(_, event)| event.room == room)
    }

    pub(crate) fn state(&self, room: &str, kind: &str, key: &str) -> Option<&Event> {
        let is_it = |event: &&Event| event.kind == kind && event.state_key.as_deref() == Some(key);
        self.in_room(room).map(|(_, event)| event).rfind(is_it)
    }

    pub(crate) fn membership(&self, room: &str, user: &str) -> &str {
        self.state(room, "m.room.member", user).and_then(|it| it.content["membership"].as_str()).unwrap_or("leave")
    }

    pub(crate) fn find(&self, room: &str, id: &str) -> Option<&Event> {
        self.in_room(room).map(|(_, event)| event).find(|event| event.id == id)
    }

    /// Returns the rooms in which an account has a membership.
    pub(crate) fn rooms_of(&self, user: &str, membership: &str) -> Vec<String> {
        let created = self.events.iter().filter(|event| event.kind == "m.room.create");
        created.map(|event| event.room.clone()).filter(|room| self.membership(room, user) == membership).collect()
    }

    /// Returns whether an account may send events of a type, by the power levels. Its creator may do everything.
    pub(crate) fn may(&self, room: &str, user: &str, kind: &str) -> bool {
        let Some(levels) = self.state(room, "m.room.power_levels", "") else { return true };
        let level = |place: &str, name: &str| levels.content[place][name].as_i64();
        let has = level("users", user).or_else(|| levels.content["users_default"].as_i64()).unwrap_or_default();
        let needs = level("events", kind).or_else(|| levels.content["events_default"].as_i64()).unwrap_or_default();
        has >= needs || self.state(room, "m.room.create", "").is_some_and(|create| create.sender == user)
    }
}
