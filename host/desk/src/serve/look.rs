//! Polls for the events of all cards, and delivers each to its request.

use std::pin::pin;
use std::rc::Rc;
use std::time::Duration;

use dmplz_core::flow::{Notice, choice};
use dmplz_core::messenger::{Batch, Event, Watch};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep_until};

use super::Terms;
use super::attend::{LEFT_BY_STRANGERS, LEFT_TO_DENIALS};
use crate::ledger::Ledger;
use crate::ledger::press::{denies, deny_first, standing};
use crate::session::chat::ChatSession;
use crate::session::messenger::Messenger;
use crate::session::owner::{Claim, Owner};
use crate::session::present::{Input, Whose};
use crate::session::retry::Retry;
use crate::session::{LOOK, LOOK_SLACK, SHORT_LOOK};

/// How often past cards are polled, if a poll does not wait by itself.
const PAST: Duration = Duration::from_secs(5);
/// How long the next poll waits for the owner to store the events of this one.
const HANDLED: Duration = Duration::from_secs(2);
/// How long it waits for that even if a request's time is over, which calls for a poll: an ordinary disk is faster.
const HANDLED_AT_LEAST: Duration = Duration::from_millis(250);
/// How long a poll waits if it only tests the connection, or if it cannot be interrupted for a new card. The fields of
/// a new card must be known before a user presses on it. After failures, a poll comes this long before a request's
/// time is over.
const SHORT: Duration = Duration::from_secs(1);
/// How long a poll that is under way when a request's time ends may still return what has arrived.
const ARRIVING: Duration = Duration::from_millis(100);
/// How many polls must fail in a row before the messenger counts as down.
const DOWN: u32 = 2;

/// Polls while the desk serves.
pub(super) async fn look_on<M: Messenger + 'static, L: Ledger + 'static, O: Owner>(
    session: Rc<ChatSession<M, L>>,
    cursor: String,
    owner: Rc<O>,
    terms: Rc<Terms>,
) {
    let interval = Duration::from_millis(u64::from(session.messenger.transport().poll_interval));
    let (began, retry) = (Instant::now(), Retry::of(true));
    let mut looker = Looker { session, owner, terms, cursor, interval, began, past_at: None, retry };
    loop {
        looker.look().await;
    }
}

pub(super) struct Looker<M, L, O> {
    pub(super) session: Rc<ChatSession<M, L>>,
    pub(super) owner: Rc<O>,
    pub(super) terms: Rc<Terms>,
    cursor: String,
    /// The pause between two polls; zero if a poll waits by itself.
    interval: Duration,
    /// When the last poll that came to an end began.
    began: Instant,
    /// When past cards were last polled.
    past_at: Option<Instant>,
    retry: Retry,
}

impl<M: Messenger + 'static, L: Ledger + 'static, O: Owner> Looker<M, L, O> {
    async fn look(&mut self) {
        let watching = self.watching();
        let waits_by_itself = self.interval.is_zero();
        if watching.is_empty() && !waits_by_itself {
            return self.rest(PAST).await;
        }
        let session = self.session.clone();
        // A poll ends when a request's time does, and one follows that begins after it and does not wait: it returns what
        // was pressed in time.
        let (began, deadline) = (Instant::now(), session.present.deadline_after(self.began));
        let left = deadline.map(|deadline| deadline.saturating_duration_since(began));
        let persistent = session.messenger.transport().persistent;
        // After a failure, a short poll tells whether the messenger is back.
        let wait = if self.retry.failures() == 0 && !persistent { LOOK } else { SHORT };
        let wait = left.map_or(wait, |left| wait.min(left));
        // A poll that is cancelled has taken nothing from the messenger: its events are received again.
        let can_be_cancelled = waits_by_itself && !persistent;
        let ends = deadline.filter(|_| can_be_cancelled && !wait.is_zero());
        let looked = {
            let receiving = session.messenger.receive(&self.cursor, &watching, wait, wait + LOOK_SLACK);
            let mut receiving = pin!(receiving);
            tokio::select! {
                biased;
                looked = receiving.as_mut() => looked,
                // The running poll does not watch the new card.
                () = self.changed(), if can_be_cancelled => return,
                () = sleep_until(ends.unwrap_or(began)), if ends.is_some() => {
                    match tokio::time::timeout(ARRIVING, receiving).await {
                        Ok(looked) => looked,
                        Err(_) => return,
                    }
                }
            }
        };
        self.began = began;
        self.owner.polled(looked.as_ref().err());
        match looked {
            Ok(batch) => {
                self.retry.reset();
                self.session.looking(None);
                session.forget_gone(&watching, &batch.events);
                if session.has_lost_presses(&session.present.watches()) {
                    session.say(Notice::PressAgain, None);
                }
                let short = batch.events.is_empty() && began.elapsed() < SHORT_LOOK;
                self.take(batch).await;
                self.owner.looked(began);
                let pause = if short { self.interval.max(SHORT_LOOK) } else { self.interval };
                if !pause.is_zero() {
                    self.rest(self.until_next(pause)).await;
                }
            }
            Err(error) => {
                let wait = self.retry.wait(&error);
                if self.retry.failures() >= DOWN {
                    self.session.looking(Some(error.to_string()));
                }
                tokio::time::sleep(self.until_next(wait)).await;
            }
        }
    }

    /// Returns how much of this time may pass before the next poll: however long a messenger was away, it is asked once
    /// more shortly before a request's time is over, and when it is over.
    fn until_next(&self, wait: Duration) -> Duration {
        let Some(deadline) = self.session.present.deadline_after(self.began) else { return wait };
        let now = Instant::now();
        let before = deadline.checked_sub(SHORT).filter(|before| *before > now);
        wait.min(before.unwrap_or(deadline).saturating_duration_since(now))
    }

    /// Waits. A new card interrupts it.
    async fn rest(&self, wait: Duration) {
        tokio::select! {
            biased;
            () = tokio::time::sleep(wait) => {}
            () = self.changed() => {}
        }
    }

    /// Completes once there is something to watch that a running poll does not watch.
    async fn changed(&self) {
        tokio::select! {
            () = self.session.present.changed.notified() => {}
            () = self.owner.watches_changed() => {}
        }
    }

    /// Returns the watches of the owner and of all posted cards. Past cards are included if that costs nothing, otherwise
    /// every few seconds, but not after a failure: one may stand where the bot may not look any more.
    fn watching(&mut self) -> Vec<Watch> {
        let mut watching = self.session.present.watches();
        watching.extend(self.owner.watches());
        let is_due = self.interval.is_zero() || self.past_at.is_none_or(|at| at.elapsed() >= PAST);
        if is_due && self.retry.failures() == 0 {
            self.past_at = Some(Instant::now());
            watching.extend(self.session.ledger.borrow().recent());
        }
        watching
    }

    /// Delivers every event to its request, and returns once the owner has stored what counts.
    async fn take(&mut self, batch: Batch) {
        let mut handled = Vec::new();
        for event in deny_first(batch.events) {
            if let Some(done) = self.owner.take(&event, Claim::First) {
                handled.push(done);
                continue;
            }
            let inbox = match &event {
                Event::Chosen(press) => self.session.present.pressed(press),
                Event::Said(said) if said.has_only_files() => None,
                Event::Said(said) => match self.session.present.said(said) {
                    Whose::Of(inbox) => Some(inbox),
                    Whose::Nobodys => None,
                    Whose::Unclear => {
                        self.session.say(Notice::WhichCard, Some(said.message.clone()));
                        continue;
                    }
                },
            };
            match inbox {
                Some(inbox) => handled.extend(self.deliver(&inbox, event).await),
                None => handled.extend(self.late(event).await),
            }
        }
        let all = async {
            for handled in handled {
                // An error means that the sender was dropped, so the event is handled.
                let _ = handled.await;
            }
        };
        let _ = tokio::time::timeout(self.until_next(HANDLED).max(HANDLED_AT_LEAST), all).await;
        if batch.cursor != self.cursor {
            self.session.ledger.borrow_mut().keep_cursor(&batch.cursor);
            self.cursor = batch.cursor;
        }
    }

    /// Passes an event on to its request. If that is busy and has no room, the event is dropped: users repeat a press that
    /// is not acknowledged, and other cards must not wait. The returned receiver completes once the event is handled;
    /// there is none for a press that cannot count, because nothing is lost with it.
    async fn deliver(&self, inbox: &mpsc::Sender<Input>, event: Event) -> Option<oneshot::Receiver<()>> {
        let (may_count, left) = match &event {
            // Polls report it for as long as it is set.
            Event::Chosen(press) if standing(press).is_some_and(|key| self.session.has_seen(&key)) => return None,
            Event::Chosen(press) if self.terms.approvers.admit(&press.user).is_none() => (false, LEFT_BY_STRANGERS),
            Event::Chosen(press) if !denies(press) => (true, LEFT_TO_DENIALS),
            // Words reach only the request that waits for those of their writer.
            Event::Chosen(_) | Event::Said(_) => (true, 0),
        };
        let has_room = || inbox.capacity() > left;
        if !has_room() {
            // A request that is not busy catches up now.
            tokio::task::yield_now().await;
        }
        let (done, handled) = oneshot::channel();
        let is_sent = has_room() && inbox.try_send(Input { event, done }).is_ok();
        (is_sent && may_count).then_some(handled)
    }

    /// Handles an event that concerns no posted card. A text that concerns no past card either is offered to the owner;
    /// the returned receiver completes once the owner has handled it.
    async fn late(&self, event: Event) -> Option<oneshot::Receiver<()>> {
        let granted = match &event {
            Event::Chosen(press) if press.choice == choice::REVOKE => self.session.ledger.borrow().revocable(press),
            _ => None,
        };
        if let (Event::Chosen(press), Some(progress)) = (&event, granted) {
            self.revoke(press.clone(), progress).await;
            return None;
        }
        let known =
            matches!(&event, Event::Chosen(press) if standing(press).is_some_and(|key| !self.session.see(&key)));
        if known || self.session.tell_late(&event) {
            return None;
        }
        self.owner.take(&event, Claim::Last)
    }
}
