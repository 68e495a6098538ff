//! A card as a message: its text, and a button for each choice.

use dmplz_provider_sdk::serde_json::{Value, json};
use dmplz_provider_sdk::text::{code_span, units};
use dmplz_provider_sdk::{Block, Card, Choice, Error};

use crate::limits::{ACTIONS, MESSAGE_UNITS, TITLE_BYTES};
use crate::server::Server;
use crate::topic;

/// What the answer of a button begins with, so that no words of a person are taken for one.
const PRESS: &str = "dmplz:";

/// A card's text. ntfy shows it as it is, so nothing needs an escape.
#[derive(Debug, PartialEq)]
pub(crate) struct Text {
    /// Empty where the title stands in the message.
    pub(crate) title: String,
    pub(crate) message: String,
}

/// Writes down all but the files.
pub(crate) fn text(card: &Card) -> Result<Text, Error> {
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

/// Whether the server keeps a title as it is. It makes a header of it, and decodes what looks like an encoded word of RFC 2047;
/// of a message it only cuts blanks at its ends.
fn is_kept(title: &str) -> bool {
    title.len() <= TITLE_BYTES && title.trim() == title && !title.contains("=?") && !title.contains(char::is_control)
}

/// A button for each choice, which publishes the answer with the card's tag: nobody can answer who has not seen the card.
pub(crate) fn actions(server: &Server, topic: &str, card: &Card) -> Result<Vec<Value>, Error> {
    if card.choices.len() > ACTIONS as usize {
        return Err(Error::TooLarge);
    }
    let action = |choice: &Choice| {
        json!({
            "action": "http",
            // The server decodes encoded words in all of the actions: one in a label could change what a button sends.
            "label": choice.label.replace("=?", "= ?"),
            "url": server.url(&topic::answers(topic)),
            "method": "POST",
            "body": format!("{PRESS}{}:{}", card.tag, choice.id),
            "clear": true,
        })
    };
    Ok(card.choices.iter().map(action).collect())
}

/// What somebody published to the topic for answers.
#[derive(Debug, PartialEq)]
pub(crate) enum Answer<'a> {
    /// A button: the card's tag and the choice.
    Press(&'a str, &'a str),
    Words(&'a str),
}

/// Reads an answer; none where it only looks like a button's.
pub(crate) fn answer(message: &str) -> Option<Answer<'_>> {
    let Some(press) = message.strip_prefix(PRESS) else { return Some(Answer::Words(message)) };
    let (tag, choice) = press.split_once(':')?;
    let is_tag = (1..=22).contains(&tag.len()) && tag.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let of_choice = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let is_choice = (1..=16).contains(&choice.len()) && choice.bytes().all(of_choice);
    (is_tag && is_choice).then_some(Answer::Press(tag, choice))
}
