//! Posting a request's card and prompt, again and again where that can help.

use std::time::Duration;

use dmplz_core::card;
use dmplz_core::flow::{self, Form, State};
use dmplz_core::messenger::{Card, Choice, MessageRef, ProviderError};
use dmplz_state::Stage;
use tokio::time::Instant;

use crate::CALL;
use crate::drawn::Page;
use crate::ledger::Ledger;
use crate::messenger::Messenger;
use crate::open::Open;
use crate::owner::Owner;
use crate::race::First;
use crate::retry::Retry;

/// A card that is being posted when the request ends elsewhere gets this long to appear, so that it can be retired: what
/// a messenger needs that adds its choices one by one, and less than the 1.5 s that the client gives a stopped hook.
const LAST_POST: Duration = Duration::from_millis(1000);

/// Why a card is not up.
pub(crate) enum Failure {
    /// The request has ended meanwhile.
    Ended,
    /// The messenger finds it too large.
    TooLarge,
    /// Trying again cannot help.
    Fatal(String),
}

impl<M: Messenger + 'static, L: Ledger + 'static, O: Owner> Open<'_, M, L, O> {
    /// Posts the cards of the request. With less text when the messenger finds it too much after all.
    pub(crate) async fn post(&mut self) -> Result<(), Failure> {
        self.save(Stage::Posting);
        let style = self.counter.style;
        let mut budget = style.limits.text;
        let message = 'fitting: loop {
            let cards = card::ask(self.asking(), style, budget).map_err(|error| Failure::Fatal(error.to_string()))?;
            let mut last = Err(Failure::Fatal("show anything".to_owned()));
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
        self.posted_at = Some(self.counter.now());
        self.save(Stage::Waiting);
        Ok(())
    }

    fn card_is_up(&mut self, message: MessageRef) {
        let choices = self.choices(&self.progress.drawn.form);
        self.progress.card = Some(message.clone());
        self.progress.drawn.shown.clone_from(&self.progress.drawn.form);
        self.progress.drawn.pages = vec![Page { message, choices, menu: true }];
    }

    /// What a card offers that shows this form.
    pub(crate) fn choices(&self, form: &Form) -> Vec<Choice> {
        let offer = &self.ask.rules.offer;
        card::choices(self.counter.style, offer, &form.clone().fitting(offer))
    }

    pub(crate) fn asking(&self) -> card::Asking<'_> {
        let (offer, form) = (&self.ask.rules.offer, &self.progress.drawn.form);
        card::Asking { subject: self.ask.subject, offer, form, tag: self.ask.tag }
    }

    /// Posts one card, again and again where that can help, until it is up or the request has ended.
    pub(crate) async fn post_card(&mut self, card: &Card) -> Result<MessageRef, Failure> {
        let mut retry = Retry::of(O::SHARED);
        loop {
            let wake = self.counter.at(self.state.wakes_at(self.ask.rules));
            let within = CALL.min(wake.saturating_duration_since(Instant::now()));
            let (first, late) = {
                let counter = self.counter;
                let mut posting = std::pin::pin!(counter.messenger.post(&counter.chat, card, within));
                let first = self.stop.race(&mut posting, wake).await;
                let late = match first {
                    First::Done(_) => None,
                    _ => tokio::time::timeout(LAST_POST, posting).await.ok().and_then(Result::ok),
                };
                (first, late)
            };
            if let Some(message) = late.filter(|_| !card.choices.is_empty() || card.wants_text) {
                self.note_posted(message);
            }
            let tried = match first {
                First::Done(tried) => tried,
                First::Stopped(resolver) => return self.end_early(flow::Event::Elsewhere(resolver)).await,
                First::Woke => return self.end_early(flow::Event::Tick).await,
            };
            match tried {
                Ok(message) => {
                    self.counter.posting(None);
                    return Ok(message);
                }
                Err(ProviderError::TooLarge) => return Err(Failure::TooLarge),
                Err(error) => match retry.after(&error) {
                    Some(wait) => {
                        self.trouble = Some(error.to_string());
                        self.counter.posting(Some(error.to_string()));
                        self.pause(wait).await?;
                    }
                    None => return Err(Failure::Fatal(error.to_string())),
                },
            }
        }
    }

    async fn end_early<T>(&mut self, event: flow::Event) -> Result<T, Failure> {
        self.feed(event).await;
        Err(Failure::Ended)
    }

    /// Waits; an end of the request cuts it short.
    pub(crate) async fn pause(&mut self, wait: Duration) -> Result<(), Failure> {
        let wake = self.counter.at(self.state.wakes_at(self.ask.rules));
        let event = match self.race(tokio::time::sleep(wait), wake).await {
            First::Done(()) => return Ok(()),
            First::Stopped(resolver) => flow::Event::Elsewhere(resolver),
            First::Woke => flow::Event::Tick,
        };
        self.feed(event).await;
        if self.state.outcome().is_some() { Err(Failure::Ended) } else { Ok(()) }
    }

    /// A message that appeared just when the request ended: noted, so that it is retired.
    fn note_posted(&mut self, message: MessageRef) {
        match self.state {
            State::WaitingReason { .. } => self.progress.prompted(message),
            _ => self.card_is_up(message),
        }
    }
}
