//! Converts a card to the content of a message: its text, and the same as HTML
//! (<https://spec.matrix.org/v1.16/client-server-api/#mroommessage-msgtypes>).
//!
//! In HTML everything is escaped, and blanks that a browser would merge are kept apart. `m.mentions` is empty, so nobody is
//! notified because of words in a card. The content names the card's tag and choices too, for presses on a card that nobody
//! watches yet.

use dmplz_provider_sdk::json::with;
use dmplz_provider_sdk::serde_json::{Map, Value, json};
use dmplz_provider_sdk::text::units;
use dmplz_provider_sdk::{Card, Error, Result, html};

use crate::limits::{CONTENT_BYTES, MESSAGE_UNITS};

/// The field of a message's content with the card's tag and choices.
pub(crate) const CARD: &str = "dmplz.card";

/// Returns the content of a card's message, without its files.
pub(crate) fn content(card: &Card) -> Result<Value> {
    let (body, html) = html::card(card);
    let choices = card.choices.iter().map(|choice| (choice.emoji.clone(), Value::from(choice.id.as_str())));
    let choices = choices.collect::<Map<_, _>>();
    let kind = if card.silent { "m.notice" } else { "m.text" };
    message(kind, &body, &html, json!({ CARD: { "tag": card.tag, "choices": choices } }))
}

/// Returns the content of a notice, which does not ring.
pub(crate) fn notice(text: &str) -> Result<Value> {
    message("m.notice", text, &html::escape(text), json!({}))
}

/// Returns the content of a message, with these further fields, if it fits into an event.
fn message(kind: &str, body: &str, html: &str, more: Value) -> Result<Value> {
    let content = json!({
        "msgtype": kind,
        "body": body,
        "format": "org.matrix.custom.html",
        "formatted_body": html,
        "m.mentions": {},
    });
    let content = with(content, more);
    let is_too_large = units(body) > MESSAGE_UNITS || content.to_string().len() > CONTENT_BYTES;
    if is_too_large { Err(Error::TooLarge) } else { Ok(content) }
}
