//! Posting a request's card and prompt, again and again where that can help.

use std::pin::pin;
use std::rc::Rc;
use std::time::Duration;

use dmplz_core::card;
use dmplz_core::flow::{self, Form};
use dmplz_core::messenger::{Card, Choice, MessageRef, ProviderError};
use dmplz_core::request::Trouble;
use dmplz_state::Stage;
use tokio::time::Instant;

use crate::card::drawing::{Running, Work};
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

/// What cuts posting short.
enum Cut {
    /// A person decided.
    Decided,
    /// A press told where the card is.
    Shown,
    /// Time, or an end elsewhere.
    By(flow::Event),
}

enum Either<T> {
    Done(T),
    Input(Box<Input>),
}

impl<M: Messenger + 'static, L: Ledger + 'static, O: Owner> Open<'_, M, L, O> {
    /// Posts the cards of the request. With less text when the messenger finds it too much after all.
    ///
    /// A messenger may show a card long before it says so: what people do on it counts meanwhile.
    pub(crate) async fn post(&mut self) -> Result<(), Failure> {
        let saved = self.save(Stage::Posting);
        // Who presses a card whose tag is not written down when the process dies is told that nobody knows it.
        Receipt { saved, _handled: None }.wait().await;
        let style = self.session.style;
        let mut budget = style.limits.text;
        let message = 'fitting: loop {
            let cards = card::ask(self.asking(), style, budget)
                .map_err(|error| Failure::Fatal(Trouble::Other(error.to_string())))?;
            let mut last = Err(Failure::Fatal(Trouble::Other("there is nothing to show".to_owned())));
            for card in &cards {
                last = self.post_card(card).await;
                match &last {
                    Ok(_) => {}
                    Err(Failure::TooLarge) if budget > 400 => {
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

    /// The card is up. One of which a press told before is a copy of it.
    pub(crate) fn card_is_up(&mut self, message: MessageRef) {
        let known = self.progress.card.take();
        self.copies.extend(known);
        self.copies.retain(|copy| *copy != message);
        let choices = self.choices(&self.progress.view.form);
        self.progress.card = Some(message.clone());
        self.progress.view.shown.clone_from(&self.progress.view.form);
        self.progress.view.pages = vec![Page { message, choices, menu: true }];
    }

    /// What a card offers that shows this form.
    pub(crate) fn choices(&self, form: &Form) -> Vec<Choice> {
        let offer = &self.ask.rules.offer;
        card::choices(self.session.style, offer, &form.clone().fitting(offer))
    }

    pub(crate) fn asking(&self) -> card::Asking<'_> {
        let (offer, form) = (&self.ask.rules.offer, &self.progress.view.form);
        card::Asking { subject: self.ask.subject, offer, form, tag: self.ask.tag }
    }

    /// Posts one card, again and again where that can help, until it is up or the request has ended.
    pub(crate) async fn post_card(&mut self, card: &Card) -> Result<MessageRef, Failure> {
        let mut retry = Retry::of(O::SHARED);
        loop {
            let wake = self.session.at(self.state.wakes_at(self.ask.rules));
            let within = CALL.min(wake.saturating_duration_since(Instant::now()));
            let (session, wanted) = (Rc::clone(self.session), card.clone());
            let mut posting: Running =
                Box::pin(async move { session.messenger.post(&session.chat, &wanted, within).await.map(Some) });
            let cut = match self.attended(&mut posting, wake).await {
                Ok(tried) => {
                    if let Some(message) = self.posted(tried, &mut retry).await? {
                        return Ok(message);
                    }
                    continue;
                }
                Err(cut) => cut,
            };
            // What is being posted may still appear, and is retired then: once the decision is handed over, or the request has
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

    /// Where the card is that is being posted, once a press told that.
    fn card_of_a_press(&self) -> Option<MessageRef> {
        self.progress.card.clone().filter(|_| self.inbox.is_some())
    }

    /// Waits for `thing`, and takes what people do meanwhile. An error says what cut it short.
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

    /// What a try to post a card came to: its message, or none where it is to be tried again.
    async fn posted(
        &mut self,
        tried: Result<Option<MessageRef>, ProviderError>,
        retry: &mut Retry,
    ) -> Result<Option<MessageRef>, Failure> {
        match tried {
            Ok(message) => {
                self.session.posting(None);
                Ok(message)
            }
            Err(ProviderError::TooLarge) => Err(Failure::TooLarge),
            Err(error) => match retry.after_posting(&error) {
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

    /// Waits; an end of the request cuts it short.
    async fn pause(&mut self, wait: Duration) -> Result<(), Failure> {
        let wake = self.session.at(self.state.wakes_at(self.ask.rules));
        match self.attended(pin!(tokio::time::sleep(wait)), wake).await {
            Ok(()) | Err(Cut::Shown) => Ok(()),
            Err(Cut::Decided) => Err(Failure::Ended),
            Err(Cut::By(event)) => {
                self.feed(event).await;
                if self.state.outcome().is_some() { Err(Failure::Ended) } else { Ok(()) }
            }
        }
    }

    /// Waits between two looks, as long as the request has time.
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
