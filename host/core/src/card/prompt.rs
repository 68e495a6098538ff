//! Messages that ask a person for a text.

use super::{Style, field};
use crate::flow::choice;
use crate::messenger::{Answering, Block, ButtonStyle, Card, Choice, MessageRef};
use crate::request::Offer;
use crate::text::{Words, fill};
use crate::visible::visible;

/// What a person who denied is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// The reason of the denial.
    Reason,
    /// Feedback: what the agent should do instead.
    Instead,
    /// The changes to the plan.
    Changes,
}

impl Wanted {
    /// Returns what a denial of this offer asks for.
    pub fn of(offer: &Offer, instead: bool) -> Self {
        match (instead, offer.plan) {
            (true, _) => Self::Instead,
            (false, true) => Self::Changes,
            (false, false) => Self::Reason,
        }
    }

    fn line(self, words: &Words) -> &'static str {
        match self {
            Self::Reason => words.prompt,
            Self::Instead => words.prompt_instead,
            Self::Changes => words.prompt_changes,
        }
    }
}

/// Returns the prompt for a reason.
pub fn prompt(style: Style, tag: &str, wanted: Wanted, limit_ms: u64, keyword: &str, card: Option<MessageRef>) -> Card {
    let words = style.lang.words();
    let how = match style.answering {
        Answering::Typed => Block::Text(words.prompt_code.to_owned()),
        Answering::Buttons => Block::Text(words.prompt_button.to_owned()),
        Answering::Reactions => Block::Hint(fill(words.prompt_keyword, &[keyword])),
    };
    let skip = Choice { emoji: String::new(), ..Choice::new(choice::SKIP, words.skip, ButtonStyle::Danger) };
    let body = vec![
        Block::Text(wanted.line(words).to_owned()),
        how,
        Block::Text(fill(words.prompt_limit, &[&style.lang.time_limit(limit_ms)])),
    ];
    let choices = if style.answering.has_labels() { vec![skip] } else { Vec::new() };
    Card { choices, reply_to: card, wants_text: true, ..Card::new(tag, String::new(), body) }
}

/// Returns a prompt for a messenger that has forms and does not read the chat: the text is entered in a form.
pub fn with_form(mut prompt: Card, wanted: Wanted, style: Style) -> Card {
    let words = style.lang.words();
    let title = match wanted {
        Wanted::Reason => words.write_reason,
        Wanted::Instead => words.tell_title,
        Wanted::Changes => words.write_changes,
    };
    let field = Some(field(title, words.write_label, ""));
    let write = Choice { field, ..Choice::new(choice::WRITE, words.write, ButtonStyle::Primary) };
    prompt.choices.insert(0, write);
    prompt
}

/// Returns the prompt after its end: the same text without choices.
pub fn prompt_closed(line: &str, tag: &str) -> Card {
    Card::new(tag, String::new(), vec![Block::Text(line.to_owned())])
}

/// Returns the prompt for a person's own answer to a question.
pub fn answer_prompt(style: Style, tag: &str, question: &str, card: Option<MessageRef>) -> Card {
    let line = fill(style.lang.words().prompt_answer, &[&visible(question)]);
    Card { reply_to: card, wants_text: true, ..prompt_closed(&line, tag) }
}
