//! How a request looks, from its first card to its final state. All of it is shown: what does not fit goes into a file
//! or, where the messenger has none, into messages above the card. What strangers wrote is made visible
//! ([`crate::visible`]) and never becomes markup.

mod always;
mod choices;
mod ended;
mod layout;
pub mod meeting;
mod plan;
mod prompt;
mod question;
mod subject;

pub use choices::choices;
pub use ended::{Ended, GrantEnd, ended};
pub use layout::{Asking, DoesNotFit, ask};
pub use prompt::{Wanted, prompt, prompt_closed, with_form, words_prompt};
pub use subject::{Part, Remark, Subject};

use crate::messenger::{Answering, Card, Limits, MessageRef};
use crate::text::{Lang, fill};

/// What decides how a card looks, besides what it is about.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    /// The language of the words on the card.
    pub lang: Lang,
    /// Whether people answer with buttons or with reactions.
    pub answering: Answering,
    /// What the messenger takes.
    pub limits: Limits,
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

#[cfg(test)]
mod tests;
