//! A request while it is open: what people do to it, step by step.

use std::rc::Rc;

use dmplz_core::card;
use dmplz_core::flow::{self, Effect, Millis, Notice, Outcome, ReasonSource, State};
use dmplz_core::messenger::{Choice, Chosen, Event, MessageRef};
use dmplz_state::Stage;
use tokio::sync::oneshot;

use crate::ask::Ask;
use crate::counter::Counter;
use crate::ledger::{Ledger, Progress};
use crate::messenger::Messenger;
use crate::owner::{Owner, Verdict};
use crate::post::Failure;
use crate::press::{is_on, prompt_tag, standing};
use crate::race::Stop;

/// A request while it is open.
pub(crate) struct Open<'a, M, L, O> {
    pub(crate) counter: &'a Rc<Counter<M, L>>,
    pub(crate) owner: &'a O,
    /// By which the owner knows it.
    pub(crate) id: &'a str,
    pub(crate) ask: &'a Ask<'a>,
    pub(crate) progress: Progress,
    pub(crate) state: State,
    /// Presses that still have to be acknowledged, with what is said.
    pub(crate) presses: Vec<(Chosen, Option<String>)>,
    /// Second copies of the card that somebody pressed: a messenger's reply to their posting was lost.
    pub(crate) copies: Vec<MessageRef>,
    pub(crate) stop: Stop<'a>,
    /// Why nothing gets through to the messenger at present.
    pub(crate) trouble: Option<String>,
    pub(crate) posted_at: Option<Millis>,
    pub(crate) answered_at: Option<Millis>,
    /// Dropped once the owner knows what somebody did.
    pub(crate) handled: Option<oneshot::Sender<()>>,
}

impl<'a, M: Messenger + 'static, L: Ledger + 'static, O: Owner> Open<'a, M, L, O> {
    pub(crate) fn new(
        counter: &'a Rc<Counter<M, L>>,
        owner: &'a O,
        id: &'a str,
        ask: &'a Ask<'a>,
        stop: Stop<'a>,
    ) -> Self {
        Self {
            counter,
            owner,
            id,
            ask,
            progress: Progress::new(ask.tag, ask.subject.brief(counter.style.limits.text)),
            state: State::waiting(),
            presses: Vec::new(),
            copies: Vec::new(),
            stop,
            trouble: None,
            posted_at: None,
            answered_at: None,
            handled: None,
        }
    }

    /// Whether a press is on its card or its prompt.
    pub(crate) fn is_ours(&self, press: &Chosen) -> bool {
        let messages = [self.progress.card.as_ref(), self.progress.prompt.as_ref()];
        press.message.chat == self.counter.chat.id && is_on(press, messages, [self.ask.tag, &prompt_tag(self.ask.tag)])
    }

    /// Whether words of this person in its chat may be the reason.
    pub(crate) fn awaits(&self, event: &Event) -> bool {
        match (event, self.state.awaits_words_of()) {
            (Event::Said(said), Some(writer)) => writer == said.user.id && said.message.chat == self.counter.chat.id,
            _ => false,
        }
    }

    /// A press on its card or prompt. A standing reaction counts once.
    pub(crate) async fn pressed(&mut self, press: Chosen) {
        if let Some(key) = standing(&press) {
            if !self.counter.see(&key) {
                return;
            }
            self.progress.seen.push(key);
        }
        let is_card = press.tag.as_deref() == Some(self.ask.tag);
        if is_card && self.progress.card.as_ref().is_some_and(|card| *card != press.message) {
            self.copies.push(press.message.clone());
        }
        let event =
            flow::Event::Chosen { choice: press.choice.clone(), user: press.user.clone(), text: press.text.clone() };
        self.step(event, Some(press)).await;
    }

    pub(crate) async fn feed(&mut self, event: flow::Event) {
        self.step(event, None).await;
    }

    /// One step of the flow, if the owner lets it count, and its effects; a failed effect is an event again.
    async fn step(&mut self, event: flow::Event, press: Option<Chosen>) {
        let now = self.counter.now();
        let words = match &event {
            flow::Event::Said { message, .. } => Some(message.clone()),
            _ => None,
        };
        let (state, effects) = flow::step(self.state.clone(), event, self.ask.rules, now);
        let verdict = self.judge(&state).await;
        self.handled = None;
        if !verdict.counts {
            return self.tell(press.as_ref(), words, verdict.told).await;
        }
        let undecided = self.state.is_undecided();
        self.state = state;
        if let State::WaitingDecision { form } = &self.state {
            self.progress.form.clone_from(form);
        }
        if undecided && press.is_some() && !self.state.is_undecided() {
            self.answered_at = Some(now);
        }
        let ended = self.state.outcome().is_some();
        for effect in effects {
            match (effect, &press) {
                (Effect::Tell(notice), Some(press)) if O::SHARED => {
                    let told = verdict.told.clone().or_else(|| self.words(notice));
                    self.counter.acknowledge_aside(press.clone(), told);
                }
                // Once the request has ended, handing over the decision comes before any word to anybody.
                (Effect::Tell(notice), Some(press)) if ended || notice == Notice::Taken => {
                    self.presses.push((press.clone(), self.words(notice)));
                }
                (Effect::Tell(notice), Some(press)) => {
                    self.counter.acknowledge(press, self.words(notice).as_deref()).await;
                }
                (Effect::Tell(notice), None) => self.counter.say(notice, self.progress.prompt.clone()).await,
                (Effect::Show, _) => self.show().await,
                (Effect::AskWords, _) => Box::pin(self.ask_words()).await,
                (Effect::AskReason { until }, _) => Box::pin(self.ask_reason(until)).await,
                (Effect::End(_), _) => {}
            }
        }
        if press.is_none() && verdict.told.is_some() {
            self.tell(None, words, verdict.told).await;
        }
    }

    /// Asks the owner whether what a person did counts. What time or failure does is no person's.
    async fn judge(&self, next: &State) -> Verdict {
        match (&self.state, next) {
            (State::WaitingDecision { .. }, State::WaitingReason { denier, instead, .. }) => {
                self.owner.denied(self.id, denier, *instead).await
            }
            (State::WaitingDecision { .. } | State::WaitingReason { .. }, State::Ended(outcome))
                if by_a_person(outcome) =>
            {
                self.owner.decided(self.id, outcome).await
            }
            _ => Verdict::COUNTS,
        }
    }

    async fn tell(&self, press: Option<&Chosen>, words: Option<MessageRef>, told: Option<String>) {
        match (press, told) {
            (Some(press), told) => self.counter.acknowledge_aside(press.clone(), told),
            (None, Some(told)) => self.counter.post_line(&told, words).await,
            (None, None) => {}
        }
    }

    fn words(&self, notice: Notice) -> Option<String> {
        self.counter.style.lang.notice(notice).map(str::to_owned)
    }

    /// Asks the person who denied why.
    pub(crate) async fn ask_reason(&mut self, until: Millis) {
        if let State::WaitingReason { denier, .. } = &self.state {
            self.progress.denier = Some(denier.id().to_owned());
        }
        self.save(Stage::Reason);
        // The time that the seed's text names is the configured one, unless the deadline leaves less.
        let limit = until.saturating_sub(self.counter.now());
        let limit = if until < self.ask.rules.deadline { self.ask.rules.reason_timeout } else { limit };
        let keyword = self.ask.rules.reason.skip_keywords.first().map_or("", String::as_str);
        let tag = prompt_tag(self.ask.tag);
        let instead = matches!(self.state, State::WaitingReason { instead: true, .. });
        let wanted = card::Wanted::of(&self.ask.rules.offer, instead);
        let prompt = card::prompt(self.counter.style, &tag, wanted, limit, keyword, self.progress.card.clone());
        match self.post_card(&prompt).await {
            Ok(message) => {
                self.progress.prompt = Some(message.clone());
                self.save(Stage::Reason);
                self.feed(flow::Event::PromptPosted(message)).await;
            }
            // Where it is shared, the owner waits for the words as long as it waits.
            Err(Failure::TooLarge | Failure::Fatal(_)) if !O::SHARED => self.feed(flow::Event::ReasonFailed).await,
            Err(_) => {}
        }
        let presses = std::mem::take(&mut self.presses);
        self.counter.acknowledge_all(presses).await;
    }

    /// Asks the person who wants to answer a question in their own words for them.
    async fn ask_words(&mut self) {
        self.save(Stage::Waiting);
        let question = self.progress.form.asked(&self.ask.rules.offer).map(|(question, _)| question.question.clone());
        let tag = prompt_tag(self.ask.tag);
        let card = self.progress.card.clone();
        let prompt = card::words_prompt(self.counter.style, &tag, &question.unwrap_or_default(), card);
        let event = match self.post_card(&prompt).await {
            Ok(message) => {
                self.progress.prompt = Some(message.clone());
                flow::Event::PromptPosted(message)
            }
            Err(_) => flow::Event::ReasonFailed,
        };
        self.feed(event).await;
        let presses = std::mem::take(&mut self.presses);
        self.counter.acknowledge_all(presses).await;
    }

    /// What may be chosen on its card now.
    pub(crate) fn choices(&self) -> Vec<Choice> {
        card::choices(self.counter.style, &self.ask.rules.offer, &self.progress.form)
    }

    pub(crate) fn save(&mut self, stage: Stage) {
        self.progress.stage = stage;
        self.counter.ledger.borrow_mut().save(&self.progress);
        self.counter.present.update(&self.progress, self.choices());
    }
}

fn by_a_person(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Approved { .. } | Outcome::RejectedWithReason { .. } => true,
        Outcome::RejectedNoReason { source, .. } => *source == ReasonSource::ExplicitSkip,
        _ => false,
    }
}
