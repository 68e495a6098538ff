//! Converts choices to buttons (<https://discord.com/developers/docs/components/reference>).
//!
//! A button's id contains everything that its press needs, because an instance keeps no state: `TAG:CHOICE`, or
//! `TAG:CHOICE:UNITS` if pressing it asks for a text of at most that many units. A form's id is that of its button
//! without the units.

use dmplz_provider_sdk::prelude::*;

use crate::limits::{BUTTON_LABEL, BUTTONS, FIELD_UNITS, ROW, ROWS};

/// Kinds of components.
const ACTION_ROW: u32 = 1;
const BUTTON: u32 = 2;

/// Returns the buttons of a card, in rows; none for a card without choices.
pub(crate) fn rows(tag: &str, choices: &[Choice]) -> Result<Value, Error> {
    if choices.len() > BUTTONS as usize {
        return Err(Error::TooLarge);
    }
    let mut groups: Vec<&[Choice]> =
        choices.chunk_by(|one, next| one.row == next.row).flat_map(|row| row.chunks(ROW)).collect();
    if groups.len() > ROWS {
        // If wrapping makes too many rows, the buttons fill the rows one after the other.
        groups = choices.chunks(ROW).collect();
    }
    let row = |row: &&[Choice]| {
        let buttons = row.iter().map(|choice| button(tag, choice)).collect::<Vec<_>>();
        json!({ "type": ACTION_ROW, "components": buttons })
    };
    Ok(groups.iter().map(row).collect())
}

/// Returns the label of a button in a message that Discord sent.
pub(crate) fn label_of<'a>(message: &'a Value, button: &Payload<'_>) -> Option<&'a str> {
    let id = button.to_string();
    let mut buttons = message.items("components").iter().flat_map(|row| row.items("components"));
    buttons.find(|button| button.text("custom_id") == Some(id.as_str()))?.text("label")
}

fn button(tag: &str, choice: &Choice) -> Value {
    let asks = choice.field.as_ref().map(|field| field.max.clamp(1, FIELD_UNITS));
    let label = if choice.label.trim().is_empty() { &choice.emoji } else { &choice.label };
    json!({
        "type": BUTTON,
        "style": style(choice.style),
        "label": split_at_units(label, BUTTON_LABEL).0,
        "custom_id": Payload { tag, choice: &choice.id, asks }.to_string(),
    })
}

/// Returns the style of a button (docs/components/reference#button-button-styles).
fn style(style: Style) -> u32 {
    match style {
        Style::Primary => 1,
        Style::Secondary => 2,
        Style::Success => 3,
        Style::Danger => 4,
    }
}
