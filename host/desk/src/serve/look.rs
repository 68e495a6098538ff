//! Looking for events, for all cards at once, and bringing each to the request that it is about.

use std::rc::Rc;
use std::time::Duration;

use dmplz_core::flow::{Notice, choice};
use dmplz_core::messenger::{Batch, Event, Watch};
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use super::Terms;
use crate::ledger::Ledger;
use crate::ledger::press::{deny_first, standing};
use crate::session::chat::ChatSession;
use crate::session::messenger::Messenger;
use crate::session::owner::Owner;
use crate::session::present::{Input, Whose};
use crate::session::retry::Retry;
use crate::session::{LOOK, LOOK_SLACK, SHORT_LOOK};

/// How often cards of the past are looked at where a look does not wait by itself.
const PAST: Duration = Duration::from_secs(5);
/// How long the next look waits for the owner to have what this one brought.
const HANDLED: Duration = Duration::from_secs(2);
/// A look that only has to come back, or that learns no sooner of a card that is posted meanwhile: where people press on
/// one, what its forms are to say has to be known.
const SHORT: Duration = Duration::from_secs(1);
/// Looks that fail in a row until the messenger counts as down.
const DOWN: u32 = 2;

/// Looks as long as the desk serves.
pub(super) async fn look_on<M: Messenger + 'static, L: Ledger + 'static, O: Owner>(
    session: Rc<ChatSession<M, L>>,
    cursor: String,
    owner: Rc<O>,
    terms: Rc<Terms>,
) {
    let interval = Duration::from_millis(u64::from(session.messenger.transport().poll_interval));
    let mut looker = Looker { session, owner, terms, cursor, interval, past_at: None, retry: Retry::of(true) };
    loop {
        looker.look().await;
    }
}

pub(super) struct Looker<M, L, O> {
    pub(super) session: Rc<ChatSession<M, L>>,
    pub(super) owner: Rc<O>,
    pub(super) terms: Rc<Terms>,
    cursor: String,
    /// Between two looks; none where a look waits by itself.
    interval: Duration,
    /// When cards of the past were last looked at.
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
        let looked_at = Instant::now();
        let session = self.session.clone();
        let persistent = session.messenger.transport().persistent;
        // After a failure a short look tells whether the messenger is back.
        let wait = if self.retry.failures() == 0 && !persistent { LOOK } else { SHORT };
        let looked = tokio::select! {
            biased;
            looked = session.messenger.receive(&self.cursor, &watching, wait, wait + LOOK_SLACK) => looked,
            // It would not tell of a card that it does not know of. What it may have brought comes again.
            () = session.present.changed.notified(), if waits_by_itself && !persistent => return,
        };
        match looked {
            Ok(batch) => {
                self.retry.reset();
                self.session.looking(None);
                session.forget_gone(&watching, &batch.events);
                let short = batch.events.is_empty() && looked_at.elapsed() < SHORT_LOOK;
                self.take(batch).await;
                let pause = if short { self.interval.max(SHORT_LOOK) } else { self.interval };
                if !pause.is_zero() {
                    self.rest(pause).await;
                }
            }
            Err(error) => {
                let wait = self.retry.wait(&error);
                if self.retry.failures() >= DOWN {
                    self.session.looking(Some(error.to_string()));
                }
                tokio::time::sleep(wait).await;
            }
        }
    }

    /// Waits; a new card cuts it short.
    async fn rest(&self, wait: Duration) {
        tokio::select! {
            biased;
            () = tokio::time::sleep(wait) => {}
            () = self.session.present.changed.notified() => {}
        }
    }

    /// All cards that are up. Cards of the past too: always where that costs nothing, else every few seconds.
    fn watching(&mut self) -> Vec<Watch> {
        let mut watching = self.session.present.watches();
        if self.interval.is_zero() || self.past_at.is_none_or(|at| at.elapsed() >= PAST) {
            self.past_at = Some(Instant::now());
            watching.extend(self.session.ledger.borrow().recent());
        }
        watching
    }

    /// Brings every event to its request, and goes on once the owner has what counts.
    async fn take(&mut self, batch: Batch) {
        let mut handled = Vec::new();
        for event in deny_first(batch.events) {
            let inbox = match &event {
                Event::Chosen(press) => self.session.present.pressed(press),
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
                Some(inbox) => handled.extend(deliver(inbox, event).await),
                None => self.late(event).await,
            }
        }
        let all = async {
            for handled in handled {
                // An error says that it was dropped: dealt with.
                let _ = handled.await;
            }
        };
        let _ = tokio::time::timeout(HANDLED, all).await;
        if batch.cursor != self.cursor {
            self.session.ledger.borrow_mut().keep_cursor(&batch.cursor);
            self.cursor = batch.cursor;
        }
    }

    /// About no card that is up.
    async fn late(&self, event: Event) {
        let granted = match &event {
            Event::Chosen(press) if press.choice == choice::REVOKE => self.session.ledger.borrow().revocable(press),
            _ => None,
        };
        if let (Event::Chosen(press), Some(progress)) = (&event, granted) {
            return self.revoke(press.clone(), progress).await;
        }
        let known =
            matches!(&event, Event::Chosen(press) if standing(press).is_some_and(|key| !self.session.see(&key)));
        if !known {
            self.session.tell_late(&event);
        }
    }
}

/// Hands an event to a request. What comes back is dropped once it is dealt with. A request that is flooded gets no more
/// until it has caught up: a press that is not acknowledged is pressed again.
async fn deliver(inbox: mpsc::Sender<Input>, event: Event) -> Option<oneshot::Receiver<()>> {
    let (done, handled) = oneshot::channel();
    let sent = tokio::time::timeout(HANDLED, inbox.send(Input { event, done })).await;
    matches!(sent, Ok(Ok(()))).then_some(handled)
}
