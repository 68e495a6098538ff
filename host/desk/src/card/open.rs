//! An open request, and the input that people give to it.

use std::pin::pin;
use std::rc::Rc;

use dmplz_core::card::{self, Ended, Subject};
use dmplz_core::flow::{self, Effect, Millis, Notice, Now, Rules, State};
use dmplz_core::messenger::{self, Chosen, MessageRef, ProviderError, Said, User};
use dmplz_core::request::{Life, Outcome, Trouble};
use dmplz_core::text::fill;
use dmplz_core::visible::visible_line;
use dmplz_state::Stage;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use crate::card::drawing::{Drawing, Work};
use crate::ledger::press::{denies, must_be_told, prompt_tag, standing};
use crate::ledger::{Ledger, Progress, Saved};
use crate::session::chat::{ChatSession, Receipt};
use crate::session::messenger::Messenger;
use crate::session::notices_sent::News;
use crate::session::owner::{Owner, Verdict};
use crate::session::present::Input;
use crate::session::race::{First, Stop};
use crate::session::retry::Retry;

/// The most texts that are kept while their prompt is being posted.
const EARLY: usize = 16;

/// A request to ask.
#[derive(Debug)]
pub struct Ask<'a> {
    /// The full subject of the request.
    pub subject: &'a Subject,
    /// The tag that the card and each of its buttons carry.
    pub tag: &'a str,
    /// The rules of the request's flow.
    pub rules: &'a Rules,
}

/// Why a card could not be posted.
pub(crate) enum Failure {
    /// The request has ended meanwhile, or its time is over.
    Ended,
    /// The card is too large for the messenger.
    TooLarge,
    /// Trying again cannot help.
    Fatal(Trouble),
}

enum Either<T> {
    Thing(T),
    Drawn(Box<Work>, Result<Option<MessageRef>, ProviderError>),
}

/// An open request.
pub(crate) struct Open<'a, M, L, O> {
    pub(crate) session: &'a Rc<ChatSession<M, L>>,
    pub(crate) owner: &'a O,
    /// The owner's id of the request.
    pub(crate) id: &'a str,
    pub(crate) ask: &'a Ask<'a>,
    pub(crate) progress: Progress,
    pub(crate) state: State,
    /// The id of the chat or thread where its card is posted.
    pub(crate) place: String,
    /// Presses that are not acknowledged yet, each with its notice.
    pub(crate) presses: Vec<(Chosen, Option<String>)>,
    /// Copies of the card that only a press revealed: the messenger's reply to their posting was lost, or went to a
    /// dead process.
    pub(crate) copies: Vec<MessageRef>,
    pub(crate) stop: Stop<'a>,
    /// Why the messenger cannot be used at present.
    pub(crate) trouble: Option<ProviderError>,
    /// Whether something of this request may have reached the messenger, so that a person may see its card.
    pub(crate) may_be_seen: bool,
    /// The number of polls that found another program receiving this bot's events.
    pub(crate) conflicts: u32,
    pub(crate) posted_at: Option<Millis>,
    pub(crate) answered_at: Option<Millis>,
    /// Input that arrives while the card is being posted. `None` if nobody supplies it, and once the card is posted.
    pub(crate) inbox: Option<mpsc::Receiver<Input>>,
    /// Dropped once the user's input is recorded.
    pub(crate) handled: Option<oneshot::Sender<()>>,
    /// The revisions of the card, which run beside everything else.
    pub(crate) drawing: Drawing,
    /// Texts that arrived while their prompt is being posted. Whether they count depends on the prompt's position.
    pub(crate) early: Vec<Said>,
}

impl<'a, M: Messenger + 'static, L: Ledger + 'static, O: Owner> Open<'a, M, L, O> {
    pub(crate) fn new(
        session: &'a Rc<ChatSession<M, L>>,
        owner: &'a O,
        id: &'a str,
        ask: &'a Ask<'a>,
        stop: Stop<'a>,
    ) -> Self {
        Self {
            session,
            owner,
            id,
            ask,
            progress: Progress::new(ask.tag, ask.subject.brief(session.style.limits.text)),
            state: State::waiting(),
            place: session.chat.id.clone(),
            presses: Vec::new(),
            copies: Vec::new(),
            stop,
            trouble: None,
            may_be_seen: false,
            conflicts: 0,
            posted_at: None,
            answered_at: None,
            inbox: None,
            handled: None,
            drawing: Drawing::new(session.style.limits.text, Retry::of(O::SHARED)),
            early: Vec::new(),
        }
    }

    /// Waits for `thing`, as [`Stop::race`] does, while revisions of the card go on.
    pub(crate) async fn race<T>(&mut self, thing: impl Future<Output = T>, until: Instant) -> First<T> {
        let mut thing = pin!(thing);
        loop {
            self.go_on();
            let Self { stop, drawing, .. } = self;
            let either = async {
                tokio::select! {
                    biased;
                    done = thing.as_mut() => Either::Thing(done),
                    (work, result) = drawing.done() => Either::Drawn(Box::new(work), result),
                }
            };
            match stop.race(either, until).await {
                First::Done(Either::Thing(done)) => return First::Done(done),
                First::Done(Either::Drawn(work, result)) => self.drawn(*work, result).await,
                First::Stopped(resolver) => return First::Stopped(resolver),
                First::Woke => return First::Woke,
            }
        }
    }

    /// Takes the chat in place of the thread, which is gone with all that was posted there. Returns whether the card has
    /// to be posted again, because it may still be answered.
    pub(crate) fn move_to_chat(&mut self) -> bool {
        self.place.clone_from(&self.session.chat.id);
        self.progress.lose_messages();
        self.copies.clear();
        self.state.prompt = None;
        self.save(self.progress.stage);
        self.state.is_undecided()
    }

    /// Returns whether a press is on the request's card or prompt.
    pub(crate) fn is_ours(&self, press: &Chosen) -> bool {
        self.is_here(&press.message) && self.progress.is_pressed(press)
    }

    /// Returns whether a message stands where those of the request do.
    fn is_here(&self, message: &MessageRef) -> bool {
        message.chat == self.place || message.chat == self.session.chat.id
    }

    /// Returns whether a text in the chat may be the one that the request waits for.
    pub(crate) fn awaits(&self, said: &Said) -> bool {
        let is_of_writer = self.state.awaits_words_of() == Some(&said.user.id);
        is_of_writer && said.message.chat == self.place && !said.has_only_files()
    }

    /// Handles an input that may concern the request.
    pub(crate) async fn take(&mut self, input: Input) {
        self.handled = Some(input.done);
        match input.event {
            // A press in another chat is none, whatever tag it carries. A denial stands: its thread may be gone.
            messenger::Event::Chosen(press) if self.is_here(&press.message) || denies(&press) => {
                self.pressed(press).await;
            }
            messenger::Event::Said(said) if self.awaits(&said) => self.said(said).await,
            event => drop(self.session.tell_late(&event)),
        }
        self.handled = None;
    }

    /// Handles a text that the request may wait for.
    pub(crate) async fn said(&mut self, said: Said) {
        let is_prompted = self.state.form.writer.as_ref().is_none_or(|writer| writer.prompt.is_some());
        if self.state.is_undecided() && !is_prompted {
            if self.early.len() < EARLY {
                self.early.push(said);
            }
            return;
        }
        self.feed(flow::Event::Said { user: said.user, message: said.message, text: said.text }).await;
    }

    /// Handles a press on the card or the prompt. A reaction counts once while it is set.
    pub(crate) async fn pressed(&mut self, press: Chosen) {
        if let Some(key) = standing(&press) {
            if !self.session.see(&key) {
                return;
            }
            self.progress.see(key, self.ask.rules.approvers.admit(&press.user).is_none());
        }
        let tells_message = press.message.is_known() && self.is_here(&press.message);
        if tells_message && press.tag.as_deref() == Some(self.ask.tag) {
            self.is_at(&press.message);
        }
        let event =
            flow::Event::Chosen { choice: press.choice.clone(), user: press.user.clone(), text: press.text.clone() };
        self.step(event, Some(press)).await;
    }

    /// Notes the message that a press revealed as the card, or as a copy of it.
    fn is_at(&mut self, message: &MessageRef) {
        match &self.progress.card {
            None => {
                self.card_is_up(message.clone());
                self.save(self.progress.stage);
            }
            Some(card) if card != message && !self.copies.contains(message) => self.copies.push(message.clone()),
            Some(_) => {}
        }
    }

    pub(crate) async fn feed(&mut self, event: flow::Event) {
        self.step(event, None).await;
    }

    /// Applies one event to the flow if the owner accepts it, and carries out its effects. A failed effect is a new
    /// event.
    async fn step(&mut self, event: flow::Event, press: Option<Chosen>) {
        let now = Now { at: self.session.now(), wall_ms: self.session.ledger.borrow().now_ms() };
        let (person, words) = match &event {
            flow::Event::Chosen { user, .. } => (Some(user.clone()), None),
            flow::Event::Said { user, message, .. } => (Some(user.clone()), Some(message.clone())),
            _ => (None, None),
        };
        // The owner of several surfaces ends a request whose time is over. Until it says so, a denial counts.
        let may_expire = !O::SHARED || !self.state.is_undecided() || matches!(event, flow::Event::Elsewhere(_));
        let (state, effects) = flow::step(self.state.clone(), event, self.ask.rules, now);
        if !may_expire && matches!(state.outcome(), Some(Outcome::Expired(_))) {
            return;
        }
        // Effects of time or failure belong to no person, so the owner is not asked.
        let verdict = match effects.iter().find_map(Effect::command) {
            Some(command) => self.owner.carry_out(self.id, command).await,
            None => Verdict::COUNTS,
        };
        if !verdict.counts {
            self.handled = None;
            let told = verdict.told.filter(|_| self.is_news(person.as_ref(), verdict.news));
            return self.tell(press.as_ref(), words, told);
        }
        let undecided = self.state.is_undecided();
        self.state = state;
        let mut receipt = self.keep_form();
        if undecided && press.is_some() && !self.state.is_undecided() {
            self.answered_at = Some(now.at);
        }
        let ended = self.state.outcome().is_some();
        for effect in effects {
            match (effect, &press) {
                // Once the request has ended, its decision is delivered before any notice is sent.
                (Effect::Tell(notice), Some(press)) if ended && !O::SHARED => {
                    self.presses.push((press.clone(), self.word(notice, press)));
                }
                (Effect::Tell(notice), Some(press)) => {
                    let told = verdict.told.clone().or_else(|| self.word(notice, press));
                    self.session.acknowledge_kept(press.clone(), told, receipt.take());
                }
                (Effect::Tell(notice), None) => self.session.say(notice, self.progress.prompt.clone()),
                (Effect::Show, _) => self.drawing.wanted = true,
                (Effect::AskWords, _) => self.drawing.words = true,
                // If the card is still being posted, the code that posts it asks for the reason afterwards.
                (Effect::AskReason { until }, _) if self.inbox.is_none() => Box::pin(self.ask_reason(until)).await,
                (Effect::AskReason { .. } | Effect::Command(_), _) => {}
            }
        }
        if let Some(receipt) = receipt.filter(|_| O::SHARED) {
            tokio::task::spawn_local(receipt.wait());
        }
        if press.is_none() && verdict.told.is_some() {
            self.tell(None, words, verdict.told);
        }
    }

    /// Stores the form if it changed. The input counts as handled once it is stored.
    fn keep_form(&mut self) -> Option<Receipt> {
        let handled = self.handled.take();
        if !self.state.is_undecided() || self.state.form == self.progress.view.form {
            return None;
        }
        self.progress.view.form.clone_from(&self.state.form);
        let saved = self.save(self.progress.stage);
        Some(Receipt { saved, _handled: handled })
    }

    fn tell(&self, press: Option<&Chosen>, words: Option<MessageRef>, told: Option<String>) {
        match (press, told) {
            (Some(press), told) => self.session.acknowledge(press.clone(), told),
            (None, Some(told)) => self.session.post_line(told, words),
            (None, None) => {}
        }
    }

    /// Returns whether this news is new to a person. A notice without a kind is sent each time.
    fn is_news(&self, person: Option<&User>, news: Option<News>) -> bool {
        person.zip(news).is_none_or(|(person, news)| self.session.is_news(self.ask.tag, person, news))
    }

    /// Returns the notice for a user who pressed. `None` if it is not new to that user.
    fn word(&self, notice: Notice, press: &Chosen) -> Option<String> {
        let news = match (notice, &self.state.life) {
            (Notice::Outdated, _) => Some(News::Outdated),
            (Notice::AlreadyAnswered, Life::Denied(_)) => Some(News::Denied),
            (Notice::AlreadyAnswered | Notice::Expired, _) => Some(News::Over),
            _ => None,
        };
        let is_told = self.is_news(Some(&press.user), news) || must_be_told(press);
        is_told.then(|| self.words(notice)).flatten()
    }

    /// Returns the text of a notice. If the request was answered before, it names the person who did, if they are known
    /// here.
    fn words(&self, notice: Notice) -> Option<String> {
        let lang = self.session.style.lang;
        match (notice, &self.state.life) {
            (Notice::AlreadyAnswered, Life::Denied(denial)) => {
                Some(fill(lang.words().denied_by, &[&visible_line(denial.by.name())]))
            }
            (Notice::AlreadyAnswered, Life::Ended(outcome)) if outcome.by().is_some() => {
                let now = self.session.ledger.borrow().time_of_day();
                Some(card::late_ended(lang, &Ended::of(outcome, false, &now, lang), self.ask.subject))
            }
            _ => notice.text(lang).map(str::to_owned),
        }
    }

    /// Posts the prompt that asks the denier for a reason.
    pub(crate) async fn ask_reason(&mut self, until: Millis) {
        if let Life::Denied(denial) = &self.state.life {
            self.progress.denier = Some(denial.by.id().to_owned());
            self.progress.view.instead = denial.instead;
        }
        self.save(Stage::Reason);
        // The prompt names the configured limit, unless the deadline leaves less.
        let limit = until.saturating_sub(self.session.now());
        let limit = if until < self.ask.rules.deadline { self.ask.rules.reason_timeout } else { limit };
        let keyword = self.ask.rules.reason.skip_keywords.first().map_or("", String::as_str);
        let tag = prompt_tag(self.ask.tag);
        let wanted = card::Wanted::of(&self.ask.rules.offer, self.progress.view.instead);
        let (style, transport) = (self.session.style, self.session.messenger.transport());
        let mut prompt = card::prompt(style, &tag, wanted, limit, keyword, self.progress.card.clone());
        if !transport.reads_chat {
            prompt = card::with_form(prompt, wanted, style);
        }
        self.progress.view.writes.clone_from(&prompt.choices);
        match self.post_card(&prompt).await {
            Ok(message) => {
                self.progress.prompted(message.clone());
                self.save(Stage::Reason);
                self.feed(flow::Event::PromptPosted(message)).await;
            }
            // With other surfaces, the owner still waits for the reason.
            Err(Failure::TooLarge | Failure::Fatal(_)) if !O::SHARED => self.feed(flow::Event::ReasonFailed).await,
            Err(_) => {}
        }
    }

    pub(crate) fn save(&mut self, stage: Stage) -> Saved {
        self.progress.stage = stage;
        let saved = self.session.ledger.borrow_mut().save(&self.progress);
        self.session.present.update(&self.progress);
        saved
    }
}
