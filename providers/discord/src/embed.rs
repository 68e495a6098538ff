//! Converts a card to an embed (<https://discord.com/developers/docs/resources/message#embed-object>).

use dmplz_provider_sdk::prelude::*;

use crate::limits::{EMBED_DESCRIPTION, EMBED_TITLE, EMBED_TOTAL};
use crate::{card, markdown};

/// The colours of the bar beside a card that waits for an answer, and beside a notice or an ended card.
const WAITING: u32 = 0xF1_C4_0F;
const WRITING: u32 = 0x58_65_F2;
const ENDED: u32 = 0x95_A5_A6;

/// Returns an embed with the card's texts; `None` if it has none.
pub(crate) fn embeds(card: &Card) -> Result<Value> {
    let title = markdown::escape(card.title.trim());
    let fits = units(&title) <= EMBED_TITLE && !title.contains('\n');
    let lines = card.lines().filter(|line| !fits || !matches!(line, Line::Title(_)));
    let description = lines.map(card::line).collect::<Vec<_>>().join("\n");
    if units(&description) > EMBED_DESCRIPTION || units(&title) + units(&description) > EMBED_TOTAL {
        return Err(Error::TooLarge);
    }
    let mut embed = json!({ "color": colour(card) });
    if fits && !title.is_empty() {
        set(&mut embed, "title", title.as_str());
    }
    if !description.trim().is_empty() {
        set(&mut embed, "description", description.as_str());
    }
    let says_something = !title.is_empty() || !description.trim().is_empty();
    Ok(if says_something { json!([embed]) } else { json!([]) })
}

fn colour(card: &Card) -> u32 {
    match (card.wants_text, card.choices.is_empty()) {
        (_, true) => ENDED,
        (true, _) => WRITING,
        (false, _) => WAITING,
    }
}
