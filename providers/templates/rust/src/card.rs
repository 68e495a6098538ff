//! Formats a card. The server takes plain text, so nothing in it can become markup.

use dmplz_provider_sdk::serde_json::{Value, json};
use dmplz_provider_sdk::text::units;
use dmplz_provider_sdk::{Block, Card, Choice, Error};

use crate::manifest::TEXT;

/// Returns a message that shows a card. A card that does not fit is refused before anything is sent, and the host then
/// posts less text.
pub(crate) fn shown(card: &Card) -> Result<Value, Error> {
    let mut lines: Vec<&str> = Vec::new();
    if !card.title.is_empty() {
        lines.push(&card.title);
    }
    for block in &card.body {
        match block {
            Block::Text(text) | Block::Hint(text) | Block::Code(text) => lines.push(text),
            // The manifest says that there are no files.
            Block::File(_) => return Err(Error::TooLarge),
        }
    }
    let text = lines.join("\n");
    if units(&text) > TEXT as usize {
        return Err(Error::TooLarge);
    }
    // A card without choices has ended: it has no buttons.
    let buttons: Vec<Value> = card.choices.iter().map(button).collect();
    Ok(json!({ "text": text, "nonce": card.tag, "buttons": buttons }))
}

fn button(choice: &Choice) -> Value {
    json!({ "id": choice.id, "label": choice.label })
}
