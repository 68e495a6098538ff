//! Renders choices as an inline keyboard.

use dmplz_provider_sdk::prelude::*;
use dmplz_provider_sdk::text::columns;

use crate::limits::{BUTTONS, CALLBACK_DATA};

/// The columns of text that fit on the buttons of one row of a narrow phone (360 points wide), measured by eye. The
/// client truncates a longer label with an ellipsis, so the number is a low estimate.
const ROW_COLUMNS: usize = 36;

/// The maximum number of buttons in a row: the contract allows five choices in a row.
const ROW_BUTTONS: usize = 5;

/// Returns the `reply_markup` of a card. The choices of a row are side by side if the longest label fits that many
/// times; otherwise each has a row of its own. `None` without choices: an edit without a keyboard removes the old one.
///
/// A card that asks for a text does not open the phone's keyboard: `ForceReply` excludes buttons, and a message that
/// was sent with it can never be edited (<https://core.telegram.org/bots/api#updating-messages>), so it could not show
/// how the request ended.
pub(crate) fn keyboard(card: &Card) -> Result<Option<Value>> {
    let choices = &card.choices;
    if choices.is_empty() {
        return Ok(None);
    }
    if choices.len() > BUTTONS as usize {
        return Err(Error::TooLarge);
    }
    let mut keyboard = Vec::new();
    for row in choices.chunk_by(|one, next| one.row == next.row) {
        let buttons = row.iter().map(|choice| button(&card.tag, choice)).collect::<Result<Vec<_>, _>>()?;
        let row_length = if fit_side_by_side(row) { buttons.len() } else { 1 };
        keyboard.extend(buttons.chunks(row_length).map(<[Value]>::to_vec));
    }
    Ok(Some(json!({ "inline_keyboard": keyboard })))
}

fn fit_side_by_side(row: &[Choice]) -> bool {
    let widest = row.iter().map(|choice| columns(&choice.label)).max().unwrap_or_default();
    row.len() <= ROW_BUTTONS && widest * row.len() <= ROW_COLUMNS
}

fn button(tag: &str, choice: &Choice) -> Result<Value> {
    let payload = Payload { tag, choice: &choice.id, asks: None }.to_string();
    if payload.len() > CALLBACK_DATA || Payload::parse(&payload, 0).is_none() {
        return Err(Error::rejected(format!("a choice with the payload {payload:?}")));
    }
    Ok(json!({ "text": choice.label, "callback_data": payload }))
}
