//! The posted cards, by which input finds its request.

use std::cell::RefCell;
use std::collections::BTreeMap;

use dmplz_core::messenger::{Chosen, Event, MessageRef, Said, Watch};
use tokio::sync::{Notify, mpsc, oneshot};
use tokio::time::Instant;

use crate::ledger::Progress;

/// An input for the request that it concerns.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) event: Event,
    /// Dropped once the input is handled, as far as that matters after a crash.
    pub(crate) done: oneshot::Sender<()>,
}

/// A card that is posted or being posted.
#[derive(Debug)]
struct Up {
    progress: Progress,
    /// When its request's time is over.
    deadline: Instant,
    inbox: mpsc::Sender<Input>,
}

/// The request that a text concerns.
#[derive(Debug)]
pub(crate) enum Whose {
    /// The request that waits for the text.
    Of(mpsc::Sender<Input>),
    /// One of several requests, and it is unknown which one.
    Unclear,
    /// The text concerns no request that has a card.
    Nobodys,
}

/// All cards that are posted or being posted, by tag.
#[derive(Debug, Default)]
pub(crate) struct Present {
    cards: RefCell<BTreeMap<String, Up>>,
    /// Notified when a card or a prompt was posted, which a running poll does not watch.
    pub(crate) changed: Notify,
}

/// Returns the next input. If there is no inbox, it never returns.
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
    /// Adds a request that is about to get a card.
    pub(crate) fn enter(&self, progress: Progress, deadline: Instant, inbox: mpsc::Sender<Input>) {
        self.cards.borrow_mut().insert(progress.tag.clone(), Up { progress, deadline, inbox });
    }

    /// Returns the first deadline of a request after this moment.
    pub(crate) fn deadline_after(&self, moment: Instant) -> Option<Instant> {
        let cards = self.cards.borrow();
        cards.values().map(|up| up.deadline).filter(|deadline| *deadline > moment).min()
    }

    /// Updates the state of a request's messages.
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

    /// Removes a request whose messages show its end.
    pub(crate) fn leave(&self, tag: &str) {
        self.cards.borrow_mut().remove(tag);
    }

    /// Returns the watches of all cards.
    pub(crate) fn watches(&self) -> Vec<Watch> {
        let cards = self.cards.borrow();
        let watches = cards.values().flat_map(|Up { progress, .. }| progress.watches().chain(progress.prompt_watch()));
        watches.collect()
    }

    /// Returns the inbox of the request whose card or prompt was pressed.
    pub(crate) fn pressed(&self, press: &Chosen) -> Option<mpsc::Sender<Input>> {
        let cards = self.cards.borrow();
        cards.values().find(|up| up.progress.is_pressed(press)).map(|up| up.inbox.clone())
    }

    /// Finds the request that a text concerns: the one whose prompt or card it replies to, or else the only one that
    /// waits for words of this user. If several wait, only a reply is clear.
    pub(crate) fn said(&self, said: &Said) -> Whose {
        let cards = self.cards.borrow();
        let waits = |up: &&Up| {
            let after = |prompt| said.message.follows(prompt);
            // A text may arrive before the prompt's position is known. The request checks it once it is.
            up.progress.writer() == Some(&said.user.id) && up.progress.prompt.as_ref().is_none_or(after)
        };
        let answered = |up: &&Up| {
            let is_it = |message: &MessageRef| said.reply_to.as_ref().is_some_and(|reply| reply.is_same(message));
            up.progress.messages().any(is_it)
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
