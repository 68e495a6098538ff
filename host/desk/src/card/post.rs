//! Posting a request's card and prompt, again and again where that can help.

use std::rc::Rc;
use std::time::Duration;

use dmplz_core::card;
use dmplz_core::flow::{self, Form, Trouble};
use dmplz_core::messenger::{Card, Choice, MessageRef, ProviderError};
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
use crate::session::race::First;
use crate::session::retry::Retry;

impl<M: Messenger + 'static, L: Ledger + 'static, O: Owner> Open<'_, M, L, O> {
    /// Posts the cards of the request. With less text when the messenger finds it too much after all.
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

    fn card_is_up(&mut self, message: MessageRef) {
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
            let event = match self.stop.race(&mut posting, wake).await {
                First::Done(tried) => {
                    if let Some(message) = self.posted(tried, &mut retry).await? {
                        return Ok(message);
                    }
                    continue;
                }
                First::Stopped(resolver) => flow::Event::Elsewhere(resolver),
                First::Woke => flow::Event::Tick,
            };
            // What is being posted may still appear, and is retired then: once the decision is handed over.
            if !card.choices.is_empty() || card.wants_text {
                let work = if self.state.is_undecided() { Work::Card(card.choices.clone()) } else { Work::Reason };
                self.drawing.leave(work, posting);
            }
            return self.end_early(event).await;
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
            Err(error) => match retry.after(&error) {
                Some(wait) => {
                    self.session.posting(Some(error.to_string()));
                    self.trouble = Some(error);
                    self.pause(wait).await?;
                    Ok(None)
                }
                None => Err(Failure::Fatal(error.into())),
            },
        }
    }

    async fn end_early<T>(&mut self, event: flow::Event) -> Result<T, Failure> {
        self.feed(event).await;
        Err(Failure::Ended)
    }

    /// Waits; an end of the request cuts it short.
    pub(crate) async fn pause(&mut self, wait: Duration) -> Result<(), Failure> {
        let wake = self.session.at(self.state.wakes_at(self.ask.rules));
        let event = match self.race(tokio::time::sleep(wait), wake).await {
            First::Done(()) => return Ok(()),
            First::Stopped(resolver) => flow::Event::Elsewhere(resolver),
            First::Woke => flow::Event::Tick,
        };
        self.feed(event).await;
        if self.state.outcome().is_some() { Err(Failure::Ended) } else { Ok(()) }
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
