//! Posts a request's card and prompt, with retries where they can help.
//!
//! | what is known of the attempts | how long they go on |
//! |---|---|
//! | each failed before anything was sent ([`ProviderError::Unreachable`]) | until the limit for that, then the request ends without a decision |
//! | any may have arrived | until the request ends: somebody may see the card and deny on it |
//! | the prompt of a denial | until the request ends: it is decided |

use std::pin::pin;
use std::rc::Rc;
use std::time::Duration;

use dmplz_core::card;
use dmplz_core::flow::{self, Form};
use dmplz_core::messenger::{Answering, Card, Choice, MessageRef, ProviderError};
use dmplz_core::request::Trouble;
use dmplz_state::Stage;
use tokio::time::Instant;

use crate::card::drawing::{LEAST_BUDGET, Running, Work};
use crate::card::open::{Failure, Open};
use crate::ledger::Ledger;
use crate::ledger::view::Page;
use crate::session::CALL;
use crate::session::chat::Receipt;
use crate::session::messenger::Messenger;
use crate::session::owner::Owner;
use crate::session::present::{Input, next};
use crate::session::race::First;
use crate::session::retry::Retry;
use crate::wait_within;

/// A post that begins with less time than this cannot return in time: its provider would be stopped in the middle of it,
/// and thrown away with its connections.
const LEAST_CALL: Duration = Duration::from_millis(50);

/// The event that interrupts posting.
enum Cut {
    /// A person decided.
    Decided,
    /// A press revealed the card's message.
    Shown,
    /// The time is over, or the request was resolved elsewhere.
    By(flow::Event),
}

enum Either<T> {
    Done(T),
    Input(Box<Input>),
}

impl<M: Messenger + 'static, L: Ledger + 'static, O: Owner> Open<'_, M, L, O> {
    /// Posts the cards of the request, with less text if the messenger finds them too large after all.
    ///
    /// A messenger may show a card long before it replies. Input on the card counts meanwhile.
    pub(crate) async fn post(&mut self) -> Result<(), Failure> {
        let saved = self.save(Stage::Posting);
        // The tag must be stored first: if the process died, a press on an unknown tag would be answered as unknown.
        Receipt { saved, _handled: None }.wait().await;
        let style = self.session.style;
        if style.answering == Answering::Typed {
            // The poll that runs may not report the texts of this chat, and a code may be typed before the messenger replies.
            self.session.present.changed.notify_one();
        }
        let mut budget = style.limits.text;
        let message = 'fitting: loop {
            let cards = card::ask(self.asking(), style, budget)
                .map_err(|error| Failure::Fatal(Trouble::Other(error.to_string())))?;
            let mut last = Err(Failure::Fatal(Trouble::Other("there is nothing to show".to_owned())));
            for card in &cards {
                last = self.post_card(card).await;
                match &last {
                    Ok(_) => {}
                    Err(Failure::TooLarge) if budget > LEAST_BUDGET => {
                        budget /= 2;
                        continue 'fitting;
                    }
                    Err(_) => break,
                }
            }
            break last?;
        };
        self.drawing.budget = budget;
        self.card_is_up(message);
        self.posted_at = Some(self.session.now());
        self.owner.shown(self.id);
        self.save(Stage::Waiting);
        Ok(())
    }

    /// Notes that the card is posted. If a press has revealed another message before, that one is a copy.
    pub(crate) fn card_is_up(&mut self, message: MessageRef) {
        let known = self.progress.card.take();
        self.copies.extend(known);
        self.copies.retain(|copy| *copy != message);
        let choices = self.choices(&self.progress.view.form);
        self.progress.card = Some(message.clone());
        self.progress.view.shown.clone_from(&self.progress.view.form);
        self.progress.view.pages = vec![Page { message, choices, menu: true }];
    }

    /// Returns the choices of a card that shows this form.
    pub(crate) fn choices(&self, form: &Form) -> Vec<Choice> {
        let offer = &self.ask.rules.offer;
        card::choices(self.session.style, offer, &form.clone().fitting(offer))
    }

    pub(crate) fn asking(&self) -> card::Asking<'_> {
        let (offer, form) = (&self.ask.rules.offer, &self.progress.view.form);
        card::Asking { subject: self.ask.subject, offer, form, tag: self.ask.tag }
    }

    /// Posts one card, retrying where that can help, until it is posted or the request has ended.
    pub(crate) async fn post_card(&mut self, card: &Card) -> Result<MessageRef, Failure> {
        let mut retry = Retry::of(O::SHARED);
        loop {
            let wake = self.session.at(self.state.wakes_at(self.ask.rules));
            let left = wake.saturating_duration_since(Instant::now());
            if left < LEAST_CALL {
                self.pause(LEAST_CALL).await?;
                match self.card_of_a_press() {
                    Some(message) => return Ok(message),
                    None => continue,
                }
            }
            let within = CALL.min(left);
            let (session, mut wanted) = (Rc::clone(self.session), card.clone());
            let chat = session.chat.at(&self.place);
            wanted.reply_to = wanted.reply_to.filter(|message| message.chat == chat.id);
            let mut posting: Running =
                Box::pin(async move { session.messenger.post(&chat, &wanted, within).await.map(Some) });
            let cut = match self.attended(&mut posting, wake).await {
                // Somebody deleted the thread.
                Ok(Err(ProviderError::NotFound)) if self.place != self.session.chat.id => {
                    self.place.clone_from(&self.session.chat.id);
                    continue;
                }
                Ok(tried) => {
                    if let Some(message) = self.posted(tried, &mut retry).await? {
                        return Ok(message);
                    }
                    continue;
                }
                Err(cut) => cut,
            };
            self.may_be_seen = true;
            // The message may still appear. It is then retired, after the decision is delivered or the request has
            // ended.
            if !card.choices.is_empty() || card.wants_text {
                let work = if card.wants_text { Work::Reason } else { Work::Card(card.choices.clone()) };
                self.drawing.leave(work, posting);
            }
            match (cut, self.card_of_a_press()) {
                (Cut::Shown, Some(message)) => return Ok(message),
                (Cut::By(event), _) => self.feed(event).await,
                (Cut::Shown | Cut::Decided, _) => {}
            }
            return Err(Failure::Ended);
        }
    }

    /// Returns the message of the card that is being posted, if a press has revealed it.
    fn card_of_a_press(&self) -> Option<MessageRef> {
        self.progress.card.clone().filter(|_| self.inbox.is_some())
    }

    /// Waits for `thing`, and handles input meanwhile. The error tells what interrupted it.
    async fn attended<T>(&mut self, mut thing: impl Future<Output = T> + Unpin, wake: Instant) -> Result<T, Cut> {
        loop {
            let mut inbox = self.inbox.take();
            let either = async {
                tokio::select! {
                    biased;
                    done = &mut thing => Either::Done(done),
                    input = next(&mut inbox) => Either::Input(Box::new(input)),
                }
            };
            let first = self.race(either, wake).await;
            self.inbox = inbox;
            match first {
                First::Done(Either::Done(done)) => return Ok(done),
                First::Done(Either::Input(input)) => {
                    let was_undecided = self.state.is_undecided();
                    Box::pin(self.take(*input)).await;
                    if was_undecided && !self.state.is_undecided() {
                        return Err(Cut::Decided);
                    }
                    if self.card_of_a_press().is_some() {
                        return Err(Cut::Shown);
                    }
                }
                First::Stopped(resolver) => return Err(Cut::By(flow::Event::Elsewhere(resolver))),
                First::Woke => return Err(Cut::By(flow::Event::Tick)),
            }
        }
    }

    /// Returns the result of an attempt to post a card: its message, or `None` to try again.
    async fn posted(
        &mut self,
        tried: Result<Option<MessageRef>, ProviderError>,
        retry: &mut Retry,
    ) -> Result<Option<MessageRef>, Failure> {
        match tried {
            Ok(message) => {
                self.may_be_seen = true;
                self.session.posting(None);
                Ok(message)
            }
            Err(ProviderError::TooLarge) => {
                self.may_be_seen = true;
                Err(Failure::TooLarge)
            }
            Err(error) => match retry.after_posting(&error).and_then(|wait| self.wait_unreached(wait, &error)) {
                Some(wait) => {
                    self.session.posting(Some(error.to_string()));
                    self.trouble = Some(error);
                    self.pause(wait).await?;
                    Ok(self.card_of_a_press())
                }
                None => Err(Failure::Fatal(error.into())),
            },
        }
    }

    /// Returns how long to wait after an attempt, so that the last one is made when the limit is reached. `None` after
    /// that one.
    fn wait_unreached(&mut self, wait: Duration, error: &ProviderError) -> Option<Duration> {
        self.may_be_seen |= !matches!(error, ProviderError::Unreachable(_)) || self.progress.card.is_some();
        wait_within(wait, self.session.gives_up.filter(|_| !self.may_be_seen && self.state.is_undecided()))
    }

    /// Waits. The request's end, or the end of its time, interrupts it.
    async fn pause(&mut self, wait: Duration) -> Result<(), Failure> {
        let wake = self.session.at(self.state.wakes_at(self.ask.rules));
        match self.attended(pin!(tokio::time::sleep(wait)), wake).await {
            Ok(()) | Err(Cut::Shown) => Ok(()),
            Err(Cut::Decided) => Err(Failure::Ended),
            Err(Cut::By(event)) => {
                self.feed(event).await;
                Err(Failure::Ended)
            }
        }
    }

    /// Waits between two polls, at most until the request's time ends.
    pub(crate) async fn rest(&mut self, wait: Duration) {
        let wake = self.session.at(self.state.wakes_at(self.ask.rules));
        if self.state.outcome().is_some() || wait.is_zero() {
            return;
        }
        if let First::Stopped(resolver) = self.race(tokio::time::sleep(wait), wake).await {
            self.feed(flow::Event::Elsewhere(resolver)).await;
        }
    }
}
