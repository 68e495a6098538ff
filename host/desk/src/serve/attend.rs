//! One of many requests, from its card to its end.

use std::pin::pin;
use std::rc::Rc;
use std::time::Duration;

use dmplz_core::card::Ended;
use dmplz_core::flow::{self, Rules, State};
use dmplz_core::messenger::{MessageRef, ProviderError};
use dmplz_core::request::{Denial, Life, Outcome, ReasonSource, Resolver};
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use super::Job;
use crate::card::open::{Ask, Failure, Open};
use crate::ledger::{Ledger, Progress};
use crate::session::chat::ChatSession;
use crate::session::messenger::Messenger;
use crate::session::owner::Owner;
use crate::session::present::{Input, next};
use crate::session::race::{First, Stop};
use crate::session::retry::Retry;

/// How many inputs wait for one card while it is busy.
const INBOX: usize = 64;
/// How much room there strangers leave to people who may answer.
pub(super) const LEFT_BY_STRANGERS: usize = INBOX / 2;
/// How much room there other presses leave to denials and words.
pub(super) const LEFT_TO_DENIALS: usize = INBOX / 4;
/// How long one attempt to close a card may take.
const RETIRE: Duration = Duration::from_secs(20);
/// How long an edit without a reply may still take to appear.
const IN_DOUBT: Duration = Duration::from_secs(60);
/// A wake time far away: the request waits for input and for the owner's command only.
const FAR: Duration = Duration::from_secs(86_400);

/// A request that has a place.
pub(super) struct Attending<M, L, O> {
    pub(super) session: Rc<ChatSession<M, L>>,
    pub(super) owner: Rc<O>,
    pub(super) rules: Rules,
    pub(super) job: Box<Job>,
}

/// How a request leaves its place.
pub(super) enum Left {
    /// Its messages show its end.
    Retired { id: String },
    /// The messenger cannot show it at present.
    Unshown { job: Box<Job> },
}

/// A request that has ended, and how.
struct Over {
    progress: Progress,
    copies: Vec<MessageRef>,
    ended: Ended,
    /// Whether no earlier edit can still appear.
    is_settled: bool,
}

impl<M: Messenger + 'static, L: Ledger + 'static, O: Owner> Attending<M, L, O> {
    pub(super) async fn run(self, resolved: oneshot::Receiver<()>, closed: oneshot::Receiver<Ended>) -> Left {
        let (sender, inbox) = mpsc::channel(INBOX);
        let subject = self.job.subject.brief(self.session.style.limits.text);
        self.session.present.enter(Progress::new(&self.job.tag, subject), self.job.deadline, sender);
        let over = self.open(inbox, resolved, closed).await;
        self.session.present.leave(&self.job.tag);
        // This request is not posted any more; the next one shows whether posting works.
        self.session.posting(None);
        match over {
            Ok(over) => {
                self.retire(over).await;
                Left::Retired { id: self.job.id }
            }
            Err(why) => {
                self.owner.unshown(&self.job.id, &why);
                Left::Unshown { job: self.job }
            }
        }
    }

    /// Posts the card, and handles input until the owner reports the end. The error tells why the card cannot be shown.
    async fn open(
        &self,
        inbox: mpsc::Receiver<Input>,
        resolved: oneshot::Receiver<()>,
        closed: oneshot::Receiver<Ended>,
    ) -> Result<Over, String> {
        let stop = pin!(async {
            received(resolved).await;
            Resolver::Terminal
        });
        let ask = Ask { subject: &self.job.subject, tag: &self.job.tag, rules: &self.rules };
        let mut open = Open::new(&self.session, &*self.owner, &self.job.id, &ask, Stop::new(stop));
        self.resume(&mut open);
        open.place = match &open.progress.card {
            Some(card) => card.chat.clone(),
            None => self.owner.place(&self.job.id).await.map_or(open.place, |thread| thread.id),
        };
        open.inbox = Some(inbox);
        let wanted = open.progress.card.is_none() && !self.job.is_over;
        let mut inbox = self.show(&mut open, wanted).await?;
        let mut closed = pin!(received(closed));
        let mut displaced = pin!(self.owner.displaced(&self.job.id));
        loop {
            let in_thread = open.place != self.session.chat.id;
            let what = async {
                tokio::select! {
                    biased;
                    ended = closed.as_mut() => Next::Closed(ended),
                    input = next(&mut inbox) => Next::Input(input),
                    () = displaced.as_mut(), if in_thread => Next::Displaced,
                }
            };
            let wake = match open.state.life {
                Life::Denied(_) => self.session.at(open.state.wakes_at(&self.rules)),
                // The owner ends a request whose time is over. Until it does, a denial counts.
                Life::Open | Life::Ended(_) => Instant::now() + FAR,
            };
            match open.race(what, wake).await {
                First::Done(Next::Closed(ended)) => {
                    let silent = |(_, source)| source == ReasonSource::Timeout;
                    open.progress.awaited_text = open.state.outcome().and_then(Outcome::rejection).is_some_and(silent);
                    // Nobody waits for a card that takes no more input.
                    drop(inbox);
                    let Open { mut progress, copies, drawing, .. } = open;
                    let is_settled = drawing.settle(&mut progress).await;
                    return Ok(Over { progress, copies, ended, is_settled });
                }
                First::Done(Next::Input(input)) => open.take(input).await,
                First::Done(Next::Displaced) => {
                    open.inbox = inbox.take();
                    let is_open = open.move_to_chat();
                    inbox = self.show(&mut open, is_open).await?;
                }
                First::Stopped(resolver) => open.feed(flow::Event::Elsewhere(resolver)).await,
                First::Woke => open.feed(flow::Event::Tick).await,
            }
        }
    }

    /// Posts the card if `wanted`, and the prompt of a denial if it has none. Returns the inbox of `open`.
    async fn show(&self, open: &mut Open<'_, M, L, O>, wanted: bool) -> Result<Option<mpsc::Receiver<Input>>, String> {
        if wanted {
            match open.post().await {
                Ok(()) | Err(Failure::Ended) => {}
                Err(Failure::TooLarge) => return Err(ProviderError::TooLarge.to_string()),
                Err(Failure::Fatal(why)) => return Err(why.to_string()),
            }
        }
        let inbox = open.inbox.take();
        if let State { life: Life::Denied(denial), prompt: None, .. } = &open.state {
            let until = denial.until;
            open.ask_reason(until).await;
        }
        Ok(inbox)
    }

    /// Continues where a dead process stopped.
    fn resume(&self, open: &mut Open<'_, M, L, O>) {
        if let Some(progress) = &self.job.progress {
            for key in &progress.seen {
                self.session.see(key);
            }
            open.resume(progress.clone());
            if progress.card.is_some() && !self.job.is_over {
                self.owner.shown(&self.job.id);
            }
        }
        if let Some(Denial { by, until, instead }) = &self.job.denied {
            // A prompt from before the denial asked for something else.
            let denied = open.progress.denier.as_deref() == Some(by.id());
            let prompt = open.progress.prompt.clone().filter(|_| denied || open.progress.view.form.writer.is_none());
            open.progress.denier = Some(by.id().to_owned());
            let until = self.session.millis(*until);
            let denial = Denial { by: by.clone(), instead: *instead || open.progress.view.instead, until };
            open.state = State { prompt, ..State::of(Life::Denied(denial)) };
        }
        self.session.present.update(&open.progress);
    }

    /// Makes the messages show the end, retrying for as long as the messenger is down.
    async fn retire(&self, Over { mut progress, copies, ended, is_settled }: Over) {
        self.session.note_end(&mut progress, ended);
        if !is_settled {
            // This is shown twice, so that a late edit does not have the last word.
            let _ = self.session.retire(&progress, &copies, RETIRE).await;
            tokio::time::sleep(IN_DOUBT).await;
        }
        let mut retry = Retry::of(true);
        loop {
            let wait = match self.session.retire(&progress, &copies, RETIRE).await {
                Ok(()) => return self.session.note_retired(&mut progress),
                Err(error) => retry.after(&error),
            };
            match wait {
                Some(wait) => tokio::time::sleep(wait).await,
                None => return,
            }
        }
    }
}

enum Next {
    Closed(Ended),
    Input(Input),
    /// The thread with the request's messages is gone.
    Displaced,
}

/// Waits for the value; for ever if the sender is gone.
async fn received<T>(receiver: oneshot::Receiver<T>) -> T {
    match receiver.await {
        Ok(value) => value,
        Err(_) => std::future::pending().await,
    }
}
