//! The reactions of a card (<https://spec.matrix.org/v1.16/client-server-api/#event-annotations-and-reactions>): those that the bot
//! adds are its menu, and those of people are presses.
//!
//! A slow homeserver takes one reaction every 5 seconds, so the answers come first, and what only changes the card later.
//!
//! A reaction means what the card offered when it was added: the same emoji can be another choice after an edit. So each
//! revision of a card names its choices, and the card's edits and reactions are read in their order.

use dmplz_provider_sdk::prelude::*;

use crate::api::{self, CARD, new_content, path, relation, sequence};
use crate::limits::PAUSE;

/// Returns a card of the bot, and the presses that it has now, the first ones first; null and none of any other message.
pub(crate) fn of(api: Api<'_>, room: &str, id: &str) -> Result<(Value, Vec<Press>)> {
    let me = api.me()?;
    // The bot may not be in the room any more.
    let original = visible(api::own(api, room, id))?.unwrap_or_default();
    let Some((card, _)) = original.inner("content").get(CARD).zip(sequence(&original)) else {
        return Ok((Value::Null, Vec::new()));
    };
    let related = api::relations(api, room, id)?;
    let (mut menus, mut presses) = (vec![card], Vec::new());
    for event in &related {
        let is_mine = event.text("sender") == Some(me);
        match new_content(event) {
            Some(new) if is_mine => menus.extend(new.get(CARD)),
            None if !is_mine => presses.extend(press(event, &menus)),
            _ => {}
        }
    }
    Ok((original, presses))
}

/// Converts a reaction, by what the card offered until then, the last offer last.
fn press(reaction: &Value, menus: &[&Value]) -> Option<Press> {
    let key = key(reaction)?;
    let mut choices = menus.iter().rev().flat_map(|menu| menu.entries("choices"));
    let (_, choice) = choices.find(|(emoji, _)| emoji::is_same(emoji, key))?;
    let (id, who) = reaction.text("event_id").zip(reaction.text("sender"))?;
    Some(Press { id: id.to_owned(), who: who.to_owned(), choice: choice.as_str()?.to_owned() })
}

/// Makes the menu of a message equal to the card's choices. `mine` are the bot's events that relate to the message. `revision`
/// identifies what the message shows: a reaction that was removed with an earlier revision must be another event.
pub(crate) fn show(api: Api<'_>, message: &MessageRef, revision: &str, card: &Card, mine: &[Value]) -> Result<()> {
    let shown = mine.iter().filter_map(|event| event.text("event_id").zip(key(event))).collect::<Vec<_>>();
    let is_wanted = |key: &str| card.choices.iter().any(|choice| emoji::is_same(key, &choice.emoji));
    for (id, _) in shown.iter().filter(|(_, key)| !is_wanted(key)) {
        api.optional("a reaction could not be removed", redact(api, &message.chat, id))?;
    }
    let is_shown = |choice: &Choice| shown.iter().any(|(_, key)| emoji::is_same(key, &choice.emoji));
    let mut missing = card.choices.iter().filter(|choice| !is_shown(choice)).collect::<Vec<_>>();
    missing.sort_by_key(|choice| !matches!(choice.style, Style::Success | Style::Danger));
    for choice in missing {
        let relation = json!({ "rel_type": "m.annotation", "event_id": message.id, "key": choice.emoji });
        let path = path(&message.chat, &["send", "m.reaction", &format!("{revision}-{}", choice.id)]);
        let added = api.patiently(PAUSE, || api.put(&path, &json!({ "m.relates_to": relation })));
        unless(added, &["M_DUPLICATE_ANNOTATION"])?;
    }
    Ok(())
}

/// Removes an event of the bot. Synapse takes a transaction's id for the same in the whole room, so it names the event.
pub(crate) fn redact(api: Api<'_>, room: &str, event: &str) -> Result<()> {
    let path = path(room, &["redact", event, &format!("gone-{event}")]);
    Ok(api.patiently(PAUSE, || api.put(&path, &json!({}))).map(drop)?)
}

/// Returns the emoji of a reaction; `None` for another event and for a reaction that was removed.
fn key(event: &Value) -> Option<&str> {
    let relation = relation(event);
    relation.text("key").filter(|_| relation.text("rel_type") == Some("m.annotation"))
}
