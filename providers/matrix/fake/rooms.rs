//! What clients change: events, redactions, rooms, members, files.

use super::refusal::Refusal;
use super::world::World;
use bytes::Bytes;
use serde_json::{Value, json};

/// Bytes of an event (<https://spec.matrix.org/v1.16/client-server-api/#size-limits>), and of a file (Synapse: 50 MB).
const EVENT_BYTES: usize = 65_536;
pub(crate) const FILE_BYTES: usize = 50 << 20;
/// What the homeserver adds to the content of an event.
const ENVELOPE: usize = 1_500;

/// Sends an event. Returns its id.
pub(crate) fn send(world: &mut World, room: &str, user: &str, kind: &str, content: &Value) -> Result<String, Refusal> {
    if !world.may(room, user, kind) {
        let error =
            format!("You don't have permission to post that to the room. user_level (0) < send_level (for {kind})");
        return Err(Refusal::forbidden(&error));
    }
    if content.to_string().len() + ENVELOPE > EVENT_BYTES {
        return Err(Refusal::new(413, "M_TOO_LARGE", "event too large"));
    }
    let relation = &content["m.relates_to"];
    let is_copy = relation["rel_type"] == "m.annotation"
        && world.in_room(room).any(|(_, it)| it.sender == user && it.kind == kind && it.relation() == relation);
    if is_copy {
        return Err(Refusal::new(400, "M_DUPLICATE_ANNOTATION", "Can't send same reaction twice"));
    }
    Ok(world.add(room, kind, user, None, content.clone()))
}

/// Redacts an event: everybody their own. Returns the id of the redaction.
pub(crate) fn redact(world: &mut World, room: &str, user: &str, event: &str) -> Result<String, Refusal> {
    match world.find(room, event) {
        None => return Err(Refusal::not_found("Could not find event to redact")),
        Some(found) if found.sender != user => {
            return Err(Refusal::forbidden("You don't have permission to redact events"));
        }
        Some(_) => {}
    }
    Ok(world.redact(room, event, user))
}

/// Sets a state of a room.
pub(crate) fn set_state(
    world: &mut World,
    room: &str,
    user: &str,
    (kind, key): (&str, &str),
    content: Value,
) -> Result<Value, Refusal> {
    if !world.may(room, user, kind) {
        return Err(Refusal::forbidden("You don't have permission to set this state"));
    }
    Ok(json!({ "event_id": world.add(room, kind, user, Some(key), content) }))
}

/// Creates a room, and invites people to it.
pub(crate) fn create(world: &mut World, user: &str, body: &Value) -> Result<Value, Refusal> {
    let initial = body["initial_state"].as_array().cloned().unwrap_or_default();
    let state = initial.iter().map(|event| (event["type"].as_str().unwrap_or_default(), event["content"].clone()));
    let room = world.create(user, &state.collect::<Vec<_>>());
    for invited in body["invite"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if !world.users.contains_key(invited) {
            return Err(Refusal::not_found("Unknown user"));
        }
        match body["is_direct"] == true {
            true => world.invite_directly(&room, user, invited),
            false => world.set_member(&room, user, invited, "invite"),
        }
    }
    Ok(json!({ "room_id": room }))
}

/// Accepts an invitation to a room.
pub(crate) fn join(world: &mut World, room: &str, user: &str) -> Result<Value, Refusal> {
    if world.in_room(room).next().is_none() {
        return Err(Refusal::new(
            404,
            "M_UNKNOWN",
            "Can't join remote room because no servers that are in the room have been provided.",
        ));
    }
    match world.membership(room, user) {
        "join" => {}
        "invite" => world.set_member(room, user, user, "join"),
        _ => return Err(Refusal::forbidden("You are not invited to this room.")),
    }
    Ok(json!({ "room_id": room }))
}

/// Keeps a file and returns its address.
pub(crate) fn upload(world: &mut World, name: &str, bytes: Bytes) -> Result<Value, Refusal> {
    if bytes.len() > FILE_BYTES {
        return Err(Refusal::new(413, "M_TOO_LARGE", "Upload request body is too large"));
    }
    let url = format!("mxc://example.org/{:024}", world.next());
    world.media.insert(url.clone(), (name.to_owned(), bytes));
    Ok(json!({ "content_uri": url }))
}
