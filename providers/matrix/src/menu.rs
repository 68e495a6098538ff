//! The menu of a card: reactions that the bot adds (<https://spec.matrix.org/v1.16/client-server-api/#event-annotations-and-reactions>).
//!
//! A slow homeserver takes one reaction every 5 seconds, so the answers come first, and what only changes the card later.

use dmplz_provider_sdk::http::percent_encode;
use dmplz_provider_sdk::json::Fields;
use dmplz_provider_sdk::serde_json::{Value, json};
use dmplz_provider_sdk::{Choice, Error, Host, Level, MessageRef, Style, words};

use crate::api::{Api, Refusal, room_path, send_path};
use crate::posting::relation;

const REACTION: &str = "m.reaction";

/// Adds a reaction for each choice that has none. `revision` identifies what the message shows: a reaction that was removed
/// with an earlier revision must be another event.
pub(crate) fn offer(
    api: &Api,
    host: &dyn Host,
    message: &MessageRef,
    revision: &str,
    choices: &[Choice],
    shown: &[(&str, &str)],
) -> Result<(), Error> {
    let mut missing =
        choices.iter().filter(|choice| !shown.iter().any(|(_, key)| is_emoji(key, &choice.emoji))).collect::<Vec<_>>();
    missing.sort_by_key(|choice| !matches!(choice.style, Style::Success | Style::Danger));
    for choice in missing {
        let content = json!({
            "m.relates_to": { "rel_type": "m.annotation", "event_id": message.id, "key": choice.emoji },
        });
        let path = send_path(&message.chat, REACTION, &format!("{revision}-{}", choice.id));
        match api.patiently(host, &path, &content) {
            Err(refusal) if refusal.code != "M_DUPLICATE_ANNOTATION" => return Err(refusal.error),
            _ => {}
        }
    }
    Ok(())
}

/// Makes the menu of a message equal to the choices. `shown` are the bot's reactions: their ids and emoji.
pub(crate) fn change(
    api: &Api,
    host: &dyn Host,
    message: &MessageRef,
    revision: &str,
    choices: &[Choice],
    shown: &[(&str, &str)],
) -> Result<(), Error> {
    let is_wanted = |key: &str| choices.iter().any(|choice| is_emoji(key, &choice.emoji));
    for (id, _) in shown.iter().filter(|(_, key)| !is_wanted(key)) {
        match redact(api, host, &message.chat, id) {
            // The host calls again, and only what is left is removed then.
            Err(Refusal { error: error @ (Error::RateLimited(_) | Error::Deadline), .. }) => return Err(error),
            Err(refusal) => {
                host.log(Level::Warn, &format!("a reaction could not be removed: {}", words(&refusal.error)));
            }
            Ok(()) => {}
        }
    }
    offer(api, host, message, revision, choices, shown)
}

/// Removes an event of the bot. Synapse takes a transaction's id for the same in the whole room, so it names the event.
pub(crate) fn redact(api: &Api, host: &dyn Host, room: &str, event: &str) -> Result<(), Refusal> {
    let event = percent_encode(event);
    api.patiently(host, &format!("{}/redact/{event}/gone-{event}", room_path(room)), &json!({})).map(|_| ())
}

/// Returns the emoji of a reaction; `None` for another event and for a reaction that was removed.
pub(crate) fn key(event: &Value) -> Option<&str> {
    let relation = relation(event);
    relation.text("key").filter(|_| relation.text("rel_type") == Some("m.annotation"))
}

/// Returns whether two emoji are the same. Clients do not agree about the variation selector.
pub(crate) fn is_emoji(one: &str, other: &str) -> bool {
    let plain = |emoji: &str| emoji.replace('\u{FE0F}', "");
    plain(one) == plain(other)
}
