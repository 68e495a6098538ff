//! Converts a card to a message: its text, and a button for each choice.

use dmplz_provider_sdk::prelude::*;
use dmplz_provider_sdk::text::code_span;

use crate::limits::{ACTIONS, MESSAGE_UNITS, TITLE_BYTES};
use crate::topic;

/// The prefix of a button's answer, so that no text of a person is mistaken for one.
const PRESS: &str = "dmplz:";

/// A card's text. ntfy shows it literally, so nothing is escaped.
#[derive(Debug, PartialEq)]
pub(crate) struct Text {
    /// The title; empty if it is part of the message.
    pub(crate) title: String,
    pub(crate) message: String,
}

/// Formats everything but the files.
pub(crate) fn text(card: &Card) -> Result<Text> {
    let lines = card.body.iter().filter_map(|block| match block {
        Block::Text(text) | Block::Code(text) => Some(text.clone()),
        Block::Hint(hint) => Some(match code_span(hint) {
            Some((before, code, after)) => format!("{before}{code}{after}"),
            None => hint.clone(),
        }),
        Block::File(_) => None,
    });
    let message = lines.collect::<Vec<_>>().join("\n");
    if units(&card.title) + units(&message) + 1 > MESSAGE_UNITS + usize::from(card.title.is_empty()) {
        return Err(Error::TooLarge);
    }
    let title = card.title.clone();
    Ok(match (title.is_empty(), message.is_empty()) {
        (true, _) => Text { title, message },
        (_, true) => Text { title: String::new(), message: title },
        _ if is_kept(&title) && message.trim_start() == message => Text { title, message },
        _ => Text { title: String::new(), message: format!("{title}\n{message}") },
    })
}

/// Returns whether the server keeps a title unchanged. It treats it as a header and decodes what looks like an
/// encoded word of RFC 2047; in a message it only trims blanks at the ends.
fn is_kept(title: &str) -> bool {
    title.len() <= TITLE_BYTES && title.trim() == title && !title.contains("=?") && !title.contains(char::is_control)
}

/// Returns a button for each choice, which publishes the answer with the card's tag: only a person who saw the card can
/// answer it.
pub(crate) fn actions(api: Api<'_>, topic: &str, card: &Card) -> Result<Vec<Value>> {
    if card.choices.len() > ACTIONS as usize {
        return Err(Error::TooLarge);
    }
    let action = |choice: &Choice| {
        json!({
            "action": "http",
            // The server decodes encoded words in all actions: one in a label could change what a button sends.
            "label": choice.label.replace("=?", "= ?"),
            "url": api.url(&topic::answers(topic)),
            "method": "POST",
            "body": format!("{PRESS}{}", Payload { tag: &card.tag, choice: &choice.id, asks: None }),
            "clear": true,
        })
    };
    Ok(card.choices.iter().map(action).collect())
}

/// A message that was published to the topic for answers.
#[derive(Debug, PartialEq)]
pub(crate) enum Answer<'a> {
    /// A press of a button.
    Press(Payload<'a>),
    Words(&'a str),
}

/// Parses an answer; `None` if it does not come from a button.
pub(crate) fn answer(message: &str) -> Option<Answer<'_>> {
    let Some(press) = message.strip_prefix(PRESS) else { return Some(Answer::Words(message)) };
    Payload::parse(press, 0).map(Answer::Press)
}
