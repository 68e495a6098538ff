//! Converts a card to the Markdown of a post, in which no text takes effect: web, desktop and mobile apps read character
//! references.

use dmplz_provider_sdk::text::units;
use dmplz_provider_sdk::{Card, Error, Result, markdown};

use crate::limits::{CARD_UNITS, POST_CHARS};

/// Returns the Markdown of a card, without its files.
pub(crate) fn message(card: &Card) -> Result<String> {
    checked(markdown::card(card))
}

/// Returns the Markdown of a text.
pub(crate) fn notice(text: &str) -> Result<String> {
    checked((markdown::escape(text), units(text)))
}

fn checked((message, shown): (String, usize)) -> Result<String> {
    let is_too_large = shown > CARD_UNITS || message.chars().count() > POST_CHARS;
    if is_too_large { Err(Error::TooLarge) } else { Ok(message) }
}
