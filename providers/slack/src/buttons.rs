//! Converts choices to buttons (<https://docs.slack.dev/reference/block-kit/block-elements/button-element>).
//!
//! A button's value has everything that its press needs, because an instance keeps no state: `TAG:CHOICE`, or
//! `TAG:CHOICE:UNITS` if pressing it asks for a text of at most that many units.

use dmplz_provider_sdk::prelude::*;

use crate::limits::{BUTTON_LABEL, BUTTONS, FIELD_UNITS};

/// Returns the `actions` blocks of a card, one for each row; none for a card without choices.
pub(crate) fn rows(tag: &str, choices: &[Choice]) -> Result<Vec<Value>> {
    if choices.len() > BUTTONS as usize {
        return Err(Error::TooLarge);
    }
    let rows = choices.chunk_by(|one, next| one.row == next.row);
    Ok(rows.map(|row| json!({ "type": "actions", "elements": row.iter().map(|choice| button(tag, choice)).collect::<Vec<_>>() })).collect())
}

fn button(tag: &str, choice: &Choice) -> Value {
    let asks = choice.field.as_ref().map(|field| field.max.clamp(1, FIELD_UNITS));
    let label = if choice.label.trim().is_empty() { &choice.emoji } else { &choice.label };
    let mut button = json!({
        "type": "button",
        // A choice is once on a card, as an action must be once in its block.
        "action_id": choice.id,
        "text": { "type": "plain_text", "text": split_at_units(label, BUTTON_LABEL).0, "emoji": false },
        "value": Payload { tag, choice: &choice.id, asks }.to_string(),
    });
    match choice.style {
        Style::Success => set(&mut button, "style", "primary"),
        Style::Danger => set(&mut button, "style", "danger"),
        Style::Primary | Style::Secondary => {}
    }
    button
}
