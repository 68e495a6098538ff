//! Converts choices to buttons (<https://docs.slack.dev/reference/block-kit/block-elements/button-element>).
//!
//! A button's value has everything that its press needs, because an instance keeps no state: `TAG:CHOICE`, or
//! `TAG:CHOICE:UNITS` if pressing it asks for a text of at most that many units.

use dmplz_provider_sdk::json::set;
use dmplz_provider_sdk::serde_json::{Value, json};
use dmplz_provider_sdk::text::split_at_units;
use dmplz_provider_sdk::{Choice, Error, Style};

use crate::limits::{BUTTON_LABEL, BUTTONS, FIELD_UNITS};

/// The content of a button's value.
#[derive(Debug, PartialEq)]
pub(crate) struct Answer<'a> {
    pub(crate) tag: &'a str,
    pub(crate) choice: &'a str,
    /// The most units of the text that it asks for.
    pub(crate) asks: Option<u32>,
}

impl<'a> Answer<'a> {
    /// Parses a value; `None` if it is not from this provider.
    pub(crate) fn read(value: &'a str) -> Option<Self> {
        let mut parts = value.split(':');
        let (tag, choice, asks) = (parts.next()?, parts.next()?, parts.next());
        let is_tag = (1..=22).contains(&tag.len()) && tag.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let in_choice = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        let is_choice = (1..=16).contains(&choice.len()) && choice.bytes().all(in_choice);
        let asks = match asks {
            Some(units) => Some(units.parse().ok().filter(|units| (1..=FIELD_UNITS).contains(units))?),
            None => None,
        };
        (is_tag && is_choice && parts.next().is_none()).then_some(Self { tag, choice, asks })
    }

    /// Returns the value of the button.
    fn written(&self) -> String {
        let asks = self.asks.map(|units| format!(":{units}")).unwrap_or_default();
        format!("{}:{}{asks}", self.tag, self.choice)
    }
}

/// Returns the `actions` blocks of a card, one for each row; none for a card without choices.
pub(crate) fn rows(tag: &str, choices: &[Choice]) -> Result<Vec<Value>, Error> {
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
        "value": Answer { tag, choice: &choice.id, asks }.written(),
    });
    match choice.style {
        Style::Success => set(&mut button, "style", "primary"),
        Style::Danger => set(&mut button, "style", "danger"),
        Style::Primary | Style::Secondary => {}
    }
    button
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_read_as_it_was_written() {
        for (value, asks) in [("Tag1:always-local", None), ("t:tell:300", Some(300)), ("t:o1:3000", Some(3000))] {
            let read = Answer::read(value).unwrap();
            assert_eq!((read.written().as_str(), read.asks), (value, asks));
        }
    }

    #[test]
    fn a_value_of_somebody_else_is_none() {
        let long = format!("{}:deny", "t".repeat(23));
        for value in [
            "",
            "deny",
            ":deny",
            "t:",
            "t:De",
            "t:a_b",
            "t-1:deny",
            "t:deny:",
            "t:deny:0",
            "t:deny:3001",
            "t:deny:1:2",
            &long,
        ] {
            assert_eq!(Answer::read(value), None, "{value}");
        }
    }
}
