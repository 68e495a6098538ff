use std::collections::BTreeSet;
use std::pin::pin;
use std::rc::Rc;
use std::sync::Mutex;
use std::time::{SystemTime, UNIX_EPOCH};

use dmplz_core::approvers::Approvers;
use dmplz_core::card::{self, Ended, Part, Style, Subject};
use dmplz_core::flow::{Form, Rules};
use dmplz_core::messenger::{Answering, ButtonStyle, Chat, Choice, Limits, MessageRef, Users};
use dmplz_core::reason::ReasonRules;
use dmplz_core::request::{Offer, Outcome, Resolver};
use dmplz_core::text::Lang;
use dmplz_desk::{Ask, Clock, Desk, Face, Files, Ledger};
use dmplz_plugin::Provider;
use dmplz_state::{AccountKey, CardRecord, Cards, OpenCard, Stage, StateDir};
use tempfile::TempDir;
use tokio::sync::Notify;
use tokio::time::Instant;

use crate::bench::{Transcript, account, check, host};
use crate::{Doing, Person, Platform, ROBOT, SOON, Shown, WRITE};

/// The most pages of a card.
const PAGES: usize = 12;
/// The keyword that ends a prompt without buttons.
const KEYWORD: &str = "no_reason";

/// A machine with a state directory, which asks one request after the other.
pub struct Office<P> {
    /// The platform that is under test.
    pub platform: P,
    state: TempDir,
    chat: Mutex<String>,
    offer: Mutex<Offer>,
    stop: Notify,
    said: Transcript,
}

/// The parameters of one request.
pub struct Asking<'a> {
    /// The chat in which it asks.
    pub chat: Chat,
    /// Its id and tag.
    pub name: &'a str,
    /// The approvers besides the owner of a private chat.
    pub listed: Vec<String>,
    /// The command that the agent wants to run.
    pub command: String,
    /// The answers that are offered besides yes and no.
    pub offer: Offer,
    /// The milliseconds until the request expires.
    pub deadline: u64,
    /// The milliseconds to wait for a reason.
    pub reason_timeout: u64,
}

impl<'a> Asking<'a> {
    /// Returns a request with ample time.
    pub fn new(chat: &Chat, name: &'a str) -> Self {
        let command = format!("git push origin {name} # _now_");
        let (listed, offer) = (Vec::new(), Offer::plain(true));
        Self { chat: chat.clone(), name, listed, command, offer, deadline: 60_000, reason_timeout: 30_000 }
    }
}

impl<P: Platform> Office<P> {
    /// Creates an empty state directory.
    pub async fn start() -> Self {
        Self {
            platform: P::start().await,
            state: TempDir::new().unwrap(),
            chat: Mutex::default(),
            offer: Mutex::default(),
            stop: Notify::new(),
            said: Transcript::default(),
        }
    }

    /// Asks while `people` acts, and closes the card as the hook does. Returns the outcome.
    pub async fn ask(&self, asking: Asking<'_>, people: impl AsyncFnOnce(&Self, &str)) -> Outcome {
        let record = self.record(&asking);
        let mut desk = self.desk(&asking, record).await;
        let chat = desk.chat().id.clone();
        let ask = async {
            let subject = subject(&asking);
            let rules = rules(&desk, &asking);
            let asked =
                desk.ask(&Ask { subject: &subject, tag: asking.name, rules: &rules }, pin!(self.stopped())).await;
            let outcome = asked.outcome.clone();
            desk.close(asked, Ended::of(&outcome, false, "now", Lang::En), SOON).await;
            outcome
        };
        tokio::join!(ask, people(self, &chat)).0
    }

    /// Asks, and dies as soon as `people` has finished.
    pub async fn die_asking(&self, asking: Asking<'_>, people: impl AsyncFnOnce(&Self, &str)) {
        let record = self.record(&asking);
        let mut desk = self.desk(&asking, record).await;
        let chat = desk.chat().id.clone();
        let subject = subject(&asking);
        let rules = rules(&desk, &asking);
        let ask = Ask { subject: &subject, tag: asking.name, rules: &rules };
        let mut nobody = pin!(self.stopped());
        tokio::select! {
            asked = desk.ask(&ask, nobody.as_mut()) => panic!("it ended: {asked:?}"),
            () = people(self, &chat) => {}
        }
    }

    /// Presses a choice of a card, by the beginning of its label.
    pub fn press_shown(&self, card: &MessageRef, begins: &str, by: Person) -> String {
        let choices = self.shown(card).choices;
        let label = choices.iter().find(|label| label.starts_with(begins));
        let label = label.unwrap_or_else(|| panic!("no {begins} in {choices:?}"));
        self.platform.press(card, &Choice::new("shown", label, ButtonStyle::Secondary), by)
    }

    /// Waits until the newest card of the bot that can be answered has all its choices.
    pub async fn question(&self, chat: &str) -> MessageRef {
        self.page(chat, &Form::default(), "").await
    }

    /// Waits until the newest card of the bot shows this text and all choices of a form, or one page of them if it
    /// shows fewer at once, and a press would be delivered.
    pub async fn page(&self, chat: &str, form: &Form, text: &str) -> MessageRef {
        let is_it = |shown: &Shown| shown.text.contains(text) && self.turned_up(form, shown).is_some();
        let page = self.card(chat, is_it).await;
        self.platform.heard().await;
        page
    }

    /// Returns the choices that a card shows for a form; `None` if it shows others.
    fn turned_up(&self, form: &Form, shown: &Shown) -> Option<Vec<Choice>> {
        let seen = BTreeSet::from_iter(shown.choices.iter().cloned());
        let page = |page| self.choices(&Form { page, ..form.clone() });
        (0..PAGES).map(page).find(|choices| choices.iter().map(P::face).collect::<BTreeSet<_>>() == seen)
    }

    /// Returns the offer of the last request.
    pub fn choices(&self, form: &Form) -> Vec<Choice> {
        let limits = Limits { text: usize::MAX, choices: P::CHOICES, attachment: 0, notice: 0 };
        let style = Style { lang: Lang::En, answering: P::ANSWERING, limits };
        let offer = self.offer.lock().unwrap();
        card::choices(style, &offer, &form.clone().fitting(&offer))
    }

    /// Waits for a message that replies to a card.
    pub async fn follower(&self, of: &MessageRef) -> MessageRef {
        // If messages cannot reply, it is the next message.
        let follows = |shown: &Shown| match P::HAS_REPLIES {
            true => shown.reply_to.as_ref() == Some(&of.id),
            false => shown.sequence > of.sequence,
        };
        self.card(&of.chat, follows).await
    }

    /// Waits for the prompt for a reason.
    pub async fn prompt(&self, chat: &str) -> MessageRef {
        self.card(chat, |shown| shown.text.starts_with("Please write why you deny it")).await
    }

    /// Waits for a message of the bot, and returns the newest one.
    pub async fn card(&self, chat: &str, wanted: impl Fn(&Shown) -> bool) -> MessageRef {
        let is_it = |shown: &&Shown| shown.by_bot && wanted(shown);
        let found = self.platform.await_shown(chat, |shown| shown.iter().rfind(is_it).map(|it| it.place(chat))).await;
        found.unwrap_or_else(|| panic!("no such card in {:#?}", self.platform.shown(chat)))
    }

    /// Returns a message as people see it.
    pub fn shown(&self, message: &MessageRef) -> Shown {
        self.platform.shown(&message.chat).into_iter().find(|shown| shown.id == message.id).unwrap()
    }

    /// Waits for a poll for events after the last card was posted: by then its place is on disk.
    pub async fn looked(&self, doing: Doing) {
        if P::PERSISTENT {
            return self.attended().await;
        }
        let wire = self.platform.wire();
        let posted = wire.calls().into_iter().rfind(|call| call.name == P::request(Doing::Post)).unwrap().at;
        let looked = wire.await_call(SOON, |call| call.name == P::request(doing) && call.at >= posted).await;
        looked.expect("somebody looks for events");
    }

    /// Waits until a program's press on the newest card was handled.
    async fn attended(&self) {
        let shown = self.platform.shown(&self.chat());
        let card = shown.into_iter().rfind(|shown| shown.by_bot && !shown.choices.is_empty()).unwrap();
        let label = card.choices.iter().find(|label| !label.starts_with(WRITE)).unwrap();
        let on = card.place(&self.chat());
        let press = self.platform.press(&on, &Choice::new("any", label, ButtonStyle::Secondary), ROBOT);
        assert!(self.platform.await_told(&press, &on, "You may not answer this request.").await);
    }

    /// Presses a choice that answers the request.
    pub async fn press(&self, card: &MessageRef, choice: &str, by: Person) -> String {
        self.press_on(card, &Form::default(), choice, by).await
    }

    /// Answers a card that shows a form, or showed it before, turning its pages if it shows fewer choices at once.
    pub async fn press_on(&self, card: &MessageRef, form: &Form, choice: &str, by: Person) -> String {
        let mut shown = self.shown(card);
        for _ in 0..PAGES {
            let choices = self.turned_up(form, &shown).unwrap_or_else(|| self.choices(form));
            let on = shown.place(&card.chat);
            if let Some(found) = choices.iter().find(|it| it.id == choice) {
                return self.platform.press(&on, found, by);
            }
            let more = choices.iter().find(|it| it.id.starts_with("more-"));
            self.platform.press(&on, more.unwrap_or_else(|| panic!("no {choice} in {choices:#?}")), by);
            // Buttons change in their message; reactions come one by one below a message of their own.
            let is_next = |it: &&Shown| {
                let is_other = (it.sequence, &it.choices) != (shown.sequence, &shown.choices);
                it.by_bot && it.sequence >= shown.sequence && is_other && self.turned_up(form, it).is_some()
            };
            let next = self.platform.await_shown(&card.chat, |all| all.iter().rfind(is_next).cloned()).await;
            shown = next.expect("the next page of choices");
        }
        panic!("no {choice} on any page");
    }

    /// Returns the chat of the last request.
    pub fn chat(&self) -> String {
        self.chat.lock().unwrap().clone()
    }

    /// Returns the card of the last request: the newest message that names its tool.
    pub fn last_card(&self) -> MessageRef {
        let shown = self.platform.shown(&self.chat());
        let card = shown.iter().rfind(|shown| shown.by_bot && shown.text.lines().next().unwrap().ends_with("Bash"));
        card.unwrap_or_else(|| panic!("no card in {shown:#?}")).place(&self.chat())
    }

    /// Denies without a reason, in this messenger's way.
    pub async fn skip(&self, prompt: &MessageRef, by: Person) {
        match self.shown(prompt).choices.as_slice() {
            [] => drop(self.platform.say(&prompt.chat, by, KEYWORD)),
            // If texts arrive by a form, the form has a choice of its own before this one.
            [label] | [_, label] => {
                let skip = Choice { emoji: String::new(), ..Choice::new("skip", label, ButtonStyle::Danger) };
                drop(self.platform.press(prompt, &skip, by));
            }
            more => panic!("a prompt with the choices {more:?}"),
        }
    }

    /// Answers the prompt for a reason, in this messenger's way.
    pub async fn give_reason(&self, prompt: &MessageRef, by: Person, text: &str) {
        match P::READS_CHAT {
            true => drop(self.platform.reply(prompt, by, text)),
            false => drop(self.platform.write(prompt, by, text).await),
        }
    }

    /// Checks the invariants at the end, as [`crate::Bench::finish`] does.
    #[track_caller]
    pub fn finish(self) {
        self.platform.wire().assert_clean();
        check(&self.platform, &self.said.lock().unwrap());
    }

    /// Stops the open request, as the client does when it was answered in the terminal.
    pub fn stop(&self) {
        self.stop.notify_one();
    }

    async fn stopped(&self) -> Resolver {
        self.stop.notified().await;
        Resolver::Stopped
    }

    async fn desk(&self, asking: &Asking<'_>, record: OpenCard<Face>) -> Desk<Provider, Files> {
        self.open(asking, self.files(Some(record))).await
    }

    pub(crate) fn files(&self, record: Option<OpenCard<Face>>) -> Files {
        Files::new(&self.state(), &self.account(), record, clock())
    }

    pub(crate) async fn open<L: Ledger>(&self, asking: &Asking<'_>, ledger: L) -> Desk<Provider, L> {
        let component = dmplz_bundled::component(&dmplz_plugin::Engine::new().unwrap(), P::NAME).unwrap().unwrap();
        let provider = Provider::start(&component, account(&self.platform), host(&self.said)).await.unwrap();
        let opened =
            Desk::open(Rc::new(provider), ledger, &asking.chat, Lang::En, Instant::now(), asking.deadline).await;
        let desk = opened.unwrap();
        *self.chat.lock().unwrap() = desk.chat().id.clone();
        *self.offer.lock().unwrap() = asking.offer.clone();
        desk
    }

    fn record(&self, asking: &Asking<'_>) -> OpenCard<Face> {
        let name = asking.name;
        let record = CardRecord {
            request_id: name.to_owned(),
            session_id: "session".to_owned(),
            agent_id: None,
            account: self.account(),
            tag: name.to_owned(),
            tool_name: "Bash".to_owned(),
            input_digest: "digest".to_owned(),
            stage: Stage::Queued,
            card: None,
            prompt: None,
            denier: None,
            created_ms: (clock().now_ms)(),
            ended_ms: None,
            told: Vec::new(),
            face: Face::new(subject(asking).brief(0)),
        };
        Cards::new(&self.state()).open_card(record).unwrap()
    }

    fn state(&self) -> StateDir {
        StateDir::open(self.state.path()).unwrap()
    }

    fn account(&self) -> AccountKey {
        AccountKey::new(P::NAME, &self.platform.base_url(), &self.platform.token()).unwrap()
    }
}

pub(crate) fn rules<L: Ledger>(desk: &Desk<Provider, L>, asking: &Asking<'_>) -> Rules {
    let keyword = desk.style().answering == Answering::Reactions;
    // If users are not identified, only everybody may answer.
    let listed = match desk.chat().users {
        Users::Identified => asking.listed.clone(),
        Users::Anonymous => vec!["*".to_owned()],
    };
    Rules {
        approvers: Approvers::of("messenger", desk.chat(), &listed),
        offer: asking.offer.clone(),
        deadline: asking.deadline,
        reason_timeout: asking.reason_timeout,
        reason: ReasonRules {
            max_chars: 300,
            skip_keywords: keyword.then(|| KEYWORD.to_owned()).into_iter().collect(),
        },
    }
}

pub(crate) fn subject(asking: &Asking<'_>) -> Subject {
    Subject {
        request_id: asking.name.to_owned(),
        tool: "Bash".to_owned(),
        context: vec!["Folder: /srv/*shop*".to_owned()],
        parts: vec![Part::Code(asking.command.clone())],
        grant: Some("For the session: `git push`".to_owned()),
        granted: None,
        risks: Vec::new(),
    }
}

#[allow(clippy::disallowed_methods, reason = "tests of timing use the machine's clock")]
fn clock() -> Clock {
    let now_ms = || SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis().try_into().unwrap();
    Clock { now_ms, time_of_day: || "noon".to_owned(), warn: |line| panic!("{line}") }
}
