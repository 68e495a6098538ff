//! Drawing a card again, and asking for words, while people go on using what is there.
//!
//! | people answer by | a change of the form |
//! |---|---|
//! | buttons | revises the message, text and buttons together |
//! | reactions, the next step | posts a message that answers the card, then takes the menu before it away: what people left there must not count for another step |
//! | reactions, the same step | revises the text; the menu only grows |
//!
//! One thing at a time, beside everything else: no press waits for it. What is wanted meanwhile is drawn afterwards, once.
//! What fails is tried again as long as the request is open; what a press does follows the form, never the looks.

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

/// A thing that is being done in the chat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Work {
    /// The newest page shows other choices, of this form.
    Revise(dmplz_core::flow::Form, Vec<Choice>),
    /// A new page is posted, of this form.
    Post(dmplz_core::flow::Form, Vec<Choice>),
    /// The menu of an earlier page is taken away.
    Clear(MessageRef),
    /// The prompt for the words of an answer is posted.
    Prompt,
    /// The request's card is posted.
    Card(Vec<Choice>),
    /// The prompt for the reason of a denial is posted.
    Reason,
    /// Something failed: a pause before the next try.
    Rest,
}

/// What was done, and what came of it.
pub(crate) type Done = (Work, Result<Option<MessageRef>, ProviderError>);

pub(crate) type Running = Pin<Box<dyn Future<Output = Result<Option<MessageRef>, ProviderError>>>>;

/// What is being drawn, and what is to be drawn after it.
pub(crate) struct Drawing {
    running: Option<(Work, Running)>,
    /// A message that was being posted when the request ended.
    late: Option<(Work, Running)>,
    /// The form changed since the last drawing began.
    pub(crate) wanted: bool,
    /// Words are to be asked for.
    pub(crate) words: bool,
    /// Menus that cannot be taken away before the request has ended.
    pub(crate) given_up: Vec<MessageRef>,
    /// An edit was given up without a word of the messenger: it may still come, also after the card's end.
    pub(crate) in_doubt: bool,
    /// Units that a card may hold: less than the messenger's limit where that proved too much.
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

    /// Waits for what runs; for ever where nothing does. Dropping it loses nothing.
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
        let posting = async move { session.messenger.post(&session.chat, &card, CALL).await.map(Some) };
        self.running = Some((work, Box::pin(posting)));
    }

    pub(crate) fn rest(&mut self, wait: Duration) {
        let resting = async move {
            tokio::time::sleep(wait).await;
            Ok(None)
        };
        self.running = Some((Work::Rest, Box::pin(resting)));
    }

    /// The request ended while a message was being posted.
    pub(crate) fn leave(&mut self, work: Work, posting: Running) {
        self.late = Some((work, posting));
    }

    /// Lets what runs come to its end when the request has: what appears in the chat has to be retired, and what changes
    /// there must not come after the card's end. Whether nothing can come any more.
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

/// Whether a call that failed so may have its effect later.
pub(crate) fn is_in_doubt(error: &ProviderError) -> bool {
    matches!(error, ProviderError::Deadline | ProviderError::Unavailable(_) | ProviderError::Broken(_))
}

impl Work {
    /// What was done, as it is written down.
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
                    // A press told of another one: this is a copy, which is retired like a page.
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
                    // Its place is taken by the prompt for a reason.
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
