//! The menu of a card: reactions that the bot adds (<https://spec.matrix.org/v1.16/client-server-api/#event-annotations-and-reactions>).
//!
//! A slow homeserver takes one reaction every 5 seconds, so the answers come first, and what only changes the card later.

use dmplz_provider_sdk::emoji::is_same;
use dmplz_provider_sdk::http::Api;
use dmplz_provider_sdk::json::Fields;
use dmplz_provider_sdk::serde_json::{Value, json};
use dmplz_provider_sdk::{Choice, MessageRef, Result, Style};

use crate::api::path;
use crate::limits::PAUSE;
use crate::posting::relation;

/// Makes the menu of a message equal to the choices. `shown` are the bot's reactions: their ids and emoji. `revision` identifies
/// what the message shows: a reaction that was removed with an earlier revision must be another event.
pub(crate) fn show(
    api: Api<'_>,
    message: &MessageRef,
    revision: &str,
    choices: &[Choice],
    shown: &[(&str, &str)],
) -> Result<()> {
    let is_wanted = |key: &str| choices.iter().any(|choice| is_same(key, &choice.emoji));
    for (id, _) in shown.iter().filter(|(_, key)| !is_wanted(key)) {
        api.optional("a reaction could not be removed", redact(api, &message.chat, id))?;
    }
    let is_shown = |choice: &Choice| shown.iter().any(|(_, key)| is_same(key, &choice.emoji));
    let mut missing = choices.iter().filter(|choice| !is_shown(choice)).collect::<Vec<_>>();
    missing.sort_by_key(|choice| !matches!(choice.style, Style::Success | Style::Danger));
    for choice in missing {
        let relation = json!({ "rel_type": "m.annotation", "event_id": message.id, "key": choice.emoji });
        let path = path(&message.chat, &["send", "m.reaction", &format!("{revision}-{}", choice.id)]);
        match api.patiently(PAUSE, || api.put(&path, &json!({ "m.relates_to": relation }))) {
            Err(refusal) if refusal.code != "M_DUPLICATE_ANNOTATION" => return Err(refusal.error),
            _ => {}
        }
    }
    Ok(())
}

/// Removes an event of the bot. Synapse takes a transaction's id for the same in the whole room, so it names the event.
pub(crate) fn redact(api: Api<'_>, room: &str, event: &str) -> Result<()> {
    let path = path(room, &["redact", event, &format!("gone-{event}")]);
    Ok(api.patiently(PAUSE, || api.put(&path, &json!({}))).map(drop)?)
}

/// Returns the emoji of a reaction; `None` for another event and for a reaction that was removed.
pub(crate) fn key(event: &Value) -> Option<&str> {
    let relation = relation(event);
    relation.text("key").filter(|_| relation.text("rel_type") == Some("m.annotation"))
}
