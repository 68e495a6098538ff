//! Waits for events with `/sync` (<https://spec.matrix.org/v1.16/client-server-api/#syncing>).
//!
//! | people | arrive as |
//! |---|---|
//! | react | all reactions that a watched card has, in each batch: the host knows which it handled. `/sync` only says when to ask for them, so no press is lost in a gap, and one that was taken back does not count |
//! | react to another card of the bot | the reaction of the sync, with the card's tag |
//! | write | the messages of the sync, and those of the gap before it |

use std::collections::BTreeSet;

use dmplz_provider_sdk::prelude::*;

use crate::api::{CARD, is_event_id, parameter, relation, sequence};
use crate::limits::{AGAIN, BATCH, PAGE, SLACK, UNWATCHED};
use crate::{reactions, room, texts};

/// The events that matter. Those of the bot are among them, because they tell what was written before a prompt.
const TYPES: [&str; 5] = ["m.reaction", "m.room.redaction", "m.room.message", "m.room.encrypted", "m.room.encryption"];

/// What is known of the watched cards. A new instance asks anew.
#[derive(Debug, Default)]
pub(crate) struct Listener {
    /// The reactions of each watched card that was looked at.
    standing: Standing,
}

impl Listener {
    pub(crate) fn receive(&mut self, api: Api<'_>, cursor: &str, watching: &[Watch], wait: u32) -> Result<Batch> {
        let end = api.end(wait);
        let is_cursor = cursor.len() <= CURSOR && cursor.bytes().all(|byte| byte.is_ascii_graphic());
        let mut since = if is_cursor { cursor.to_owned() } else { String::new() };
        // Without its own id it cannot tell its reactions from those of people.
        api.me()?;
        self.standing.go_on(cursor, watching);
        let filter = only(&TYPES, watching, PAGE);
        loop {
            let left = if self.standing.knows_all(watching) { api.until(end) } else { 0 };
            let synced = match sync(api, &since, &filter, left) {
                // The server does not know the cursor.
                Err(Error::Rejected(_)) if !since.is_empty() => {
                    since.clear();
                    self.standing.clear();
                    continue;
                }
                synced => synced?,
            };
            let (mut events, is_news) = self.look(api, &synced, watching, &since)?;
            let next = synced.text("next_batch").filter(|next| (1..=CURSOR).contains(&next.len()));
            since = next.ok_or_else(|| incomplete("a sync without a cursor"))?.to_owned();
            if is_news || !events.is_empty() || api.now() >= end {
                events.splice(..0, self.standing.events(watching, BATCH, |room, id| person(api, room, id)));
                // Several rooms may have more texts than the host takes, which would get them again and again.
                events.truncate(2 * BATCH + UNWATCHED);
                self.standing.stop(&since);
                return Ok(Batch { events, cursor: since });
            }
            if left > 0 {
                // What the bot does itself ends the wait too, and some homeservers do not wait at all.
                api.sleep(AGAIN);
            }
        }
    }

    /// Reads a sync, and asks for the reactions that may have changed. Returns the texts, the presses on cards that are not
    /// watched, and whether the watched cards have other reactions than before.
    fn look(&mut self, api: Api<'_>, synced: &Value, watching: &[Watch], since: &str) -> Result<(Vec<Event>, bool)> {
        let me = api.me()?;
        let (mut events, mut changed, mut unwatched) = (Vec::new(), BTreeSet::new(), Vec::new());
        for (id, joined) in synced.inner("rooms").entries("join") {
            let timeline = joined.inner("timeline");
            // After a gap or a redaction, every card of the room may have other reactions.
            let mut is_unclear = timeline.flag("limited") && !since.is_empty();
            for event in timeline.items("events").iter().filter(|event| event.text("sender") != Some(me)) {
                let on = relation(event).text("event_id").filter(|id| is_event_id(id));
                match (event.text("type"), on) {
                    (Some("m.reaction"), Some(on)) if watching.cards().any(|watch| watch.message.id == on) => {
                        changed.insert(on);
                    }
                    (Some("m.reaction"), Some(on)) => {
                        unwatched.extend(event.text("event_id").map(|event| (id, on, event)));
                    }
                    (Some("m.room.redaction"), _) => is_unclear = true,
                    (Some("m.room.encryption"), _) => api.log(Level::Error, room::ENCRYPTED),
                    _ => {}
                }
            }
            if is_unclear {
                let cards = watching.cards().filter(|watch| watch.message.chat == id);
                changed.extend(cards.map(|watch| watch.message.id.as_str()));
            }
            for mut said in texts::read(api, id, timeline, watching, since)? {
                said.user.name = person(api, id, &said.user.id).name;
                events.push(Event::Said(said));
            }
        }
        for (id, on, event) in unwatched.into_iter().rev().take(UNWATCHED).rev() {
            // A card that is being posted, or a late press.
            let (card, presses) = match reactions::of(api, id, on) {
                Err(error) if !error.is_passing() => {
                    api.warn("a reaction cannot be looked at", &error);
                    continue;
                }
                found => found?,
            };
            for press in presses.iter().filter(|press| press.id == event) {
                let message = MessageRef::new(id, on, sequence(&card).unwrap_or_default());
                let tag = card.inner("content").inner(CARD).text("tag").map(str::to_owned);
                let chosen = Chosen::new(message, &press.choice, person(api, id, &press.who));
                events.push(Event::Chosen(Chosen { tag, ..chosen }));
            }
        }
        let look = |card: &MessageRef| reactions::of(api, &card.chat, &card.id).map(|(_, presses)| presses);
        Ok((events, self.standing.look(watching, changed, look)?))
    }
}

fn person(api: Api<'_>, room: &str, id: &str) -> User {
    api.member(room, id, || room::user(api, room, id))
}

/// Syncs once, waiting for at most `timeout` milliseconds.
pub(crate) fn sync(api: Api<'_>, since: &str, filter: &Value, timeout: u32) -> Result<Value> {
    let (filter, since) = (percent_encode(&filter.to_string()), parameter("since", since));
    let path = format!("client/v3/sync?filter={filter}&timeout={timeout}&set_presence=offline{since}");
    Ok(api.call(api.request(Method::Get, &path).timeout(timeout.saturating_add(SLACK)))?)
}

/// Returns the filter for the events of some types in the rooms of watched cards, or in all rooms if there are none: no state,
/// receipts, presence or account data.
pub(crate) fn only(types: &[&str], watching: &[Watch], limit: usize) -> Value {
    let rooms = watching.iter().map(|watch| watch.message.chat.as_str()).collect::<BTreeSet<_>>();
    let nothing = json!({ "types": [] });
    let timeline = json!({ "types": types, "limit": limit });
    let mut room = json!({ "timeline": timeline, "state": nothing, "ephemeral": nothing, "account_data": nothing });
    if !rooms.is_empty() {
        set(&mut room, "rooms", rooms.into_iter().collect::<Vec<_>>());
    }
    json!({ "room": room, "presence": nothing, "account_data": nothing })
}
