//! The appearance of a request, from its first card to its final state. Everything is shown: what does not fit is
//! moved into a file or, if the messenger takes none, into messages above the card. Untrusted text is made visible
//! ([`crate::visible`]) and never becomes markup.

mod always;
mod choices;
mod ended;
pub mod invitation;
mod layout;
mod part;
mod plan;
mod prompt;
mod question;
mod subject;

pub use choices::choices;
pub(crate) use choices::field;
pub use ended::{Ended, GrantEnd, ended};
pub use layout::{Asking, DoesNotFit, ask};
pub use part::Part;
pub use prompt::{Wanted, answer_prompt, prompt, prompt_closed, with_form};
pub use subject::{Remark, Subject};

use crate::messenger::{Answering, Card, Limits, MessageRef};
use crate::text::{Lang, fill};

/// The parameters of a card's appearance, besides its subject.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    /// The language of the card's texts.
    pub lang: Lang,
    /// Whether people answer with buttons or with reactions.
    pub answering: Answering,
    /// The limits of the messenger.
    pub limits: Limits,
}

/// Returns a line that dmplz posts in the chat, such as the answer to a late input.
pub fn notice(line: &str, tag: &str, reply_to: Option<MessageRef>) -> Card {
    Card { reply_to, ..prompt_closed(line, tag) }
}

/// Returns the answer to a late input.
pub fn late(lang: Lang, request_id: &str) -> String {
    fill(lang.words().late, &[request_id])
}

/// Returns the answer to a late input, for a caller that knows how the request ended.
pub fn late_ended(lang: Lang, ended: &Ended, subject: &Subject) -> String {
    fill(lang.words().late_ended, &[&ended.told(&subject.tool), &subject.request_id])
}

#[cfg(test)]
mod tests;
