use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::pin::pin;
use std::rc::Rc;

use dmplz_core::approvers::Approvers;
use dmplz_core::card::{Ended, Subject};
use dmplz_core::claude::{HookInput, session_grant};
use dmplz_core::flow::Rules;
use dmplz_core::messenger::{
    Answering, Batch, Block, Card, Chosen, Event, Limits, MessageRef, NoConnection, Said, Transport, User, Users, Watch,
};
use dmplz_core::reason::ReasonRules;
use dmplz_core::request::{End, Offer, Outcome, Resolver};
use dmplz_policy::KnownCommands;
use dmplz_state::Stage;

use super::*;

mod bad_days;
mod expiry;
mod flows;
mod forms;
mod many;
mod unreached;

/// The calls that the fake messenger and the fake ledger received, in order, and how they behave.
#[derive(Debug, Default)]
struct World {
    log: Vec<String>,
    /// Events with the time at which they happen, in milliseconds since the start.
    events: VecDeque<(Millis, Event)>,
    /// The errors that calls return, by the call's name, in order.
    errors: Vec<(&'static str, ProviderError)>,
    messages: u64,
    /// Calls that hang, and for how many milliseconds.
    slow: Vec<(&'static str, Millis)>,
    saved: Vec<Progress>,
    orphans: Vec<Progress>,
    /// Whether a poll returns at once.
    impatient: bool,
    /// The period in which no call succeeds, in milliseconds.
    outage: Option<(Millis, Millis)>,
    /// The period in which no card can be posted, in milliseconds.
    posting_fails: Option<(Millis, Millis)>,
    /// How long storing a record takes, in milliseconds.
    writing: Millis,
    /// Every posted card, by its message.
    shown: BTreeMap<String, Card>,
    /// The watches of the last poll.
    watched: Vec<Watch>,
    /// When each poll began that the owner of many requests was told of.
    looked: Vec<Millis>,
    /// The past cards.
    recent: Vec<Watch>,
    /// How long a poll of any past card takes, in milliseconds.
    slow_past: Millis,
    /// Whether the bot may not look at past cards.
    past_denied: bool,
    /// What the card offers.
    offer: Option<Offer>,
    /// The messages of the owner that are no cards of requests.
    own: Vec<u64>,
    /// The thread where the owner wants the cards of requests.
    thread: Option<&'static str>,
    /// When that thread is deleted.
    deleted: Option<Millis>,
    /// When the world began, and by how many milliseconds the wall clock was set since.
    began: Option<Instant>,
    clock_set_by: i64,
}

#[derive(Debug, Clone)]
struct Fake {
    world: Rc<RefCell<World>>,
    transport: Transport,
    started: Instant,
}

impl Fake {
    async fn call(&self, name: &'static str, what: String) -> Result<(), ProviderError> {
        let (slow, error) = {
            let mut world = self.world.borrow_mut();
            let slow = world.slow.iter().position(|(call, _)| *call == name).map(|at| world.slow.remove(at).1);
            let error = world.errors.iter().position(|(call, _)| *call == name).map(|at| world.errors.remove(at).1);
            let failed = error.as_ref().map(|error| format!(" -> {error}")).unwrap_or_default();
            world.log.push(format!("{name} {what}{failed}"));
            (slow, error)
        };
        let posting_fails = self.world.borrow().posting_fails.filter(|_| name == "post");
        let outages = self.world.borrow().outage.into_iter().chain(posting_fails);
        let now = u64::try_from(self.started.elapsed().as_millis()).unwrap();
        if outages.into_iter().any(|(from, until)| (from..until).contains(&now)) {
            return Err(ProviderError::Unavailable(None));
        }
        if let Some(slow) = slow {
            tokio::time::sleep(Duration::from_millis(slow)).await;
        }
        error.map_or(Ok(()), Err)
    }
}

impl Messenger for Fake {
    fn transport(&self) -> &Transport {
        &self.transport
    }

    async fn open(&self, chat: &Chat, _: Duration) -> Result<OpenChat, ProviderError> {
        self.call("open", format!("{chat:?}")).await?;
        Ok(OpenChat { id: "c".into(), owner: Some("ann".into()), users: Users::Identified })
    }

    async fn post(&self, chat: &OpenChat, card: &Card, _: Duration) -> Result<MessageRef, ProviderError> {
        let place = if chat.id == "c" { String::new() } else { format!(" in {}", chat.id) };
        // A prompt has its own name, so that either call can fail alone.
        self.call(if card.wants_text { "prompt" } else { "post" }, format!("{}{place}", first_line(card))).await?;
        let mut world = self.world.borrow_mut();
        world.messages += 10;
        let posted = MessageRef { chat: chat.id.clone(), ..message(world.messages) };
        world.shown.insert(posted.id.clone(), card.clone());
        Ok(posted)
    }

    async fn revise(&self, message: &MessageRef, card: &Card, _: Duration) -> Result<(), ProviderError> {
        let revocable = card.choices.iter().any(|choice| choice.id == "revoke");
        let revocable = if revocable { " [may be taken back]" } else { "" };
        self.call("revise", format!("{}: {}{revocable}", message.id, first_line(card))).await?;
        self.world.borrow_mut().shown.insert(message.id.clone(), card.clone());
        Ok(())
    }

    async fn receive(
        &self,
        cursor: &str,
        watching: &[Watch],
        wait: Duration,
        _: Duration,
    ) -> Result<Batch, ProviderError> {
        self.world.borrow_mut().watched = watching.to_vec();
        self.call("receive", cursor.to_owned()).await?;
        let end = Instant::now() + wait;
        let is_past = |watch: &Watch| self.world.borrow().recent.contains(watch);
        if watching.iter().any(is_past) {
            let slow = self.world.borrow().slow_past;
            tokio::time::sleep(Duration::from_millis(slow)).await;
            if self.world.borrow().past_denied {
                return Err(ProviderError::Denied(None));
            }
        }
        if !watching.is_empty() && watching.iter().all(is_past) {
            return Ok(Batch { events: Vec::new(), cursor: cursor.to_owned() });
        }
        let due = self.world.borrow().events.front().map(|(at, _)| self.started + Duration::from_millis(*at));
        if !self.world.borrow().impatient {
            tokio::time::sleep_until(due.unwrap_or(end).min(end)).await;
        }
        let mut events = Vec::new();
        let mut world = self.world.borrow_mut();
        while let Some((at, _)) = world.events.front()
            && self.started + Duration::from_millis(*at) <= Instant::now()
        {
            events.extend(world.events.pop_front().map(|(_, event)| event));
        }
        let cursor = (cursor.parse::<usize>().unwrap_or(0) + events.len()).to_string();
        Ok(Batch { events, cursor })
    }

    async fn acknowledge(&self, event: &Chosen, notice: Option<&str>, _: Duration) -> Result<(), ProviderError> {
        self.call("acknowledge", format!("{} {}", event.token, notice.unwrap_or("-"))).await
    }
}

#[derive(Debug)]
struct Memory(Rc<RefCell<World>>);

impl Ledger for Memory {
    type Claim = ();

    fn cursor(&self) -> String {
        String::new()
    }

    fn keep_cursor(&mut self, _: &str) {}

    fn save(&mut self, progress: &Progress) -> Saved {
        self.0.borrow_mut().saved.push(progress.clone());
        let (written, saved) = Saved::later();
        let writing = self.0.borrow().writing;
        if writing > 0 {
            tokio::task::spawn_local(async move {
                tokio::time::sleep(Duration::from_millis(writing)).await;
                drop(written);
            });
        }
        saved
    }

    fn recent(&self) -> Vec<Watch> {
        self.0.borrow().recent.clone()
    }

    fn orphans(&mut self) -> Vec<(Progress, ())> {
        std::mem::take(&mut self.0.borrow_mut().orphans).into_iter().map(|progress| (progress, ())).collect()
    }

    fn now_ms(&self) -> u64 {
        let world = self.0.borrow();
        let since = world.began.map_or(0, |began| u64::try_from(began.elapsed().as_millis()).unwrap());
        (DAY + since).saturating_add_signed(world.clock_set_by)
    }

    fn time_of_day(&self) -> String {
        "now".into()
    }

    fn retired(&mut self, progress: Progress, (): ()) {
        self.0.borrow_mut().log.push(format!("retired {}", progress.tag));
    }

    fn late(&mut self, event: &Event) -> Option<LateCard> {
        let Event::Chosen(press) = event else { return None };
        if press.message.sequence >= UNKNOWN {
            return None;
        }
        let world = self.0.borrow();
        let saved = world.saved.iter().rev().find(|saved| saved.card.as_ref() == Some(&press.message));
        let tag = saved.map_or_else(|| format!("OLD{}", press.message.id), |saved| saved.tag.clone());
        Some(LateCard { tag, request_id: format!("old-{}", press.message.id), line: None, lost: None, first: true })
    }

    fn revocable(&self, press: &Chosen) -> Option<Progress> {
        let world = self.0.borrow();
        let last = world.saved.iter().rev().find(|saved| saved.card.as_ref() == Some(&press.message));
        last.filter(|saved| saved.ended.as_ref().is_some_and(Ended::is_revocable)).cloned()
    }

    fn granted(&self, request_id: &str) -> Option<Progress> {
        let world = self.0.borrow();
        let last = world.saved.iter().rfind(|saved| saved.subject.request_id == request_id);
        last.filter(|saved| saved.ended.as_ref().is_some_and(Ended::is_revocable)).cloned()
    }
}

/// Messages from this number on are no cards of ours.
const UNKNOWN: u64 = 900;

/// How long a desk with one request tries to reach a messenger to which certainly nothing was sent.
const UNREACHABLE: Duration = Duration::from_secs(20);

/// When every world begins, in Unix milliseconds.
const DAY: u64 = 1_795_000_000_000;

fn first_line(card: &Card) -> String {
    let text = |block: &Block| match block {
        Block::Text(text) | Block::Hint(text) | Block::Code(text) => Some(text.clone()),
        Block::File(file) => Some(format!("[{}]", file.name)),
    };
    let line =
        if card.title.is_empty() { card.body.iter().find_map(text).unwrap_or_default() } else { card.title.clone() };
    let file = card.body.iter().any(|block| matches!(block, Block::File(_)));
    format!("{line}{}", if file { " +file" } else { "" })
}

fn message(id: u64) -> MessageRef {
    MessageRef { chat: "c".into(), id: id.to_string(), sequence: id }
}

fn user(id: &str) -> User {
    User { id: id.into(), name: id.into(), is_bot: false }
}

fn press(at: Millis, choice: &str, by: &str, on: u64) -> (Millis, Event) {
    let token = format!("{by}-{choice}-{at}");
    (
        at,
        Event::Chosen(Chosen {
            message: message(on),
            tag: None,
            choice: choice.into(),
            user: user(by),
            token,
            text: None,
        }),
    )
}

/// Does the same with a reaction, which stays set.
fn reaction(at: Millis, choice: &str, by: &str, on: u64) -> (Millis, Event) {
    let (at, Event::Chosen(press)) = press(at, choice, by, on) else { unreachable!() };
    (at, Event::Chosen(Chosen { token: String::new(), ..press }))
}

/// Two questions of the agent: one with a single option, one with several.
fn questions() -> Offer {
    let option = |label: &str| serde_json::json!({ "label": label, "description": "" });
    let options = |labels: [&str; 2]| labels.map(option);
    serde_json::from_value(serde_json::json!({ "questions": [
        { "question": "Which color?", "header": "Color", "multiSelect": false, "options": options(["Red", "Blue"]) },
        { "question": "Which sizes?", "header": "Size", "multiSelect": true, "options": options(["Small", "Large"]) },
    ]}))
    .unwrap()
}

/// Returns an offer with a rule that the client suggests.
fn suggestion() -> Offer {
    let rule = serde_json::json!({ "toolName": "Bash", "ruleContent": "git push *" });
    let update = serde_json::json!(
        { "type": "addRules", "rules": [rule], "behavior": "allow", "destination": "localSettings" });
    Offer { session: true, ..serde_json::from_value(serde_json::json!({ "always": [{ "update": update }] })).unwrap() }
}

fn reactions() -> Transport {
    Transport { answering: Answering::Reactions, poll_interval: 1000, ..transport() }
}

fn says(at: Millis, text: &str, by: &str, id: u64) -> (Millis, Event) {
    (
        at,
        Event::Said(Said {
            message: message(id),
            reply_to: None,
            user: user(by),
            text: text.into(),
            files: Vec::new(),
        }),
    )
}

fn subject(command: &str) -> Subject {
    let input = serde_json::json!({ "hook_event_name": "PermissionRequest", "tool_name": "Bash", "tool_input": { "command": command } });
    let call = HookInput::parse(input.to_string().as_bytes()).unwrap().tool_call().unwrap();
    Subject::of(&call, "req-1", "/p", None, &session_grant(&call, "/p", &KnownCommands), Lang::En)
}

fn transport() -> Transport {
    Transport {
        name: "fake".into(),
        help: String::new(),
        limits: Limits { text: 4096, choices: 25, attachment: 1 << 20, notice: 200 },
        answering: Answering::Buttons,
        poll_interval: 0,
        presses_kept: None,
        persistent: false,
        reads_chat: true,
        threads: false,
        commands: false,
        files: false,
        drafts: false,
    }
}

/// Runs one request in a world, with a stop signal at a given time, and closes it.
async fn run(world: World, command: &str, stop_at: Option<Millis>) -> (Outcome, World) {
    run_by(transport(), world, command, stop_at).await
}

async fn run_by(transport: Transport, world: World, command: &str, stop_at: Option<Millis>) -> (Outcome, World) {
    run_until(transport, world, command, stop_at, 300_000).await
}

async fn run_until(
    transport: Transport,
    world: World,
    command: &str,
    stop_at: Option<Millis>,
    deadline: Millis,
) -> (Outcome, World) {
    let world = Rc::new(RefCell::new(world));
    let started = Instant::now();
    world.borrow_mut().began = Some(started);
    let fake = Fake { world: world.clone(), transport, started };
    let chat = Chat::Room("c".into());
    let limits = TimeLimits { deadline, unreachable: Some(UNREACHABLE) };
    let mut desk = Desk::open(Rc::new(fake), Memory(world.clone()), &chat, Lang::En, started, limits).await.unwrap();
    let rules = Rules {
        approvers: Approvers::of("chat", desk.chat(), &["bob".into()]),
        offer: world.borrow().offer.clone().unwrap_or_else(|| Offer::plain(true)),
        deadline,
        reason_timeout: 60_000,
        reason: ReasonRules { max_chars: 300, skip_keywords: vec!["no_reason".into()] },
    };
    let subject = subject(command);
    let stop = async {
        match stop_at {
            Some(at) => tokio::time::sleep_until(started + Duration::from_millis(at)).await,
            None => std::future::pending().await,
        }
        Resolver::Stopped
    };
    let asked = desk.ask(&Ask { subject: &subject, tag: "TAG", rules: &rules }, pin!(stop)).await;
    let outcome = asked.outcome.clone();
    world.borrow_mut().log.push(format!("= {} at {}", name(&outcome), started.elapsed().as_millis()));
    let ended = Ended::of(&outcome, false, "now", Lang::En);
    desk.close(asked, ended, Duration::from_secs(1)).await;
    drop(desk);
    (outcome, Rc::into_inner(world).unwrap().into_inner())
}

fn log(world: &World) -> String {
    world.log.join("\n")
}

/// Returns the name of an outcome in records.
fn name(outcome: &Outcome) -> String {
    End::of(outcome).0.to_string()
}
