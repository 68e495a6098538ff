//! Renders a card as the text and the entities of a message.

use dmplz_provider_sdk::prelude::*;
use dmplz_provider_sdk::text::code_span;

use crate::limits::MESSAGE_TEXT;

/// The content of a message. Entities mark ranges of the text without being part of it, so nothing is ever escaped.
#[derive(Debug, Default)]
pub(crate) struct Rendered {
    pub(crate) text: String,
    pub(crate) entities: Vec<Value>,
    /// The length of the text so far, in UTF-16 code units, in which entities count.
    units: usize,
}

/// Renders everything of a card except its files.
pub(crate) fn render(card: &Card) -> Result<Rendered> {
    let mut rendered = Rendered::default();
    if !card.title.is_empty() {
        rendered.range(&card.title, Some("bold"));
    }
    for block in &card.body {
        match block {
            Block::Text(text) => rendered.line(text),
            Block::Code(code) => {
                rendered.end_line();
                rendered.range(code, Some("pre"));
            }
            Block::Hint(hint) => match code_span(hint) {
                Some((before, code, after)) => {
                    rendered.line(before);
                    rendered.range(code, Some("code"));
                    rendered.push(after);
                }
                None => rendered.line(hint),
            },
            Block::File(_) => {}
        }
    }
    if rendered.units > MESSAGE_TEXT {
        return Err(Error::TooLarge);
    }
    Ok(rendered)
}

/// The entities of a message up to which each word has one of its own; our choice. Telegram ignores those after the hundredth.
const FEW_ENTITIES: usize = 60;

/// Returns whether Telegram makes a command or a mention of a part of the word (`td/telegram/MessageEntity.cpp`): `/stop`, which sends it
/// when it is tapped, or `@name`, which notifies its owner. A folder begins like a command.
fn is_live(word: &str) -> bool {
    let is_of_name = |c: char| c.is_alphanumeric() || c == '_';
    let begins = |(at, c): (usize, char)| {
        let before = word.get(..at).and_then(|before| before.chars().next_back());
        let after = word.get(at + c.len_utf8()..).and_then(|after| after.chars().next());
        matches!(c, '@' | '/') && !before.is_some_and(is_of_name) && after.is_some_and(is_of_name)
    };
    word.char_indices().any(begins)
}

impl Rendered {
    fn line(&mut self, text: &str) {
        self.end_line();
        self.push(text);
    }

    fn end_line(&mut self) {
        if !self.text.is_empty() {
            self.range("\n", None);
        }
    }

    /// Adds a text. Words that Telegram would make something of, outside of code, are code.
    fn push(&mut self, text: &str) {
        let mut rest = text;
        while let Some(word) = rest.split_whitespace().find(|word| is_live(word)) {
            if self.entities.len() >= FEW_ENTITIES {
                return self.range(rest, Some("code"));
            }
            let Some((before, after)) = rest.split_once(word) else { break };
            self.range(before, None);
            self.range(word, Some("code"));
            rest = after;
        }
        self.range(rest, None);
    }

    fn range(&mut self, text: &str, entity: Option<&str>) {
        let length = units(text);
        if let Some(kind) = entity.filter(|_| length > 0) {
            self.entities.push(json!({ "type": kind, "offset": self.units, "length": length }));
        }
        self.text.push_str(text);
        self.units += length;
    }
}
