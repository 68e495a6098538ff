//! Renders choices as an inline keyboard.

use dmplz_provider_sdk::serde_json::{Value, json};
use dmplz_provider_sdk::text::columns;
use dmplz_provider_sdk::{Card, Choice, Error};

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
pub(crate) fn keyboard(card: &Card) -> Result<Option<Value>, Error> {
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

/// Returns the tag and the choice of a button's payload. `None` if this provider did not create the payload.
pub(crate) fn parse_payload(payload: &str) -> Option<(&str, &str)> {
    let (tag, choice) = payload.split_once(':')?;
    let is_tag = (1..=22).contains(&tag.len()) && tag.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let is_choice = (1..=16).contains(&choice.len())
        && choice.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    (is_tag && is_choice).then_some((tag, choice))
}

fn button(tag: &str, choice: &Choice) -> Result<Value, Error> {
    let payload = format!("{tag}:{}", choice.id);
    if payload.len() > CALLBACK_DATA || parse_payload(&payload).is_none() {
        return Err(Error::Rejected(Some(format!("a choice with the payload {payload:?}"))));
    }
    Ok(json!({ "text": choice.label, "callback_data": payload }))
}
