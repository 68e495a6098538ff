//! Pairs the bot with a person: they start a chat with the bot and write the code there.
//!
//! Anybody may invite the bot. While a setup runs, it accepts invitations to direct chats that are not encrypted, a few at a
//! time; otherwise it only joins the room that the operator configured.

use dmplz_provider_sdk::prelude::*;

use crate::api::path;
use crate::limits::{BATCH, INVITATIONS};
use crate::receive::{only, sync};
use crate::{room, texts};

/// The messages of each room that are read in one poll; our choice.
const LATEST: usize = 20;

/// Returns who the bot is and how to reach it.
pub(crate) fn introduce(api: Api<'_>, code: &str) -> Result<Introduction> {
    let me = api.me()?;
    sync(api, "", &only(&[], &[], 1), 0)?;
    let checks = vec![Check::fine(Subject::Events, "the homeserver tells events")];
    let invite = Some(format!("https://matrix.to/#/{}", percent_encode(me)));
    let bot = Identity::new(me, room::name(me));
    Ok(Introduction { invite, ..Introduction::new(bot, checks, code) })
}

/// Accepts invitations, and returns what people wrote to the bot.
pub(crate) fn meet(api: Api<'_>, cursor: &str, wait: u32) -> Result<Meeting> {
    let me = api.me()?;
    let synced = sync(api, cursor, &only(&["m.room.message"], &[], LATEST), api.until(api.end(wait)))?;
    let direct = synced.inner("rooms").entries("invite").filter(|(_, invitation)| is_direct(invitation, me));
    for (id, _) in direct.take(INVITATIONS) {
        if let Err(refusal) = room::join(api, id) {
            api.warn("an invitation could not be accepted", &refusal.error);
        }
    }
    let mut greetings = Vec::new();
    for (id, joined) in synced.inner("rooms").entries("join") {
        let events = joined.inner("timeline").items("events").iter();
        for event in events.filter(|event| event.text("sender") != Some(me)) {
            greetings.extend(greeting(api, me, id, event)?);
        }
    }
    greetings.truncate(BATCH);
    let cursor = synced.text("next_batch").filter(|next| next.len() <= CURSOR).unwrap_or(cursor).to_owned();
    Ok(Meeting { greetings, cursor })
}

/// Returns whether an invitation is to a direct chat that is not encrypted, by the part of the room's state that comes with
/// it (<https://spec.matrix.org/v1.16/client-server-api/#stripped-state>).
fn is_direct(invitation: &Value, me: &str) -> bool {
    let state = invitation.inner("invite_state").items("events");
    let mine = |event: &&Value| event.text("type") == Some("m.room.member") && event.text("state_key") == Some(me);
    let is_encrypted = state.iter().any(|event| event.text("type") == Some("m.room.encryption"));
    state.iter().find(mine).is_some_and(|event| event.inner("content").flag("is_direct")) && !is_encrypted
}

/// Converts a message: any in a chat of two, and elsewhere those that mention the bot, without its name.
fn greeting(api: Api<'_>, me: &str, id: &str, event: &Value) -> Result<Option<Greeting>> {
    let (Some(sender), Some(content)) = (event.text("sender"), event.get("content")) else { return Ok(None) };
    let Some(said) = texts::words(content, false) else { return Ok(None) };
    let members = api.get(&path(id, &["joined_members"]))?.entries("joined").count();
    let mentioned = content.inner("m.mentions").items("user_ids");
    let chat = if members <= 2 {
        room::remember(api, sender, id)?;
        Chat::Person(sender.to_owned())
    } else if mentioned.iter().any(|user| user.as_str() == Some(me)) {
        Chat::Room(id.to_owned())
    } else {
        return Ok(None);
    };
    let code = said.split_whitespace().next_back().unwrap_or_default().to_owned();
    let user = User { is_bot: content.text("msgtype") == Some("m.notice"), ..room::user(api, id, sender) };
    Ok(Some(Greeting { chat, user, code }))
}
