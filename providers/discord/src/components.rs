//! Converts choices to buttons (<https://discord.com/developers/docs/components/reference>).
//!
//! A button's id contains everything that its press needs, because an instance keeps no state: `TAG:CHOICE`, or
//! `TAG:CHOICE:UNITS` if pressing it asks for a text of at most that many units. A form's id is that of its button
//! without the units.

use dmplz_provider_sdk::json::Fields;
use dmplz_provider_sdk::serde_json::{Value, json};
use dmplz_provider_sdk::text::split_at_units;
use dmplz_provider_sdk::{Choice, Error, Style};

use crate::limits::{BUTTON_LABEL, BUTTONS, FIELD_UNITS, ROW, ROWS};

/// Kinds of components.
const ACTION_ROW: u32 = 1;
const BUTTON: u32 = 2;

/// The content of a button's id.
#[derive(Debug, PartialEq)]
pub(crate) struct ButtonId<'a> {
    pub(crate) tag: &'a str,
    pub(crate) choice: &'a str,
    /// The most units of the text that it asks for.
    pub(crate) asks: Option<u32>,
}

impl<'a> ButtonId<'a> {
    /// Parses an id; `None` if it is not from this provider.
    pub(crate) fn read(id: &'a str) -> Option<Self> {
        let mut parts = id.split(':');
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

    /// Returns the id of the button.
    pub(crate) fn written(&self) -> String {
        match self.asks {
            Some(units) => format!("{}:{units}", self.submitted()),
            None => self.submitted(),
        }
    }

    /// Returns the id of the form that it opens.
    pub(crate) fn submitted(&self) -> String {
        format!("{}:{}", self.tag, self.choice)
    }
}

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
pub(crate) fn label_of<'a>(message: &'a Value, button: &ButtonId<'_>) -> Option<&'a str> {
    let id = button.written();
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
        "custom_id": ButtonId { tag, choice: &choice.id, asks }.written(),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_read_as_it_was_written() {
        for (id, asks) in [("Tag1:always-local", None), ("t:tell:300", Some(300)), ("t:o1:4000", Some(4000))] {
            let read = ButtonId::read(id).unwrap();
            assert_eq!((read.written().as_str(), read.asks), (id, asks));
        }
    }

    #[test]
    fn an_id_of_somebody_else_is_none() {
        let long = format!("{}:deny", "t".repeat(23));
        for id in [
            "",
            "deny",
            ":deny",
            "t:",
            "t:De",
            "t:a_b",
            "t-1:deny",
            "t:deny:",
            "t:deny:0",
            "t:deny:x",
            "t:deny:4001",
            "t:deny:1:2",
            &long,
        ] {
            assert_eq!(ButtonId::read(id), None, "{id}");
        }
    }
}
