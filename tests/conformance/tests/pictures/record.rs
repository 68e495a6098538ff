//! Records what a component sends while a scene is played.

use std::cell::RefCell;
use std::time::Duration;

use dmplz_conformance::{Bench, JIN, LIMIT, MINA, Person, Platform, SOON, watch};
use dmplz_core::card::{Asking, Ended, GrantEnd, Style, answer_prompt, ask, ended, late, notice, prompt, with_form};
use dmplz_core::flow::{Form, Notice, choice};
use dmplz_core::messenger::{Card, Choice, Chosen, Event, MessageRef, OpenChat, ProviderError};
use dmplz_core::request::{ApprovalScope, Outcome};
use dmplz_core::text::Lang;
use dmplz_plugin::Provider;
use serde_json::{Value, json};

use crate::scenes::{ID, KEYWORD, REASON_MS, Request, Scene, Step, TAG, WHEN};
use crate::tidy::tidy;

/// Requests that show nothing.
const SILENT: &[&str] = &["GET", "get", "WebSocket", "POST /users/@me/channels"];
/// The time of a poll for a press.
const LOOK: Duration = Duration::from_millis(200);
/// `MODAL` among Discord's responses to a press.
const FORM: u64 = 9;

/// A scene on its stage.
struct Stage<'a, P> {
    it: &'a Bench<P>,
    provider: Provider,
    chat: OpenChat,
    style: Style,
    request: Request,
    /// Messages of the bot with what can be pressed on them, oldest first. The first is the card.
    posted: Vec<(MessageRef, Vec<Choice>)>,
    ended: Option<Ended>,
    /// The press that opened a form, while it is open.
    form: Option<String>,
    /// The cursor of the next poll.
    cursor: RefCell<String>,
}

/// Records the requests of a scene, in order.
pub(crate) async fn record<P: Platform>(scene: &Scene, lang: Lang) -> Vec<Value> {
    let it = Bench::<P>::start().await;
    let provider = it.connect(it.account()).await.unwrap();
    let shared = scene.steps.iter().any(|step| matches!(step, Step::Intrude(_)));
    let chat = if shared { it.platform.group() } else { it.platform.private(JIN) };
    let chat = provider.open(&chat, SOON).await.unwrap();
    let style = Style { lang, answering: provider.transport().answering, limits: provider.transport().limits };
    let request = Request::of(scene, lang);
    let mut stage = Stage {
        it: &it,
        provider,
        chat,
        style,
        request,
        posted: Vec::new(),
        ended: None,
        form: None,
        cursor: RefCell::default(),
    };
    let mut sent = Vec::new();
    for step in scene.steps {
        let from = it.platform.wire().calls().len();
        let said = tokio::time::timeout(LIMIT, stage.play(step)).await.expect("an end");
        let calls = it.platform.wire().calls().split_off(from);
        let is_shown = |name: &str, with: &Value| {
            !SILENT.iter().any(|silent| name.starts_with(silent))
                && (name != "answerCallbackQuery" || with["text"].is_string())
        };
        let shows = calls.iter().filter(|call| is_shown(&call.name, &call.params));
        let shows = shows.map(|call| json!({ "does": call.name, "path": call.path, "with": call.params }));
        sent.extend(said.into_iter().chain(shows));
    }
    let chat = stage.chat.id.clone();
    let messages: Vec<String> = it.platform.shown(&chat).into_iter().map(|shown| shown.id).collect();
    it.finish();
    sent.into_iter().map(|request| tidy(request, &messages)).collect()
}

impl<P: Platform> Stage<'_, P> {
    /// Plays one step. Returns what a person says in it.
    async fn play(&mut self, step: &Step) -> Option<Value> {
        match step {
            Step::Ask(form) => {
                let form = form(self.style.lang).fitting(&self.request.offer);
                let first = self.posted.is_empty();
                let mut budget = self.style.limits.text;
                while !self.ask(&form, budget, first).await {
                    budget /= 2;
                }
            }
            Step::Press(pick) => drop(self.press(pick, JIN).await),
            // The words are written into the form that is open.
            Step::Prompt(_) | Step::Words(_) if self.form.is_some() => {}
            Step::Prompt(wanted) => {
                let card = prompt(self.style, "Prompt", *wanted, REASON_MS, KEYWORD, Some(self.card()));
                let card = if P::READS_CHAT { card } else { with_form(card, *wanted, self.style) };
                self.post(&card).await;
            }
            Step::Words(question) => {
                let question = &self.request.offer.questions[*question].question;
                let card = answer_prompt(self.style, "Words", question, Some(self.card()));
                self.post(&card).await;
            }
            Step::Say(text) => return Some(self.say(text(self.style.lang)).await),
            Step::Late => {
                let card = notice(&late(self.style.lang, ID), "Notice", Some(self.card()));
                self.post(&card).await;
            }
            Step::Intrude(pick) => {
                let press = self.press(pick, MINA).await.unwrap();
                let told = Notice::NotAllowed.text(self.style.lang);
                self.provider.acknowledge(&press, told, SOON).await.unwrap();
            }
            Step::End(outcome) => self.end(&outcome(self.style.lang)).await,
            Step::Revoke => {
                let press = self.press(choice::REVOKE, JIN).await.unwrap();
                let told = self.style.lang.words().revoked;
                self.provider.acknowledge(&press, Some(told), SOON).await.unwrap();
                let over = self.ended.take().unwrap().without_grant(Some(JIN.name), WHEN, self.style.lang);
                self.show(over).await;
            }
        }
        None
    }

    /// Shows the card with about `budget` units. Returns whether the messenger accepted it.
    async fn ask(&mut self, form: &Form, budget: usize, first: bool) -> bool {
        let asking = Asking { subject: &self.request.subject, offer: &self.request.offer, form, tag: TAG };
        let cards = ask(asking, self.style, budget).unwrap();
        if !first {
            self.revise(cards.last().unwrap()).await;
            return true;
        }
        for card in &cards {
            match self.provider.post(&self.chat, card, SOON).await {
                Ok(message) => self.posted.push((message, card.choices.clone())),
                Err(ProviderError::TooLarge) => return false,
                Err(error) => panic!("{error}"),
            }
        }
        // What came before the card belongs to it, and has no choices.
        self.posted.retain(|(_, choices)| !choices.is_empty());
        true
    }

    async fn end(&mut self, outcome: &Outcome) {
        let lang = self.style.lang;
        let ending = Ended::of(outcome, false, WHEN, lang).storing(outcome, &self.request.offer, lang);
        let is_grant = matches!(outcome, Outcome::Approved { scope: ApprovalScope::Granted { .. }, .. });
        self.show(if is_grant { ending.with_grant(GrantEnd::Revocable, lang) } else { ending }).await;
    }

    async fn show(&mut self, ending: Ended) {
        let card = ended(&self.request.subject, &ending, TAG, self.style, self.style.limits.text);
        self.ended = Some(ending);
        self.revise(&card).await;
    }

    async fn say(&mut self, text: &str) -> Value {
        if let Some(press) = self.form.take() {
            assert!(self.it.platform.fill(&press, text).await.is_some(), "a form is open");
            self.look(|_| false).await.unwrap();
            return json!({ "says": JIN.name, "text": text, "in": "form" });
        }
        let to = self.posted.last().unwrap().0.clone();
        self.it.platform.reply(&to, JIN, text);
        json!({ "says": JIN.name, "text": text, "to": to.id })
    }

    /// Plays a press, if that can be pressed. Returns the component's event, which is missing while a form is open.
    async fn press(&mut self, pick: &str, by: Person) -> Option<Chosen> {
        let offers = |choices: &[Choice]| choices.iter().find(|choice| choice.id == pick).cloned();
        let found = self.posted.iter().rev().find_map(|(message, choices)| Some((message, offers(choices)?)));
        let (message, choice) = found?;
        let from = self.it.platform.wire().calls().len();
        let people = async {
            // Waits until the bot receives events.
            self.it.platform.heard().await;
            self.it.platform.press(message, &choice, by)
        };
        let opened = |press: &Stage<'_, P>| {
            press.it.platform.wire().calls()[from..].iter().any(|call| call.params["type"] == FORM)
        };
        let (press, chosen) = tokio::join!(people, self.look(opened));
        if chosen.is_none() {
            self.form = Some(press);
        }
        chosen
    }

    /// Polls until a choice was received, or `enough` is true.
    async fn look(&self, enough: impl Fn(&Self) -> bool) -> Option<Chosen> {
        let watching: Vec<_> = self
            .posted
            .iter()
            .map(|(message, choices)| {
                watch(message, &Card { choices: choices.clone(), ..dmplz_conformance::blank("") }, true)
            })
            .collect();
        while !enough(self) {
            let cursor = self.cursor.borrow().clone();
            let batch = self.provider.receive(&cursor, &watching, LOOK, SOON).await.unwrap();
            self.cursor.replace(batch.cursor);
            for event in batch.events {
                if let Event::Chosen(press) = event {
                    return Some(press);
                }
            }
        }
        None
    }

    fn card(&self) -> MessageRef {
        self.posted.first().unwrap().0.clone()
    }

    async fn post(&mut self, card: &Card) {
        let message = self.provider.post(&self.chat, card, SOON).await.unwrap();
        self.posted.push((message, card.choices.clone()));
    }

    async fn revise(&mut self, card: &Card) {
        let (message, choices) = self.posted.first_mut().unwrap();
        self.provider.revise(message, card, SOON).await.unwrap();
        choices.clone_from(&card.choices);
    }
}
