//! Choices as an inline keyboard.

use dmplz_provider_sdk::serde_json::{Value, json};
use dmplz_provider_sdk::text::columns;
use dmplz_provider_sdk::{Card, Choice, Error};

use crate::limits::{BUTTONS, CALLBACK_DATA};

/// Columns of text that fit side by side on the buttons of a narrow phone (360 points wide); measured by eye, and a
/// longer label is cut by the client with an ellipsis, so better too few.
const ROW_COLUMNS: usize = 36;

/// Buttons that stand side by side at most: the contract's five choices a row.
const ROW_BUTTONS: usize = 5;

/// The `reply_markup` of a card: the choices of a row side by side where the longest label fits so often, otherwise each
/// in its full width. None without choices: an edit without keyboard takes the old one away.
///
/// A card that wants a text opens no keyboard of the phone: `ForceReply` excludes buttons, and a message that was sent
/// with it can never be edited (<https://core.telegram.org/bots/api#updating-messages>), so that it could not show how
/// it ended.
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

/// The tag and the choice of a button's payload, where it is one of ours.
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
