//! Asking: from the first card to the outcome.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use dmplz_core::card::{self, Subject};
use dmplz_core::flow::{self, Effect, ExpiredCause, Millis, Notice, Outcome, ReasonSource, Resolver, Rules, State};
use dmplz_core::messenger::{Batch, Card, Chosen, Event, MessageRef, ProviderError, Watch};
use dmplz_state::Stage;
use tokio::time::Instant;

use crate::ledger::{Ledger, Progress};
use crate::messenger::Messenger;
use crate::press::{deny_first, is_on, prompt_tag, standing};
use crate::race::{First, Stop};
use crate::retry::Retry;
use crate::{CALL, Desk};

/// One look for events waits this long at most. Short enough that a connection which died unnoticed is found out.
const LOOK: Duration = Duration::from_secs(25);
/// What a look may take beyond its wait.
const LOOK_SLACK: Duration = Duration::from_secs(10);
/// A look that comes back empty sooner than this did not wait: the next one is put off by as much, whatever the provider
/// says of itself.
const SHORT_LOOK: Duration = Duration::from_millis(100);
/// A card that is being posted when the request ends elsewhere gets this long to appear, so that it can be retired: what
/// a messenger needs that adds its choices one by one, and less than the 1.5 s that the client gives a stopped hook.
const LAST_POST: Duration = Duration::from_millis(1000);

/// A request to be asked.
#[derive(Debug)]
pub struct Ask<'a> {
    /// What it is about, in full.
    pub subject: &'a Subject,
    /// The card's tag.
    pub tag: &'a str,
    /// The rules of its flow.
    pub rules: &'a Rules,
}

/// A request that was asked.
#[derive(Debug)]
pub struct Asked {
    /// What became of it.
    pub outcome: Outcome,
    /// Milliseconds from the card's appearance to the answer; none where either never came.
    pub answered_after: Option<Millis>,
    pub(crate) progress: Progress,
    /// Presses that still have to be acknowledged.
    pub(crate) presses: Vec<(Chosen, Notice)>,
    /// Second copies of the card that somebody pressed: a messenger's reply to their posting was lost.
    pub(crate) copies: Vec<MessageRef>,
}

impl<M: Messenger, L: Ledger> Desk<M, L> {
    /// Asks, and waits for the outcome. `stop` tells that the request was resolved elsewhere; it may also never come.
    pub async fn ask(&mut self, ask: &Ask<'_>, stop: Pin<&mut dyn Future<Output = Resolver>>) -> Asked {
        let progress = Progress::new(ask.tag, ask.subject.brief(self.style.limits.text));
        let mut open = Open {
            ask,
            progress,
            state: State::WaitingDecision,
            presses: Vec::new(),
            copies: Vec::new(),
            stop: Stop::new(stop),
            first: true,
            trouble: None,
            posted_at: None,
            answered_at: None,
        };
        self.post(&mut open).await;
        if open.state.outcome().is_none() {
            self.clean_up(&mut open).await;
        }
        let mut retry = Retry::default();
        loop {
            if let State::Ended(outcome) = open.state {
                let outcome = unless_nobody_could(outcome, open.posted_at.is_some(), open.trouble);
                open.progress.awaited_text =
                    outcome.rejection().is_some_and(|(_, source)| source == ReasonSource::Timeout);
                let times = open.answered_at.zip(open.posted_at);
                let answered_after = times.map(|(answered, posted)| answered.saturating_sub(posted));
                let Open { progress, presses, copies, .. } = open;
                return Asked { outcome, answered_after, progress, presses, copies };
            }
            self.look(&mut open, &mut retry).await;
        }
    }

    /// Retires what dead processes left, now that this request's own card is up.
    async fn clean_up(&mut self, open: &mut Open<'_, '_>) {
        let wake = self.at(open.state.wakes_at(open.ask.rules));
        match open.stop.race(self.retire_orphans(), wake).await {
            First::Done(()) => {}
            First::Stopped(resolver) => self.feed(open, flow::Event::Elsewhere(resolver)).await,
            First::Woke => self.feed(open, flow::Event::Tick).await,
        }
    }

    /// Posts the cards of the request. With less text when the messenger finds it too much after all.
    async fn post(&mut self, open: &mut Open<'_, '_>) {
        self.save(open, Stage::Posting);
        let mut budget = self.style.limits.text;
        let posted = 'fitting: loop {
            let cards = match card::ask(open.ask.subject, open.ask.tag, self.style, budget) {
                Ok(cards) => cards,
                Err(error) => break Err(Failure::Fatal(error.to_string())),
            };
            let mut last = Err(Failure::Fatal("show anything".to_owned()));
            for card in &cards {
                last = self.post_card(open, card).await;
                match &last {
                    Ok(_) => {}
                    Err(Failure::TooLarge) if budget > 400 => {
                        budget /= 2;
                        continue 'fitting;
                    }
                    Err(_) => break,
                }
            }
            break last;
        };
        match posted {
            Ok(message) => {
                open.progress.card = Some(message);
                open.posted_at = Some(self.now());
                self.save(open, Stage::Waiting);
            }
            Err(Failure::Ended) => {}
            Err(Failure::TooLarge) => self.feed(open, flow::Event::Failed(ProviderError::TooLarge.to_string())).await,
            Err(Failure::Fatal(why)) => self.feed(open, flow::Event::Failed(why)).await,
        }
    }

    /// Posts one card, again and again where that can help, until it is up or the request has ended.
    async fn post_card(&mut self, open: &mut Open<'_, '_>, card: &Card) -> Result<MessageRef, Failure> {
        let mut retry = Retry::default();
        loop {
            let wake = self.at(open.state.wakes_at(open.ask.rules));
            let within = CALL.min(wake.saturating_duration_since(Instant::now()));
            let (first, late) = {
                let mut posting = std::pin::pin!(self.messenger.post(&self.chat, card, within));
                let first = open.stop.race(&mut posting, wake).await;
                let late = match first {
                    First::Done(_) => None,
                    _ => tokio::time::timeout(LAST_POST, posting).await.ok().and_then(Result::ok),
                };
                (first, late)
            };
            if let Some(message) = late.filter(|_| !card.choices.is_empty() || card.wants_text) {
                open.note_posted(message);
            }
            let tried = match first {
                First::Done(tried) => tried,
                First::Stopped(resolver) => return self.end_early(open, flow::Event::Elsewhere(resolver)).await,
                First::Woke => return self.end_early(open, flow::Event::Tick).await,
            };
            match tried {
                Ok(message) => return Ok(message),
                Err(ProviderError::TooLarge) => return Err(Failure::TooLarge),
                Err(error) => match retry.after(&error) {
                    Some(wait) => {
                        open.trouble = Some(error.to_string());
                        self.pause(open, wait).await?;
                    }
                    None => return Err(Failure::Fatal(error.to_string())),
                },
            }
        }
    }

    async fn end_early<T>(&mut self, open: &mut Open<'_, '_>, event: flow::Event) -> Result<T, Failure> {
        self.feed(open, event).await;
        Err(Failure::Ended)
    }

    /// Waits; an end of the request cuts it short.
    async fn pause(&mut self, open: &mut Open<'_, '_>, wait: Duration) -> Result<(), Failure> {
        let wake = self.at(open.state.wakes_at(open.ask.rules));
        let event = match open.stop.race(tokio::time::sleep(wait), wake).await {
            First::Done(()) => return Ok(()),
            First::Stopped(resolver) => flow::Event::Elsewhere(resolver),
            First::Woke => flow::Event::Tick,
        };
        self.feed(open, event).await;
        if open.state.outcome().is_some() { Err(Failure::Ended) } else { Ok(()) }
    }

    /// One look for events, and what follows from it.
    async fn look(&mut self, open: &mut Open<'_, '_>, retry: &mut Retry) {
        let wakes_at = open.state.wakes_at(open.ask.rules);
        if self.now() >= wakes_at {
            return self.feed(open, flow::Event::Tick).await;
        }
        let wake = self.at(wakes_at);
        let wait = LOOK.min(wake.saturating_duration_since(Instant::now()));
        let watching = self.watching(open);
        let looked_at = Instant::now();
        let looking = self.messenger.receive(&self.cursor, &watching, wait, wait + LOOK_SLACK);
        match open.stop.race(looking, wake).await {
            First::Done(Ok(batch)) => {
                retry.reset();
                (open.first, open.trouble) = (false, None);
                let idle = batch.events.is_empty() && looked_at.elapsed() < SHORT_LOOK;
                self.take(open, batch).await;
                let interval = Duration::from_millis(u64::from(self.messenger.manifest().poll_interval));
                let pause = if idle { interval.max(SHORT_LOOK) } else { interval };
                if open.state.outcome().is_none() && !pause.is_zero() {
                    let _ = self.pause(open, pause).await;
                }
            }
            First::Done(Err(error)) => match retry.after(&error) {
                Some(wait) => {
                    open.trouble = Some(error.to_string());
                    let _ = self.pause(open, wait).await;
                }
                None => self.feed(open, flow::Event::Failed(error.to_string())).await,
            },
            First::Stopped(resolver) => self.feed(open, flow::Event::Elsewhere(resolver)).await,
            First::Woke => self.feed(open, flow::Event::Tick).await,
        }
    }

    /// The request's own messages; in the first look also cards of the past, whose late input is told once.
    fn watching(&self, open: &Open<'_, '_>) -> Vec<Watch> {
        let choices = card::choices(self.style.lang, open.ask.rules.offers_session);
        let card = open.progress.card.clone().map(|message| Watch { message, choices, text: false });
        let prompt = open.progress.prompt.clone().map(|message| Watch { message, choices: Vec::new(), text: true });
        let recent = if open.first { self.ledger.recent() } else { Vec::new() };
        card.into_iter().chain(prompt).chain(recent).collect()
    }

    async fn take(&mut self, open: &mut Open<'_, '_>, batch: Batch) {
        for event in deny_first(batch.events) {
            match event {
                Event::Chosen(press) => self.pressed(open, press).await,
                Event::Said(said) => {
                    let awaited =
                        matches!(&open.state, State::WaitingReason { denier, .. } if denier.id() == said.user.id);
                    if awaited && said.message.chat == self.chat.id {
                        let said = flow::Event::Said { user: said.user, message: said.message, text: said.text };
                        self.feed(open, said).await;
                    } else {
                        self.tell_late(&Event::Said(said)).await;
                    }
                }
            }
        }
        if batch.cursor != self.cursor {
            self.ledger.keep_cursor(&batch.cursor);
            self.cursor = batch.cursor;
        }
    }

    async fn pressed(&mut self, open: &mut Open<'_, '_>, press: Chosen) {
        let known = standing(&press);
        if known.as_ref().is_some_and(|key| self.seen.contains(key)) {
            return;
        }
        let messages = [open.progress.card.as_ref(), open.progress.prompt.as_ref()];
        let ours =
            press.message.chat == self.chat.id && is_on(&press, messages, [open.ask.tag, &prompt_tag(open.ask.tag)]);
        if let Some(key) = known {
            if ours {
                open.progress.seen.push(key.clone());
            }
            self.seen.insert(key);
        }
        if !ours {
            return self.tell_late(&Event::Chosen(press)).await;
        }
        let is_card = press.tag.as_deref() == Some(open.ask.tag);
        if is_card && open.progress.card.as_ref().is_some_and(|card| *card != press.message) {
            open.copies.push(press.message.clone());
        }
        let event = flow::Event::Chosen { choice: press.choice.clone(), user: press.user.clone() };
        self.step(open, event, Some(press)).await;
    }

    async fn feed(&mut self, open: &mut Open<'_, '_>, event: flow::Event) {
        self.step(open, event, None).await;
    }

    /// One step of the flow, and its effects; a failed effect is an event again.
    async fn step(&mut self, open: &mut Open<'_, '_>, event: flow::Event, press: Option<Chosen>) {
        let now = self.now();
        let state = std::mem::replace(&mut open.state, State::WaitingDecision);
        let undecided = state == State::WaitingDecision;
        let (state, effects) = flow::step(state, event, open.ask.rules, now);
        open.state = state;
        if undecided && press.is_some() && open.state != State::WaitingDecision {
            open.answered_at = Some(now);
        }
        let ended = open.state.outcome().is_some();
        for effect in effects {
            match (effect, &press) {
                // Once the request has ended, handing over the decision comes before any word to anybody.
                (Effect::Tell(notice), Some(press)) if ended || notice == Notice::Taken => {
                    open.presses.push((press.clone(), notice));
                }
                (Effect::Tell(notice), Some(press)) => self.acknowledge(press, notice).await,
                (Effect::Tell(notice), None) => self.say(notice, open.progress.prompt.clone()).await,
                (Effect::AskReason { until }, _) => Box::pin(self.ask_reason(open, until)).await,
                (Effect::End(_), _) => {}
            }
        }
    }

    async fn ask_reason(&mut self, open: &mut Open<'_, '_>, until: Millis) {
        if let State::WaitingReason { denier, .. } = &open.state {
            open.progress.denier = Some(denier.id().to_owned());
        }
        self.save(open, Stage::Reason);
        // The time that the seed's text names is the configured one, unless the deadline leaves less.
        let limit = until.saturating_sub(self.now());
        let limit = if until < open.ask.rules.deadline { open.ask.rules.reason_timeout } else { limit };
        let keyword = open.ask.rules.reason.skip_keywords.first().map_or("", String::as_str);
        let prompt = card::prompt(self.style, &prompt_tag(open.ask.tag), limit, keyword, open.progress.card.clone());
        match self.post_card(open, &prompt).await {
            Ok(message) => {
                open.progress.prompt = Some(message.clone());
                self.save(open, Stage::Reason);
                self.feed(open, flow::Event::PromptPosted(message)).await;
            }
            Err(Failure::Ended) => {}
            Err(Failure::TooLarge | Failure::Fatal(_)) => self.feed(open, flow::Event::ReasonFailed).await,
        }
        let presses = std::mem::take(&mut open.presses);
        self.acknowledge_all(presses).await;
    }

    fn save(&mut self, open: &mut Open<'_, '_>, stage: Stage) {
        open.progress.stage = stage;
        self.ledger.save(&open.progress);
    }
}

/// Where the deadline found no card in the chat, or nobody's answer could have reached us, that is what went wrong.
fn unless_nobody_could(outcome: Outcome, posted: bool, trouble: Option<String>) -> Outcome {
    match outcome {
        Outcome::Expired(ExpiredCause::Nobody) if !posted || trouble.is_some() => {
            let why = trouble.unwrap_or_else(|| ProviderError::Deadline.to_string());
            Outcome::Expired(ExpiredCause::Failed(why))
        }
        outcome => outcome,
    }
}

/// A request while it is open.
struct Open<'a, 's> {
    ask: &'a Ask<'a>,
    progress: Progress,
    state: State,
    presses: Vec<(Chosen, Notice)>,
    copies: Vec<MessageRef>,
    stop: Stop<'s>,
    /// Before the first look.
    first: bool,
    /// Why nothing gets through to the messenger at present.
    trouble: Option<String>,
    posted_at: Option<Millis>,
    answered_at: Option<Millis>,
}

impl Open<'_, '_> {
    /// A message that appeared just when the request ended: noted, so that it is retired.
    fn note_posted(&mut self, message: MessageRef) {
        match self.state {
            State::WaitingReason { .. } => self.progress.prompt = Some(message),
            _ => self.progress.card = Some(message),
        }
    }
}

/// Why a card is not up.
enum Failure {
    /// The request has ended meanwhile.
    Ended,
    /// The messenger finds it too large.
    TooLarge,
    /// Trying again cannot help.
    Fatal(String),
}
