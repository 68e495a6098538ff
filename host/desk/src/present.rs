//! The cards that are up, so that what people do finds the request that it is about.

use std::cell::RefCell;
use std::collections::BTreeMap;

use dmplz_core::messenger::{Choice, Chosen, Event, MessageRef, Said, Watch};
use tokio::sync::{Notify, mpsc, oneshot};

use crate::ledger::Progress;
use crate::press::{is_on, prompt_tag};

/// Something that somebody did, for the request that it is about.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) event: Event,
    /// Dropped once it is dealt with, as far as that matters after a crash.
    pub(crate) done: oneshot::Sender<()>,
}

/// A card that is up or being posted.
#[derive(Debug)]
struct Up {
    card: Option<MessageRef>,
    prompt: Option<MessageRef>,
    denier: Option<String>,
    choices: Vec<Choice>,
    inbox: mpsc::Sender<Input>,
}

/// Whose words are.
#[derive(Debug)]
pub(crate) enum Whose {
    /// Of the request that waits for them.
    Of(mpsc::Sender<Input>),
    /// Of one among several, and nobody can tell which.
    Unclear,
    /// Of none.
    Nobodys,
}

/// All cards that are up, by their tags.
#[derive(Debug, Default)]
pub(crate) struct Present {
    cards: RefCell<BTreeMap<String, Up>>,
    /// A card came up, or a prompt: a look that runs does not know of it.
    pub(crate) changed: Notify,
}

impl Present {
    /// A request is about to have a card.
    pub(crate) fn enter(&self, tag: &str, inbox: mpsc::Sender<Input>) {
        let up = Up { card: None, prompt: None, denier: None, choices: Vec::new(), inbox };
        self.cards.borrow_mut().insert(tag.to_owned(), up);
    }

    /// Takes over what has become of its messages.
    pub(crate) fn update(&self, progress: &Progress, choices: Vec<Choice>) {
        let mut cards = self.cards.borrow_mut();
        let Some(up) = cards.get_mut(&progress.tag) else { return };
        let grown = up.card != progress.card || up.prompt != progress.prompt;
        up.card.clone_from(&progress.card);
        up.prompt.clone_from(&progress.prompt);
        up.denier.clone_from(&progress.denier);
        up.choices = choices;
        if grown {
            self.changed.notify_one();
        }
    }

    /// Its messages show its end.
    pub(crate) fn leave(&self, tag: &str) {
        self.cards.borrow_mut().remove(tag);
    }

    /// What to look at.
    pub(crate) fn watches(&self) -> Vec<Watch> {
        let cards = self.cards.borrow();
        let watches = cards.values().flat_map(|up| {
            let choices = || up.choices.clone();
            let card = up.card.clone().map(|message| Watch { message, choices: choices(), text: false });
            let prompt = up.prompt.clone().map(|message| Watch { message, choices: Vec::new(), text: true });
            card.into_iter().chain(prompt)
        });
        watches.collect()
    }

    /// The request whose card or prompt was pressed.
    pub(crate) fn pressed(&self, press: &Chosen) -> Option<mpsc::Sender<Input>> {
        let cards = self.cards.borrow();
        let on =
            |(tag, up): &(&String, &Up)| is_on(press, [up.card.as_ref(), up.prompt.as_ref()], [tag, &prompt_tag(tag)]);
        cards.iter().find(on).map(|(_, up)| up.inbox.clone())
    }

    /// The request whose reason somebody wrote: the one whose prompt or card they reply to, or else the only one that
    /// waits for their words. Where several wait, a reply has to tell.
    pub(crate) fn said(&self, said: &Said) -> Whose {
        let cards = self.cards.borrow();
        let waits = |up: &&Up| {
            let after =
                |prompt: &MessageRef| prompt.chat == said.message.chat && said.message.sequence > prompt.sequence;
            // Words may be here before we hear that the prompt is up: the request itself looks at them once it is.
            up.denier.as_deref() == Some(&said.user.id) && up.prompt.as_ref().is_none_or(after)
        };
        let answered = |up: &&Up| {
            let is_it = |message: &MessageRef| {
                said.reply_to.as_ref().is_some_and(|reply| reply.chat == message.chat && reply.id == message.id)
            };
            up.prompt.iter().chain(&up.card).any(is_it)
        };
        if let Some(up) = cards.values().find(answered) {
            return if waits(&up) { Whose::Of(up.inbox.clone()) } else { Whose::Nobodys };
        }
        let mut waiting = cards.values().filter(waits);
        match (waiting.next(), waiting.next()) {
            (Some(up), None) => Whose::Of(up.inbox.clone()),
            (Some(_), Some(_)) => Whose::Unclear,
            (None, _) => Whose::Nobodys,
        }
    }
}
