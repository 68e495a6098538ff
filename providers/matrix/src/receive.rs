//! Waits for events with `/sync` (<https://spec.matrix.org/v1.16/client-server-api/#syncing>).
//!
//! | people | arrive as |
//! |---|---|
//! | react | all reactions that a watched card has, in each batch: the host knows which it handled. `/sync` only says when to ask for them, so no press is lost in a gap, and one that was taken back does not count |
//! | react to another card of the bot | the reaction of the sync, with the tag and the choice that the card itself names |
//! | write | the messages of the sync, and those of the gap before it |

use std::collections::{BTreeMap, BTreeSet};

use dmplz_provider_sdk::http::percent_encode;
use dmplz_provider_sdk::json::Fields;
use dmplz_provider_sdk::serde_json::{Map, Value, json};
use dmplz_provider_sdk::{Batch, Chosen, Error, Event, Host, Level, MessageRef, User, Watch};

use crate::api::{Api, event_path, incomplete};
use crate::card::CARD;
use crate::limits::{BATCH, CURSOR, PAGE, RESERVE, SLACK, UNWATCHED};
use crate::{menu, posting, room, texts};

/// The events that matter. Those of the bot are among them, because they tell what was written before a prompt.
const TYPES: [&str; 5] = ["m.reaction", "m.room.redaction", "m.room.message", "m.room.encrypted", "m.room.encryption"];

/// What is known of the watched cards and of people. A new instance asks anew.
#[derive(Debug, Default)]
pub(crate) struct Listener {
    /// The reactions of each watched card: who added which.
    reactions: BTreeMap<String, Vec<(String, String)>>,
    people: BTreeMap<(String, String), User>,
}

impl Listener {
    pub(crate) fn receive(
        &mut self,
        api: &Api,
        host: &dyn Host,
        cursor: &str,
        watching: &[Watch],
        wait: u32,
    ) -> Result<Batch, Error> {
        let end = host.now().saturating_add(u64::from(wait.min(host.remaining().saturating_sub(RESERVE))));
        let me = api.me(host)?.to_owned();
        let is_cursor = cursor.len() <= CURSOR && cursor.bytes().all(|byte| byte.is_ascii_graphic());
        let mut since = if is_cursor { cursor.to_owned() } else { String::new() };
        self.reactions.retain(|id, _| watching.iter().any(|watch| watch.message.id == *id));
        loop {
            let left = u32::try_from(end.saturating_sub(host.now())).unwrap_or_default();
            let is_known = |watch: &&Watch| self.reactions.contains_key(&watch.message.id);
            let knows_all = cards(watching).all(|watch| is_known(&watch));
            let synced = match sync(api, host, &since, &filter(watching), if knows_all { left } else { 0 }) {
                // The server does not know the cursor.
                Err(Error::Rejected(_)) if !since.is_empty() => {
                    since.clear();
                    self.reactions.clear();
                    continue;
                }
                synced => synced?,
            };
            let (mut events, is_news) = self.look(api, host, &me, &synced, watching, &since)?;
            since = synced.text("next_batch").filter(|next| next.len() <= CURSOR).unwrap_or_default().to_owned();
            if since.is_empty() {
                return Err(incomplete("a sync without a cursor"));
            }
            if is_news || !events.is_empty() || host.now() >= end {
                events.splice(..0, self.standing(api, host, &me, watching));
                return Ok(Batch { events, cursor: since });
            }
        }
    }

    /// Reads a sync, and asks for the reactions that may have changed. Returns the texts, the presses on cards that are not
    /// watched, and whether the watched cards have other reactions than before.
    fn look(
        &mut self,
        api: &Api,
        host: &dyn Host,
        me: &str,
        synced: &Value,
        watching: &[Watch],
        since: &str,
    ) -> Result<(Vec<Event>, bool), Error> {
        let (mut events, mut changed, mut unknown) = (Vec::new(), BTreeSet::new(), Vec::new());
        for (id, timeline) in timelines(synced) {
            let has_gap = timeline.flag("limited") && !since.is_empty();
            for event in timeline.items("events").iter().filter(|event| event.text("sender") != Some(me)) {
                match (event.text("type"), posting::relation(event).text("event_id")) {
                    (Some("m.reaction"), Some(on)) if cards(watching).any(|watch| watch.message.id == on) => {
                        changed.insert(on.to_owned());
                    }
                    (Some("m.reaction"), Some(on)) => unknown.push((id, on, event)),
                    (Some("m.room.redaction"), _) => changed.extend(cards_in(watching, id)),
                    (Some("m.room.encryption"), _) => host.log(Level::Error, room::ENCRYPTED),
                    _ => {}
                }
            }
            if has_gap {
                changed.extend(cards_in(watching, id));
            }
            let said = texts::read(api, host, me, (id, timeline), watching, since)?;
            events.extend(said.into_iter().map(|mut said| {
                said.user = User { is_bot: said.user.is_bot, ..self.person(api, host, id, &said.user.id) };
                Event::Said(said)
            }));
        }
        for (id, on, event) in unknown.into_iter().rev().take(UNWATCHED).rev() {
            events.extend(self.unwatched(api, host, me, (id, on), event).map(Event::Chosen));
        }
        let mut is_news = false;
        for watch in cards(watching) {
            let MessageRef { chat, id, .. } = &watch.message;
            if changed.contains(id) || !self.reactions.contains_key(id) {
                let found = reactions(api, host, me, chat, id)?;
                is_news |= self.reactions.get(id).map_or(!found.is_empty(), |known| *known != found);
                self.reactions.insert(id.clone(), found);
            }
        }
        Ok((events, is_news))
    }

    /// Returns the presses that the watched cards have now.
    fn standing(&mut self, api: &Api, host: &dyn Host, me: &str, watching: &[Watch]) -> Vec<Event> {
        let mut presses = Vec::new();
        for watch in cards(watching) {
            for (who, key) in self.reactions.get(&watch.message.id).cloned().unwrap_or_default() {
                let choice = watch.choices.iter().find(|choice| menu::is_emoji(&key, &choice.emoji));
                if let Some(choice) = choice.filter(|_| who != me && presses.len() < BATCH) {
                    let user = self.person(api, host, &watch.message.chat, &who);
                    presses.push(Event::Chosen(chosen(watch.message.clone(), None, &choice.id, user)));
                }
            }
        }
        presses
    }

    /// Converts a reaction to a card that is not watched, such as one that is being posted. Only a card of the bot says
    /// what its reactions mean.
    fn unwatched(
        &mut self,
        api: &Api,
        host: &dyn Host,
        me: &str,
        (room, on): (&str, &str),
        event: &Value,
    ) -> Option<Chosen> {
        let (who, key) = (event.text("sender")?, menu::key(event)?);
        let original = api.get(host, &event_path(room, on)).ok()?;
        let card = original.get("content")?.get(CARD).filter(|_| original.text("sender") == Some(me))?;
        let choices = card.get("choices").and_then(Value::as_object)?;
        let (_, choice) = choices.iter().find(|(emoji, _)| menu::is_emoji(emoji, key))?;
        let sequence = posting::sequence(&original)?;
        let message = MessageRef { chat: room.to_owned(), id: on.to_owned(), sequence };
        Some(chosen(message, card.text("tag").map(str::to_owned), choice.as_str()?, self.person(api, host, room, who)))
    }

    fn person(&mut self, api: &Api, host: &dyn Host, room: &str, id: &str) -> User {
        let key = (room.to_owned(), id.to_owned());
        self.people.entry(key).or_insert_with(|| room::user(api, host, room, id)).clone()
    }
}

/// Syncs once, waiting for at most `timeout` milliseconds.
pub(crate) fn sync(api: &Api, host: &dyn Host, since: &str, filter: &Value, timeout: u32) -> Result<Value, Error> {
    let filter = percent_encode(&filter.to_string());
    let mut path = format!("v3/sync?filter={filter}&timeout={timeout}&set_presence=offline");
    if !since.is_empty() {
        path.push_str(&format!("&since={}", percent_encode(since)));
    }
    Ok(api.poll(host, &path, timeout.saturating_add(SLACK))?)
}

/// Returns the rooms of a sync that the bot is in, each with its new events.
pub(crate) fn timelines(synced: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let joined = synced.get("rooms").and_then(|rooms| rooms.get("join")).and_then(Value::as_object);
    let rooms = joined.map(Map::iter).into_iter().flatten();
    rooms.filter_map(|(id, room)| Some((id.as_str(), room.get("timeline")?)))
}

/// Returns the filter for the events of some types: no state, receipts, presence or account data.
pub(crate) fn only(types: &[&str], rooms: BTreeSet<&str>, limit: usize) -> Value {
    let nothing = json!({ "types": [] });
    let mut room = json!({
        "timeline": { "types": types, "limit": limit },
        "state": nothing, "ephemeral": nothing, "account_data": nothing,
    });
    if !rooms.is_empty() {
        dmplz_provider_sdk::json::set(&mut room, "rooms", rooms.into_iter().collect::<Vec<_>>());
    }
    json!({ "room": room, "presence": nothing, "account_data": nothing })
}

fn filter(watching: &[Watch]) -> Value {
    only(&TYPES, watching.iter().map(|watch| watch.message.chat.as_str()).collect(), PAGE)
}

fn cards(watching: &[Watch]) -> impl Iterator<Item = &Watch> {
    watching.iter().filter(|watch| !watch.choices.is_empty())
}

fn cards_in(watching: &[Watch], room: &str) -> impl Iterator<Item = String> {
    cards(watching).filter(move |watch| watch.message.chat == room).map(|watch| watch.message.id.clone())
}

/// Returns the reactions of other people to a card, the first ones first. A card that is gone has none.
fn reactions(
    api: &Api,
    host: &dyn Host,
    me: &str,
    room: &str,
    card: &str,
) -> Result<Vec<(String, String)>, Error> {
    let found = match api.relations(host, (room, card), "/m.annotation/m.reaction", 'f').map_err(Error::from) {
        Err(Error::NotFound | Error::Denied(_)) => Vec::new(),
        found => found?,
    };
    let found = found.iter().filter(|event| event.text("sender") != Some(me));
    Ok(found.filter_map(|event| Some((event.text("sender")?.to_owned(), menu::key(event)?.to_owned()))).collect())
}

fn chosen(message: MessageRef, tag: Option<String>, choice: &str, user: User) -> Chosen {
    Chosen { message, tag, choice: choice.to_owned(), user, token: String::new(), text: None }
}
