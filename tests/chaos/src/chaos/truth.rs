//! The facts from the messengers: which presses they handed out, and which messages a process was told of.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use dmplz_e2e::{Chat, Fake, JIN};
use dmplz_fakes::discord::Origin;
use serde_json::Value;

/// The minimum number of ended requests whose cards are remembered: a hook remembers 50 (`dmplz_state::Cards`), a
/// gateway 200 (the gateway's ledger). Requests that were asked earlier and ended later reduce these numbers.
const BY_HOOKS: usize = 45;
const BY_GATEWAY: usize = 150;

/// The facts from one chat.
#[derive(Debug, Default)]
pub(super) struct Truth {
    /// The presses by the marker of the request, in order of time.
    pub(super) handed_out: BTreeMap<String, Vec<HandedOut>>,
    /// The marker of each message's request.
    pub(super) messages: BTreeMap<u64, String>,
    /// The time when a process was told the id of its message.
    told: BTreeMap<u64, Instant>,
    /// The time when a process first polled a message for presses.
    looked_at: BTreeMap<u64, Instant>,
}

/// A press that was sent completely to a process that polled.
#[derive(Debug, Clone)]
pub(super) struct HandedOut {
    pub(super) at: Instant,
    pub(super) meaning: Meaning,
    /// Whether the process that polled continued after it. A poll that is abandoned, because a new card came up or its
    /// process died, is repeated, and Telegram returns at most one update to a poll that is repeated at once.
    pub(super) is_read: bool,
}

/// The meaning of a press.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    Allow,
    Deny,
    /// The press is one of a person who may not answer, or does not end a request.
    Nothing,
}

impl Truth {
    /// Reads the facts from a chat and its requests.
    pub(super) fn of(chat: &Chat, prefix: &str) -> Self {
        let mut truth = Self { messages: messages(chat, prefix), ..Self::default() };
        let calls = chat.wire().calls();
        let polls = calls.iter().filter(|call| call.name == "getUpdates");
        let offsets: Vec<u64> = polls.map(|call| number(&call.params["offset"]).unwrap_or_default()).skip(1).collect();
        let mut offsets = offsets.into_iter();
        for call in calls {
            let offset = if call.name == "getUpdates" { offsets.next() } else { None };
            // A card that is answered by reactions is known once it has all of them, because only then does a process
            // poll it.
            if chat.provider() == "discord" && call.name == chat.polling() {
                truth.looked_at(call.at, &call.path);
            }
            let Some((at, reply)) = call.reply else { continue };
            match call.name.as_str() {
                "getUpdates" => truth.updates(at, &reply, offset.unwrap_or_default()),
                "sendMessage" => truth.is_told(at, &reply["result"]["message_id"]),
                "POST /channels/{channel_id}/messages" => truth.is_told(at, &reply["id"]),
                _ => truth.reactions(at, &call.path, &reply),
            }
        }
        if let Fake::Discord(fake, _) = chat.fake() {
            let frames = fake.gateway().frames();
            let interactions = frames.iter().filter(|frame| frame.from == Origin::Gateway);
            for frame in interactions.filter(|frame| frame.event() == Some("INTERACTION_CREATE")) {
                let told = &frame.payload["d"];
                let user = told.pointer("/user/id").or(told.pointer("/member/user/id"));
                truth.press((frame.at, true), &told["message"]["id"], user, told["data"]["custom_id"].as_str());
            }
        }
        truth.handed_out.values_mut().for_each(|all| all.sort_by_key(|one| one.at));
        truth
    }

    /// Records updates. `next` is the first update of the next poll.
    fn updates(&mut self, at: Instant, reply: &Value, next: u64) {
        for update in reply["result"].as_array().into_iter().flatten() {
            let query = &update["callback_query"];
            let is_read = number(&update["update_id"]).is_some_and(|id| id < next);
            self.press(
                (at, is_read),
                &query["message"]["message_id"],
                query.pointer("/from/id"),
                query["data"].as_str(),
            );
        }
    }

    fn looked_at(&mut self, at: Instant, path: &str) {
        if let Some(id) = path.rsplit('/').next().and_then(|id| id.parse().ok()) {
            self.looked_at.entry(id).or_insert(at);
        }
    }

    /// Returns the time since which a process knew of a message.
    pub(super) fn known(&self, chat: &Chat, id: u64) -> Option<Instant> {
        let known = if is_pressed(chat, id) { &self.told } else { &self.looked_at };
        known.get(&id).copied()
    }

    /// Returns whether so many other requests had cards after the message that no process remembers it.
    pub(super) fn is_forgotten(&self, id: u64, by_gateway: bool) -> bool {
        let remembered = if by_gateway { BY_GATEWAY } else { BY_HOOKS };
        let mut later = BTreeSet::new();
        for marker in self.messages.range(id..).rev().map(|(_, marker)| marker) {
            later.insert(marker);
            if later.len() >= remembered {
                return self.messages.get(&id).is_none_or(|own| !later.contains(own));
            }
        }
        false
    }

    fn is_told(&mut self, at: Instant, id: &Value) {
        if let Some(id) = number(id) {
            self.told.insert(id, at);
        }
    }

    /// Records who left an emoji on a message: `.../messages/ID/reactions/EMOJI`.
    fn reactions(&mut self, at: Instant, path: &str, reply: &Value) {
        let mut parts = path.rsplit('/');
        let (Some(emoji), Some(_), Some(id)) = (parts.next(), parts.next(), parts.next()) else { return };
        let choice = match emoji {
            "%E2%9C%85" | "✅" => "approve",
            "%F0%9F%94%84" | "🔄" => "session",
            "%E2%9D%8C" | "❌" => "deny",
            _ => return,
        };
        for user in reply.as_array().into_iter().flatten() {
            self.press((at, true), &Value::from(id), Some(&user["id"]), Some(choice));
        }
    }

    fn press(&mut self, (at, is_read): (Instant, bool), message: &Value, user: Option<&Value>, choice: Option<&str>) {
        let marker = number(message).and_then(|id| self.messages.get(&id));
        let (Some(marker), Some(choice)) = (marker, choice) else { return };
        let counts = user.and_then(number) == Some(JIN.id.into());
        // A choice is `TAG:CHOICE`, which may be followed by the values of a form.
        let is = |names: &[&str]| counts && choice.split(':').any(|part| names.contains(&part));
        let meaning = match () {
            () if is(&["deny", "tell"]) => Meaning::Deny,
            () if is(&["approve", "session", "auto-accept", "manual"]) => Meaning::Allow,
            () => Meaning::Nothing,
        };
        self.handed_out.entry(marker.clone()).or_default().push(HandedOut { at, meaning, is_read });
    }
}

/// Parses a number, which Discord writes as a string.
fn number(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.parse().ok())
}

/// Returns the marker of each card's request.
fn messages(chat: &Chat, prefix: &str) -> BTreeMap<u64, String> {
    let marker = |text: &str| {
        let from = text.find(prefix)?;
        let length = text[from..].find("-end")? + "-end".len();
        Some(text[from..from + length].to_owned())
    };
    let first = |message: dmplz_e2e::Message| {
        let text = message.before.first().unwrap_or(&message.text);
        Some((message.id, marker(text)?))
    };
    chat.messages().into_iter().filter(|message| message.by_bot).filter_map(first).collect()
}

/// The first characters of a card whose request has ended.
const ENDS: [&str; 6] = ["✅", "🔄", "❌", "⌛", "⚠", "↩"];

/// Returns the messages that still look as if they could be answered: those with buttons, and those with reactions
/// whose text does not show an end. A reaction that remains on a card whose text shows the end does not count.
pub(super) fn open(chat: &Chat) -> BTreeSet<u64> {
    let messages = chat.messages().into_iter().filter(|message| message.by_bot && !message.deleted);
    let live = messages.filter(|message| !message.choices.is_empty());
    let has_ended = |message: &dmplz_e2e::Message| ENDS.iter().any(|end| message.text.starts_with(end));
    live.filter(|message| is_pressed(chat, message.id) || !has_ended(message)).map(|message| message.id).collect()
}

/// Returns whether a message is answered with buttons, whose presses the messenger reports by itself.
pub(super) fn is_pressed(chat: &Chat, id: u64) -> bool {
    match chat.fake() {
        Fake::Telegram(..) => true,
        Fake::Discord(fake, room) => fake.message((*room, id)).is_some_and(|message| !message.buttons().is_empty()),
    }
}
