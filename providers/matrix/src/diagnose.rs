//! The checks for `dmplz doctor`.

use dmplz_provider_sdk::prelude::*;

use crate::{api, room};

/// What is said of a room that the bot is not in.
const ABSENT: &str = "the bot is not in the room: invite it there, and it joins for the first card";

/// Checks who the bot is, whether it is in the room, whether the room is encrypted, and what the bot may do there. Joins and
/// creates nothing. `reacts`: whether it has to leave reactions.
pub(crate) fn diagnose(api: Api<'_>, chat: &Chat, reacts: bool) -> Result<Diagnosis> {
    let id = room::checked(chat)?;
    let whoami = api.get(api::WHOAMI)?;
    let me = whoami.need("user_id", "an account without id")?;
    let room = if matches!(chat, Chat::Person(_)) { room::direct(api, &id)? } else { Some(id) };
    let mut checks = match room {
        Some(room) => in_room(api, me, &room)?,
        None => vec![Check::fine(Subject::Chat, "no direct chat yet: it is created for the first card")],
    };
    checks.retain(|check| reacts || check.subject != Subject::React);
    Ok(Diagnosis { bot: Identity::new(me, room::name(me)), checks })
}

fn in_room(api: Api<'_>, me: &str, id: &str) -> Result<Vec<Check>> {
    match visible(room::is_encrypted(api, id))? {
        Some(false) => {}
        Some(true) => return Ok(vec![Check::wrong(Subject::Chat, room::ENCRYPTED)]),
        None => return Ok(vec![Check::wrong(Subject::Chat, ABSENT)]),
    }
    let levels = room::state(api, id, "m.room.power_levels", "")?.unwrap_or_default();
    let level = |place: &str, name: &str| levels.inner(place).int(name);
    let mine = level("users", me).or_else(|| levels.int("users_default")).unwrap_or_default();
    let may = |subject, kind: &str| {
        let needed = level("events", kind).or_else(|| levels.int("events_default")).unwrap_or_default();
        Check::new(subject, mine >= needed, format!("{kind}: needs the power level {needed}, the bot has {mine}"))
    };
    // A homeserver need not say how large a file it takes.
    let largest = match api.get("client/v1/media/config") {
        Err(Refusal { error: Error::NotFound | Error::Other(_), .. }) => None,
        config => config?.count("m.upload.size"),
    };
    Ok(vec![
        Check::fine(Subject::Chat, "the bot is in the room, which is not encrypted"),
        may(Subject::Post, "m.room.message"),
        may(Subject::React, "m.reaction"),
        Check::attaching("the homeserver", largest),
        Check::fine(Subject::Read, "members of the room read what is written there"),
    ])
}
