//! How a request looks, from its first card to its final state. All of it is shown: what does not fit goes into a file
//! or, where the messenger has none, into messages above the card. What strangers wrote is made visible
//! ([`crate::visible`]) and never becomes markup.

mod ended;
mod layout;
mod subject;

pub use ended::{Ended, ended};
pub use layout::{Asking, DoesNotFit, ask};
pub use subject::{Part, Remark, Subject};

use crate::flow::{Form, Offer, choice};
use crate::messenger::{Answering, Block, ButtonStyle, Card, Choice, Limits, MessageRef};
use crate::text::{Lang, fill};

/// What decides how a card looks, besides what it is about.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    /// The language.
    pub lang: Lang,
    /// Buttons or reactions.
    pub answering: Answering,
    /// What the messenger takes.
    pub limits: Limits,
}

/// The prompt for a reason: seed 0, 7.2 and 7.3.
pub fn prompt(style: Style, tag: &str, limit_ms: u64, keyword: &str, card: Option<MessageRef>) -> Card {
    let words = style.lang.words();
    let how = match style.answering {
        Answering::Buttons => Block::Text(words.prompt_button.to_owned()),
        Answering::Reactions => Block::Hint(fill(words.prompt_keyword, &[keyword])),
    };
    let skip = Choice { emoji: String::new(), ..Choice::new(choice::SKIP, words.skip, ButtonStyle::Danger) };
    Card {
        tag: tag.to_owned(),
        title: String::new(),
        body: vec![
            Block::Text(words.prompt.to_owned()),
            how,
            Block::Text(fill(words.prompt_limit, &[&limit_ms.to_string()])),
        ],
        choices: if style.answering == Answering::Buttons { vec![skip] } else { Vec::new() },
        reply_to: card,
        wants_text: true,
    }
}

/// The prompt after its end: the same words without a way to answer.
pub fn prompt_closed(line: &str, tag: &str) -> Card {
    Card {
        tag: tag.to_owned(),
        title: String::new(),
        body: vec![Block::Text(line.to_owned())],
        choices: Vec::new(),
        reply_to: None,
        wants_text: false,
    }
}

/// A line of ours in the chat, such as the answer to a late input.
pub fn notice(line: &str, tag: &str, reply_to: Option<MessageRef>) -> Card {
    Card { reply_to, ..prompt_closed(line, tag) }
}

/// What a late input is told: seed 0, 7.4.
pub fn late(lang: Lang, request_id: &str) -> String {
    fill(lang.words().late, &[request_id])
}

/// What a late input is told by those who know how the request ended.
pub fn late_ended(lang: Lang, ended: &Ended, subject: &Subject) -> String {
    fill(lang.words().late_ended, &[&ended.told(&subject.tool), &subject.request_id])
}

/// The choices of a request.
pub fn choices(style: Style, offer: &Offer, _form: &Form) -> Vec<Choice> {
    let words = style.lang.words();
    let session = offer.session.then(|| Choice::new(choice::SESSION, words.session, ButtonStyle::Secondary));
    [Choice::new(choice::APPROVE, words.approve, ButtonStyle::Success)]
        .into_iter()
        .chain(session)
        .chain([Choice::new(choice::DENY, words.deny, ButtonStyle::Danger)])
        .collect()
}

#[cfg(test)]
mod tests;
