//! Asks one request: from the first card to the outcome.

use std::convert::Infallible;
use std::future::Future;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::time::Duration;

use dmplz_core::card::Ended;
use dmplz_core::flow::{self, Millis, State};
use dmplz_core::messenger::{Batch, Chosen, Event, MessageRef, ProviderError, Watch};
use dmplz_core::request::{ExpiredCause, Life, Outcome, ReasonSource, Resolver};
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use crate::Desk;
use crate::card::drawing::Drawing;
use crate::card::open::{Ask, Failure, Open};
use crate::ledger::press::{deny_first, is_on};
use crate::ledger::{Ledger, Progress};
use crate::session::chat::ChatSession;
use crate::session::messenger::Messenger;
use crate::session::owner::Alone;
use crate::session::present::Input;
use crate::session::race::{First, Stop};
use crate::session::retry::Retry;
use crate::session::{LOOK, LOOK_SLACK, SHORT_LOOK};

/// How long a poll that is under way when the request's time ends may still deliver a denial.
const LAST_LOOK: Duration = Duration::from_millis(250);

/// How long posting a card may take before the desk also polls for presses on it: people may see the card although the
/// messenger's reply is lost.
const SLOW_POSTING: Duration = Duration::from_secs(3);
/// The most presses that wait while a card is being posted: more than one poll returns.
const PRESSES: usize = 1024;

/// The result of asking a request.
#[derive(Debug)]
pub struct Asked {
    /// How the request ended.
    pub outcome: Outcome,
    /// Milliseconds from the card's appearance to the answer; `None` if either never came.
    pub answered_after: Option<Millis>,
    /// Whether the stop signal came, so that possibly nobody waits for this process any more.
    pub stopped: bool,
    /// How many polls found that another program receives this bot's events. Presses may have been delivered there.
    pub conflicts: u32,
    pub(crate) progress: Progress,
    /// Presses that are not acknowledged yet.
    pub(crate) presses: Vec<(Chosen, Option<String>)>,
    /// Further copies of the card that were pressed: the messenger's reply to their posting was lost.
    pub(crate) copies: Vec<MessageRef>,
    /// The revision of the card that was in progress.
    pub(crate) drawing: Drawing,
}

type Only<'a, M, L> = Open<'a, M, L, Alone>;

impl<M: Messenger + 'static, L: Ledger + 'static> Desk<M, L> {
    /// Asks, and waits for the outcome. `stop` completes when the request was resolved elsewhere; it may never
    /// complete.
    pub async fn ask(&mut self, ask: &Ask<'_>, stop: Pin<&mut dyn Future<Output = Resolver>>) -> Asked {
        let background = std::mem::take(&mut self.background);
        let asked = background.run_until(self.answered(ask, stop)).await;
        self.background = background;
        asked
    }

    async fn answered(&mut self, ask: &Ask<'_>, stop: Pin<&mut dyn Future<Output = Resolver>>) -> Asked {
        let session = self.session.clone();
        let mut open = Open::new(&session, &Alone, &ask.subject.request_id, ask, Stop::new(stop));
        match self.post(&mut open).await {
            Ok(()) | Err(Failure::Ended) => {}
            Err(Failure::TooLarge) => open.feed(flow::Event::Failed(ProviderError::TooLarge.into())).await,
            Err(Failure::Fatal(why)) => open.feed(flow::Event::Failed(why)).await,
        }
        if open.state.outcome().is_none() {
            // The cards of dead processes are retired now, while this request's own card waits for its answer.
            let retiring = Rc::clone(&session);
            session.background(async move { retiring.retire_orphans().await });
        }
        let (mut retry, mut first) = (Retry::default(), true);
        loop {
            if let Life::Ended(outcome) = open.state.life {
                let outcome = unless_nobody_could(outcome, open.posted_at.is_some(), open.trouble);
                open.progress.awaited_text =
                    outcome.rejection().is_some_and(|(_, source)| source == ReasonSource::Timeout);
                let times = open.answered_at.zip(open.posted_at);
                let answered_after = times.map(|(answered, posted)| answered.saturating_sub(posted));
                let Open { progress, presses, copies, drawing, stop, conflicts, .. } = open;
                let stopped = stop.has_come();
                return Asked { outcome, answered_after, stopped, conflicts, progress, presses, copies, drawing };
            }
            self.look(&mut open, &mut retry, &mut first).await;
        }
    }

    /// Posts the card. If the messenger reports presses on any card, those on this card count before its message is
    /// known.
    async fn post(&mut self, open: &mut Only<'_, M, L>) -> Result<(), Failure> {
        let session = open.session;
        if session.messenger.transport().poll_interval > 0 {
            return open.post().await;
        }
        let (sender, inbox) = mpsc::channel(PRESSES);
        open.inbox = Some(inbox);
        let (tag, before) = (open.ask.tag, self.cursor.clone());
        let posted = tokio::select! {
            biased;
            never = self.look_for_presses(session, tag, sender) => match never {},
            posted = open.post() => posted,
        };
        let mut inbox = open.inbox.take();
        while let Some(input) = inbox.as_mut().and_then(|inbox| inbox.try_recv().ok()) {
            open.take(input).await;
        }
        if let State { life: Life::Denied(denial), prompt: None, .. } = &open.state {
            let until = denial.until;
            open.ask_reason(until).await;
        }
        if self.cursor != before {
            session.ledger.borrow_mut().keep_cursor(&self.cursor);
        }
        posted
    }

    /// Polls for presses on a card that is being posted. Events that it passes on are taken from the messenger.
    async fn look_for_presses(
        &mut self,
        session: &Rc<ChatSession<M, L>>,
        tag: &str,
        inbox: mpsc::Sender<Input>,
    ) -> Infallible {
        tokio::time::sleep(SLOW_POSTING).await;
        let mut retry = Retry::of(true);
        loop {
            let looked_at = Instant::now();
            match session.messenger.receive(&self.cursor, &[], LOOK, LOOK + LOOK_SLACK).await {
                Ok(batch) => {
                    retry.reset();
                    self.cursor = batch.cursor;
                    let is_idle = batch.events.is_empty() && looked_at.elapsed() < SHORT_LOOK;
                    for event in deny_first(batch.events) {
                        match &event {
                            Event::Chosen(press)
                                if press.message.chat == session.chat.id && is_on(press, std::iter::empty(), tag) =>
                            {
                                let (done, _) = oneshot::channel();
                                // If the channel is full, the press is not acknowledged, so the user presses again.
                                let _ = inbox.try_send(Input { event, done });
                            }
                            _ => session.tell_late_once(&event),
                        }
                    }
                    if is_idle {
                        tokio::time::sleep(SHORT_LOOK).await;
                    }
                }
                Err(error) => tokio::time::sleep(retry.wait(&error)).await,
            }
        }
    }

    /// Polls once for events, and handles them.
    async fn look(&mut self, open: &mut Only<'_, M, L>, retry: &mut Retry, first: &mut bool) {
        let session = open.session;
        let wake = session.at(open.state.wakes_at(open.ask.rules));
        let wait = LOOK.min(wake.saturating_duration_since(Instant::now()));
        let past = if *first { session.ledger.borrow().recent() } else { Vec::new() };
        // If a poll reads one card after the other, earlier cards would delay the answer to this request. Then only
        // texts about them are polled for, which come by the cursor.
        let together = session.messenger.transport().poll_interval == 0;
        let beside = past.iter().filter(|watch| together || watch.text).map(|watch| match together {
            true => watch.clone(),
            false => Watch { choices: Vec::new(), ..watch.clone() },
        });
        let watching: Vec<Watch> = watching(open).chain(beside).collect();
        let looked_at = Instant::now();
        let looked = {
            let mut looking = pin!(session.messenger.receive(&self.cursor, &watching, wait, wait + LOOK_SLACK));
            match open.race(looking.as_mut(), wake).await {
                // A denial that has arrived counts, even if this process was suspended meanwhile.
                First::Woke => open.race(looking, Instant::now() + LAST_LOOK).await,
                looked => looked,
            }
        };
        let is_last = Instant::now() >= wake;
        match looked {
            First::Done(Ok(batch)) => {
                session.forget_gone(&watching, &batch.events);
                if session.has_lost_presses(&self::watching(open).collect::<Vec<_>>()) {
                    session.say(flow::Notice::PressAgain, None);
                }
                retry.reset();
                *first = false;
                open.trouble = None;
                if !together {
                    session.look_back(past);
                }
                let idle = batch.events.is_empty() && looked_at.elapsed() < SHORT_LOOK;
                self.take(open, batch).await;
                let interval = Duration::from_millis(u64::from(session.messenger.transport().poll_interval));
                open.rest(if idle { interval.max(SHORT_LOOK) } else { interval }).await;
            }
            First::Done(Err(error)) => match retry.after(&error) {
                Some(wait) => {
                    open.conflicts += u32::from(matches!(error, ProviderError::Conflict(_)));
                    open.trouble = Some(error);
                    open.rest(wait).await;
                }
                // An earlier card may stand where the bot may not look any more. It is left out from now on.
                None if !past.is_empty() => *first = false,
                None => open.feed(flow::Event::Failed(error.into())).await,
            },
            First::Stopped(resolver) => open.feed(flow::Event::Elsewhere(resolver)).await,
            First::Woke => {}
        }
        if is_last && open.state.outcome().is_none() {
            open.feed(flow::Event::Tick).await;
        }
    }

    /// Handles the request's own events first: an answer must not wait for other people's input.
    async fn take(&mut self, open: &mut Only<'_, M, L>, batch: Batch) {
        let mut others = Vec::new();
        for event in deny_first(batch.events) {
            match event {
                Event::Chosen(press) if open.is_ours(&press) => open.pressed(press).await,
                Event::Said(said) if open.awaits(&said) => open.said(said).await,
                event => others.push(event),
            }
        }
        others.iter().for_each(|event| open.session.tell_late_once(event));
        if batch.cursor != self.cursor {
            open.session.ledger.borrow_mut().keep_cursor(&batch.cursor);
            self.cursor = batch.cursor;
        }
    }

    /// Retires the request's messages, at most for `within`. `ended` is what they show; the caller knows whether the
    /// client took the decision. What cannot be shown in time stays recorded for the next process.
    pub async fn close(&mut self, mut asked: Asked, ended: Ended, within: Duration) {
        let session = &self.session;
        let closing = async {
            let end = Instant::now() + within;
            let settled = asked.drawing.settle(&mut asked.progress);
            // A late edit may arrive after the card's end. Then the next process shows the end again.
            let is_settled = tokio::time::timeout(within * 2 / 3, settled).await.unwrap_or(false);
            session.note_end(&mut asked.progress, ended);
            // The acknowledgement of a press and the card's end run concurrently.
            for (press, words) in asked.presses {
                session.acknowledge(press, words);
            }
            tokio::task::yield_now().await;
            let retired = session.retire(&asked.progress, &asked.copies, within);
            if let (Ok(Ok(())), true) = (tokio::time::timeout_at(end, retired).await, is_settled) {
                session.note_retired(&mut asked.progress);
            }
            let _ = tokio::time::timeout_at(end, session.background_done()).await;
        };
        self.background.run_until(closing).await;
    }

    /// Retires the cards that dead processes left, as far as possible within a few seconds.
    pub async fn retire_orphans(&mut self) {
        self.session.retire_orphans().await;
    }
}

/// Returns the watches for the request's own messages.
fn watching<M: Messenger + 'static, L: Ledger + 'static>(open: &Only<'_, M, L>) -> impl Iterator<Item = Watch> {
    open.progress.watches().chain(open.progress.prompt_watch())
}

/// Replaces an expiry by the messenger's failure if no card was posted, or if no answer could have been received.
fn unless_nobody_could(outcome: Outcome, posted: bool, trouble: Option<ProviderError>) -> Outcome {
    match outcome {
        Outcome::Expired(ExpiredCause::Nobody) if !posted || trouble.is_some() => {
            Outcome::Expired(ExpiredCause::Failed(trouble.unwrap_or(ProviderError::Deadline).into()))
        }
        outcome => outcome,
    }
}
