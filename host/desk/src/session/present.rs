//! The cards that are up, so that what people do finds the request that it is about.

use std::cell::RefCell;
use std::collections::BTreeMap;

use dmplz_core::messenger::{Chosen, Event, MessageRef, Said, Watch};
use tokio::sync::{Notify, mpsc, oneshot};

use crate::ledger::Progress;
use crate::ledger::press::messages_of;

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
    progress: Progress,
    inbox: mpsc::Sender<Input>,
}

/// Whose words are.
#[derive(Debug)]
pub(crate) enum Whose {
    /// Of the request that waits for them.
    Of(mpsc::Sender<Input>),
    /// Of one among several, and nobody can tell which.
    Unclear,
    /// The words are about no request that is up.
    Nobodys,
}

/// All cards that are up, by their tags.
#[derive(Debug, Default)]
pub(crate) struct Present {
    cards: RefCell<BTreeMap<String, Up>>,
    /// A card came up, or a prompt: a look that runs does not know of it.
    pub(crate) changed: Notify,
}

/// The next thing that somebody does; never where nobody brings it.
pub(crate) async fn next(inbox: &mut Option<mpsc::Receiver<Input>>) -> Input {
    let input = match inbox {
        Some(inbox) => inbox.recv().await,
        None => None,
    };
    match input {
        Some(input) => input,
        None => std::future::pending().await,
    }
}

impl Present {
    /// A request is about to have a card.
    pub(crate) fn enter(&self, progress: Progress, inbox: mpsc::Sender<Input>) {
        self.cards.borrow_mut().insert(progress.tag.clone(), Up { progress, inbox });
    }

    /// Takes over what has become of its messages.
    pub(crate) fn update(&self, progress: &Progress) {
        let mut cards = self.cards.borrow_mut();
        let Some(Up { progress: known, .. }) = cards.get_mut(&progress.tag) else { return };
        let newest = |progress: &Progress| progress.view.pages.last().map(|page| page.message.clone());
        let grown = known.prompt != progress.prompt || newest(known) != newest(progress);
        known.clone_from(progress);
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
        let watches = cards.values().flat_map(|Up { progress, .. }| progress.watches().chain(progress.prompt_watch()));
        watches.collect()
    }

    /// The request whose card or prompt was pressed.
    pub(crate) fn pressed(&self, press: &Chosen) -> Option<mpsc::Sender<Input>> {
        let cards = self.cards.borrow();
        cards.values().find(|up| up.progress.is_pressed(press)).map(|up| up.inbox.clone())
    }

    /// The request whose words somebody wrote: the one whose prompt or card they reply to, or else the only one that
    /// waits for their words. Where several wait, a reply has to tell.
    pub(crate) fn said(&self, said: &Said) -> Whose {
        let cards = self.cards.borrow();
        let waits = |up: &&Up| {
            let after =
                |prompt: &MessageRef| prompt.chat == said.message.chat && said.message.sequence > prompt.sequence;
            // Words may be here before we hear that the prompt is up: the request itself looks at them once it is.
            up.progress.writer() == Some(&said.user.id) && up.progress.prompt.as_ref().is_none_or(after)
        };
        let answered = |up: &&Up| {
            let is_it = |message: &MessageRef| {
                said.reply_to.as_ref().is_some_and(|reply| reply.chat == message.chat && reply.id == message.id)
            };
            let Progress { card, prompt, view, .. } = &up.progress;
            messages_of(card.as_ref(), prompt.as_ref(), &view.pages).any(is_it)
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
