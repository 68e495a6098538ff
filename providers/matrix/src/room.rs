//! Rooms, people and their ids. No card goes to an encrypted room: this provider cannot encrypt, and a card that is readable
//! there would break what its members rely on.

use dmplz_provider_sdk::prelude::*;

use crate::api::path;
use crate::limits::NAME;
use crate::manifest::{PERSON, ROOM};

/// What the settings of the chat should hold.
const ROOM_ID: &str = "a room id such as !OGEhHVWSdvArJzumhm:matrix.org (in Element: the room's settings, Advanced)";
const USER_ID: &str = "a user id such as @name:matrix.org";

/// What is said of an encrypted room.
pub(crate) const ENCRYPTED: &str =
    "the room is encrypted, and dmplz cannot encrypt: use a room that is not (encryption cannot be turned off)";

/// Opens a chat. A room needs no request and has no owner; a direct chat is configured by its person, and created if
/// there is none.
pub(crate) fn open(api: Api<'_>, chat: &Chat) -> Result<OpenChat> {
    OpenChat::of(chat, checked(chat)?, |person| match direct(api, person)? {
        Some(room) => Ok(room),
        None => create(api, person),
    })
}

/// Makes sure that a card may be posted in a room: it is not encrypted, and the bot is in it. An invitation to the configured
/// room is accepted.
pub(crate) fn ready(api: Api<'_>, room: &str) -> Result<()> {
    let mut encrypted = is_encrypted(api, room);
    if let Err(Refusal { error: Error::Denied(_), .. }) = encrypted {
        join(api, room).map_err(|refusal| match refusal.error {
            Error::Denied(_) => Error::denied("the bot is not in the room: invite it there"),
            error => error,
        })?;
        encrypted = is_encrypted(api, room);
    }
    if encrypted? { Err(Error::denied(ENCRYPTED)) } else { Ok(()) }
}

/// Returns whether a room is encrypted. Members alone may ask.
pub(crate) fn is_encrypted(api: Api<'_>, room: &str) -> Result<bool, Refusal> {
    state(api, room, "m.room.encryption", "").map(|found| found.is_some())
}

/// Returns a room's state; `None` if it has none of this type.
pub(crate) fn state(api: Api<'_>, room: &str, kind: &str, key: &str) -> Result<Option<Value>, Refusal> {
    unless(api.get(&path(room, &["state", kind, key])), &["M_NOT_FOUND"])
}

pub(crate) fn join(api: Api<'_>, room: &str) -> Result<(), Refusal> {
    api.post(&path(room, &["join"]), &json!({})).map(drop)
}

/// Returns the direct chat with a person that the account knows and both are in, or they are invited to.
pub(crate) fn direct(api: Api<'_>, person: &str) -> Result<Option<String>> {
    for room in known(api)?.1.items(person).iter().rev().filter_map(Value::as_str) {
        // The bot may not be in it any more.
        let member = visible(state(api, room, "m.room.member", person))?.flatten().unwrap_or_default();
        if ["join", "invite"].contains(&member.text("membership").unwrap_or_default()) {
            return Ok(Some(room.to_owned()));
        }
    }
    Ok(None)
}

/// Notes in the account that a room is the direct chat with a person, as clients do
/// (<https://spec.matrix.org/v1.16/client-server-api/#mdirect>).
pub(crate) fn remember(api: Api<'_>, person: &str, room: &str) -> Result<()> {
    let (path, mut known) = known(api)?;
    let mut rooms = known.items(person).to_vec();
    if rooms.last().and_then(Value::as_str) != Some(room) {
        rooms.retain(|known| known.as_str() != Some(room));
        rooms.push(room.into());
        set(&mut known, person, rooms);
        api.put(&path, &known)?;
    }
    Ok(())
}

/// Returns who somebody is in a room, with the name that people see there. Matrix does not tell programs from people.
pub(crate) fn user(api: Api<'_>, room: &str, id: &str) -> User {
    let member = state(api, room, "m.room.member", id).ok().flatten().unwrap_or_default();
    let name =
        member.text("displayname").map(str::trim).filter(|name| !name.is_empty()).unwrap_or_else(|| self::name(id));
    User { id: id.to_owned(), name: split_at_units(name, NAME).0.to_owned(), is_bot: false }
}

/// Returns the name in a user id: `name` of `@name:server`.
pub(crate) fn name(user: &str) -> &str {
    user.strip_prefix('@').and_then(|rest| rest.split_once(':')).map_or(user, |(name, _)| name)
}

fn create(api: Api<'_>, person: &str) -> Result<String> {
    let body = json!({ "is_direct": true, "preset": "trusted_private_chat", "invite": [person] });
    let room = api.post("client/v3/createRoom", &body)?.need("room_id", "a room without id")?.to_owned();
    remember(api, person, &room)?;
    Ok(room)
}

/// Returns the direct chats that the account knows, rooms by person, and before them the path at which they are.
fn known(api: Api<'_>) -> Result<(String, Value)> {
    let path = format!("client/v3/user/{}/account_data/m.direct", percent_encode(api.me()?));
    let known = unless(api.get(&path), &["M_NOT_FOUND"])?.unwrap_or_else(|| json!({}));
    Ok((path, known))
}

/// Returns the id of a room (`!...`) or a person (`@name:server`) without blanks around it.
pub(crate) fn checked(chat: &Chat) -> Result<String> {
    let is_word = |id: &str| (3..=255).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_graphic());
    let is_full = |id: &str| id.split_once(':').is_some_and(|(name, server)| name.len() > 1 && !server.is_empty());
    match chat {
        Chat::Room(id) => settings::id(id, ROOM, ROOM_ID, |id| is_word(id) && id.starts_with('!')),
        Chat::Person(id) => settings::id(id, PERSON, USER_ID, |id| is_word(id) && id.starts_with('@') && is_full(id)),
    }
}
