//! What clients read: `/sync`, `/messages`, `/relations`, `/event` and state.

use super::model::Event;
use super::refusal::Refusal;
use super::world::World;
use serde_json::{Map, Value, json};

/// The parameters of a sync.
pub(crate) struct Sync {
    /// Where the stream begins; `None` for a first sync.
    pub(crate) since: Option<usize>,
    pub(crate) filter: Value,
}

/// Parses the token of a place in the stream.
pub(crate) fn place(token: &str) -> Option<usize> {
    token.strip_prefix('s')?.split('_').next()?.parse().ok()
}

/// Returns the token of a place in the stream.
pub(crate) fn token(place: usize) -> String {
    format!("s{place}_0_0_1_1_1_1_1_0_1_1_1_1_1")
}

fn passes(filter: &Value, event: &Event) -> bool {
    let has = |name: &str, value: &str| filter[name].as_array().map(|all| all.iter().any(|it| it == value));
    has("types", &event.kind) != Some(false)
        && has("not_types", &event.kind) != Some(true)
        && has("senders", &event.sender) != Some(false)
        && has("not_senders", &event.sender) != Some(true)
}

/// Returns the answer to a sync, and whether there is anything in it.
pub(crate) fn sync(world: &World, user: &str, sync: &Sync) -> (Value, bool) {
    let since = sync.since.unwrap_or(0);
    let rooms = &sync.filter["room"];
    let wanted = |room: &str| rooms["rooms"].as_array().is_none_or(|all| all.iter().any(|it| it == room));
    let (mut joined, mut invited) = (Map::new(), Map::new());
    for room in world.rooms_of(user, "join").into_iter().filter(|room| wanted(room)) {
        let joined_at = world.in_room(&room).rfind(|(_, it)| it.state_key.as_deref() == Some(user));
        let is_new = joined_at.is_some_and(|(at, _)| at >= since);
        let since = if is_new { 0 } else { since };
        let limit = rooms["timeline"]["limit"].as_u64().and_then(|limit| usize::try_from(limit).ok()).unwrap_or(10);
        let new = world.in_room(&room).filter(|(at, event)| *at >= since && passes(&rooms["timeline"], event));
        let new = new.collect::<Vec<_>>();
        let is_limited = new.len() > limit;
        let shown = &new[new.len().saturating_sub(limit)..];
        let state = state_of(world, &room, rooms, is_new);
        if shown.is_empty() && state.is_empty() {
            continue;
        }
        let before = shown.first().map_or(world.events.len(), |(at, _)| *at);
        let events = shown.iter().map(|(_, event)| event.shown()).collect::<Vec<_>>();
        joined.insert(
            room,
            json!({
                "timeline": { "events": events, "limited": is_limited, "prev_batch": token(before) },
                "state": { "events": state }, "account_data": { "events": [] }, "ephemeral": { "events": [] },
                "unread_notifications": {}, "summary": {},
            }),
        );
    }
    for room in world.rooms_of(user, "invite").into_iter().filter(|room| wanted(room)) {
        if world.in_room(&room).rfind(|(_, it)| it.state_key.as_deref() == Some(user)).is_none_or(|(at, _)| at < since)
        {
            continue;
        }
        let state = world.in_room(&room).filter(|(_, it)| it.state_key.is_some() && it.kind != "m.room.power_levels");
        let stripped = |event: &Event| json!({ "type": event.kind, "sender": event.sender, "state_key": event.state_key, "content": event.content });
        let events = state.map(|(_, event)| stripped(event)).collect::<Vec<_>>();
        invited.insert(room, json!({ "invite_state": { "events": events } }));
    }
    let is_news = sync.since.is_none() || !joined.is_empty() || !invited.is_empty();
    let mut answer = json!({
        "next_batch": token(world.events.len()), "device_one_time_keys_count": {}, "device_unused_fallback_key_types": [],
    });
    if !joined.is_empty() || !invited.is_empty() {
        answer["rooms"] = json!({ "join": joined, "invite": invited, "leave": {} });
    }
    (answer, is_news)
}

/// Returns the state of a room that a client gets with its first events.
fn state_of(world: &World, room: &str, filter: &Value, is_new: bool) -> Vec<Value> {
    let state = world.in_room(room).filter(|(_, event)| event.state_key.is_some() && passes(&filter["state"], event));
    if is_new { state.map(|(_, event)| event.shown()).collect() } else { Vec::new() }
}

/// Returns a page of a room's events.
pub(crate) fn messages(world: &World, room: &str, query: &Map<String, Value>) -> Result<Value, Refusal> {
    let text = |name: &str| query.get(name).and_then(Value::as_str);
    let filter = match text("filter").map(serde_json::from_str::<Value>) {
        Some(Ok(filter)) => filter,
        Some(Err(_)) => return Err(Refusal::new(400, "M_NOT_JSON", "filter is not JSON")),
        None => Value::Null,
    };
    let limit = text("limit").and_then(|limit| limit.parse().ok()).unwrap_or(10);
    let is_back = text("dir") == Some("b");
    let end = if is_back { world.events.len() } else { 0 };
    let from = text("from").filter(|from| !from.is_empty()).map_or(Some(end), place);
    let Some(from) = from else { return Err(Refusal::new(400, "M_UNKNOWN", "Invalid stream token")) };
    let to = text("to").filter(|to| !to.is_empty()).map(|to| place(to).ok_or(())).transpose();
    let Ok(to) = to else { return Err(Refusal::new(400, "M_UNKNOWN", "Invalid stream token")) };
    let all = world.in_room(room).filter(|(_, event)| passes(&filter, event));
    let page: Vec<_> = match is_back {
        true => all.rev().filter(|(at, _)| *at < from && to.is_none_or(|to| *at >= to)).take(limit).collect(),
        false => all.filter(|(at, _)| *at >= from && to.is_none_or(|to| *at < to)).take(limit).collect(),
    };
    let next = page.last().map(|(at, _)| if is_back { *at } else { at + 1 });
    let chunk = page.into_iter().map(|(_, event)| event.shown()).collect::<Vec<_>>();
    let mut answer = json!({ "chunk": chunk, "start": token(from) });
    if let Some(next) = next {
        answer["end"] = token(next).into();
    }
    Ok(answer)
}

/// Returns a page of the events that relate to an event, the last ones first unless `dir=f`.
pub(crate) fn relations(
    world: &World,
    room: &str,
    event: &str,
    kinds: &[&str],
    query: &Map<String, Value>,
) -> Result<Value, Refusal> {
    if world.find(room, event).is_none() {
        return Err(Refusal::new(404, "M_UNKNOWN", "Unknown parent event."));
    }
    let text = |name: &str| query.get(name).and_then(Value::as_str);
    let limit: usize = text("limit").and_then(|limit| limit.parse().ok()).unwrap_or(5);
    let skip: usize = text("from").and_then(|from| from.parse().ok()).unwrap_or(0);
    let is_wanted = |found: &&Event| {
        let relation = found.relation();
        relation["event_id"] == event
            && kinds.first().is_none_or(|kind| relation["rel_type"] == *kind)
            && kinds.get(1).is_none_or(|kind| found.kind == *kind)
    };
    let mut found = world.in_room(room).map(|(_, event)| event).filter(is_wanted).collect::<Vec<_>>();
    if text("dir") != Some("f") {
        found.reverse();
    }
    let chunk = found.iter().skip(skip).take(limit).map(|event| event.shown()).collect::<Vec<_>>();
    let mut answer = json!({ "chunk": chunk });
    if found.len() > skip + limit {
        answer["next_batch"] = (skip + limit).to_string().into();
    }
    Ok(answer)
}
