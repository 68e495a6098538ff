//! Revises a card, and asks for words, while people go on using the messages that are there.
//!
//! | answering by | a change of the form |
//! |---|---|
//! | buttons | revises the message, text and buttons together |
//! | reactions, next step | posts a reply with a new menu, then removes the old one: its reactions must not count here |
//! | reactions, same step | revises the text; the menu only grows |
//!
//! One message is changed at a time, in the background: no press waits for it. Changes that come meanwhile are shown
//! together afterwards. Failures are retried while the request is open. The effect of a press depends on the form,
//! never on what is shown.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::time::Duration;

use dmplz_core::messenger::{Card, Choice, MessageRef, ProviderError};

use crate::ledger::view::Page;
use crate::ledger::{Ledger, Progress};
use crate::session::CALL;
use crate::session::chat::ChatSession;
use crate::session::messenger::Messenger;
use crate::session::retry::Retry;

/// A card with a smaller budget of units is not tried, so none is below 100, the least limit of a messenger.
pub(crate) const LEAST_BUDGET: usize = 200;

/// One change in the chat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Work {
    /// Revises the newest page to show these choices of the form.
    Revise(dmplz_core::flow::Form, Vec<Choice>),
    /// Posts a new page with these choices of the form.
    Post(dmplz_core::flow::Form, Vec<Choice>),
    /// Removes the menu of an earlier page.
    Clear(MessageRef),
    /// Posts the prompt for the words of an answer.
    Prompt,
    /// Posts the request's card.
    Card(Vec<Choice>),
    /// Posts the prompt for the reason of a denial.
    Reason,
    /// Pauses after a failure, before the next attempt.
    Rest,
}

/// A finished change and its result.
pub(crate) type Done = (Work, Result<Option<MessageRef>, ProviderError>);

pub(crate) type Running = Pin<Box<dyn Future<Output = Result<Option<MessageRef>, ProviderError>>>>;

/// The change in progress, and the changes to make after it.
pub(crate) struct Drawing {
    running: Option<(Work, Running)>,
    /// A message that was being posted when the request ended.
    late: Option<(Work, Running)>,
    /// Whether the form changed since the last revision began.
    pub(crate) wanted: bool,
    /// Whether words must be asked for.
    pub(crate) words: bool,
    /// Menus that cannot be removed before the request has ended.
    pub(crate) given_up: Vec<MessageRef>,
    /// Whether an edit ended without a reply of the messenger. It may still take effect, even after the card's end.
    pub(crate) in_doubt: bool,
    /// The budget of a card in units. It is below the messenger's limit if that proved too large.
    pub(crate) budget: usize,
    pub(crate) retry: Retry,
}

impl Drawing {
    pub(crate) fn new(budget: usize, retry: Retry) -> Self {
        let given_up = Vec::new();
        Self { running: None, late: None, wanted: false, words: false, given_up, in_doubt: false, budget, retry }
    }

    pub(crate) fn is_idle(&self) -> bool {
        self.running.is_none()
    }

    /// Waits for the change in progress; if there is none, it never returns. This is safe to cancel.
    pub(crate) async fn done(&mut self) -> Done {
        let Self { late, running, .. } = self;
        tokio::select! {
            biased;
            done = finished(late) => done,
            done = finished(running) => done,
        }
    }

    pub(crate) fn revise<M: Messenger + 'static, L: Ledger + 'static>(
        &mut self,
        session: &Rc<ChatSession<M, L>>,
        work: Work,
        message: MessageRef,
        card: Card,
    ) {
        let session = Rc::clone(session);
        let revising = async move { session.messenger.revise(&message, &card, CALL).await.map(|()| None) };
        self.running = Some((work, Box::pin(revising)));
    }

    pub(crate) fn post<M: Messenger + 'static, L: Ledger + 'static>(
        &mut self,
        session: &Rc<ChatSession<M, L>>,
        work: Work,
        card: Card,
    ) {
        let session = Rc::clone(session);
        let posting = async move { session.messenger.post(&session.chat.of(&card), &card, CALL).await.map(Some) };
        self.running = Some((work, Box::pin(posting)));
    }

    pub(crate) fn rest(&mut self, wait: Duration) {
        let resting = async move {
            tokio::time::sleep(wait).await;
            Ok(None)
        };
        self.running = Some((Work::Rest, Box::pin(resting)));
    }

    /// Keeps the posting of a message that was in progress when the request ended.
    pub(crate) fn leave(&mut self, work: Work, posting: Running) {
        self.late = Some((work, posting));
    }

    /// Waits for the changes in progress when the request has ended: new messages must be retired, and edits must not
    /// arrive after the card's end. Returns whether nothing can arrive any more.
    pub(crate) async fn settle(self, progress: &mut Progress) -> bool {
        let mut in_doubt = self.in_doubt;
        for (work, running) in self.late.into_iter().chain(self.running) {
            if work == Work::Rest {
                continue;
            }
            match running.await {
                Ok(message) => work.note(progress, message),
                Err(error) => in_doubt |= is_in_doubt(&error),
            }
        }
        !in_doubt
    }
}

async fn finished(place: &mut Option<(Work, Running)>) -> Done {
    let Some((_, running)) = place else { return std::future::pending().await };
    let result = running.as_mut().await;
    match place.take() {
        Some((work, _)) => (work, result),
        None => std::future::pending().await,
    }
}

/// Returns whether a call that failed with this error may still take effect later.
pub(crate) fn is_in_doubt(error: &ProviderError) -> bool {
    matches!(error, ProviderError::Deadline | ProviderError::Unavailable(_) | ProviderError::Broken(_))
}

impl Work {
    /// Records a finished change.
    pub(crate) fn note(self, progress: &mut Progress, message: Option<MessageRef>) {
        match (self, message) {
            (Self::Revise(form, choices), _) => {
                progress.view.shown = form;
                if let Some(page) = progress.view.pages.last_mut() {
                    page.choices = choices;
                }
            }
            (Self::Post(form, choices), Some(message)) => {
                progress.view.shown = form;
                progress.view.posted = progress.view.posted.saturating_add(1);
                progress.view.pages.push(Page { message, choices, menu: true });
                let last = progress.view.pages.len().saturating_sub(2);
                let mut at = 0..;
                progress.view.pages.retain(|page| at.next().is_some_and(|at| at >= last) || page.menu);
            }
            (Self::Card(choices), Some(message)) => {
                let page = Page { message: message.clone(), choices, menu: true };
                match &progress.card {
                    // A press has shown another message as the card, so this is a copy, which is retired like a page.
                    Some(known) if *known != message => progress.view.pages.push(page),
                    _ => {
                        progress.card = Some(message);
                        progress.view.pages = vec![page];
                    }
                }
            }
            (Self::Reason, Some(message)) => progress.prompted(message),
            (Self::Clear(message), _) => {
                let cleared = progress.view.pages.iter_mut().filter(|page| page.message == message);
                cleared.for_each(|page| page.menu = false);
            }
            (Self::Prompt, Some(message)) => {
                progress.view.posted = progress.view.posted.saturating_add(1);
                match progress.denier {
                    // The prompt for a reason replaces it.
                    Some(_) => progress.view.spent.push(message),
                    None => progress.prompted(message),
                }
            }
            (Self::Post(..) | Self::Prompt | Self::Card(_) | Self::Reason | Self::Rest, _) => {}
        }
    }
}

impl fmt::Debug for Drawing {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let work = self.running.as_ref().map(|(work, _)| work);
        formatter.debug_struct("Drawing").field("running", &work).field("wanted", &self.wanted).finish_non_exhaustive()
    }
}
