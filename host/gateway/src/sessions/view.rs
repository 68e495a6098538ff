//! A session as surfaces see it, and what it did lately.

use std::collections::{HashSet, VecDeque};
use std::time::Duration;

use dmplz_core::text::Lang;
use dmplz_core::visible::short;
use dmplz_protocol::Message as Told;
use dmplz_protocol::session::{Happening, Numbered, OneSession, PlanLimit, Session, State};
use dmplz_runner::control::{Block, Message, RateLimit, System, UserMessage};
use tokio::sync::watch;
use tokio::time::timeout;
use uuid::Uuid;

use super::happenings::{as_typed, happenings};
use super::notes::Notes;
use super::queue::Queue;
use super::todos::Todos;
use super::{BYTES, EVENTS};
use crate::approvals::Approvals;
use crate::mutex::Mutex;

/// The longest title, in characters.
const TITLE: usize = 80;
/// The longest words about a plan's limit, in characters.
const LIMIT: usize = 30;
/// How long one waits for what a session did before this gateway came.
const LOOKS_BACK: Duration = Duration::from_secs(5);

/// What is known of a session.
pub(super) struct View {
    inner: Mutex<Inner>,
    /// Whether all that was said before is in it.
    known: watch::Sender<bool>,
}

#[derive(Default)]
struct Inner {
    session: Session,
    /// The mode that the client was started in.
    began_in: String,
    /// The session as it was told last.
    told: Option<Session>,
    events: VecDeque<Numbered>,
    /// What was told of the text that the agent is writing.
    partial: String,
    /// How many bytes of text the events hold.
    bytes: usize,
    last: u64,
    queue: Queue,
    /// The ids of all messages that were sent.
    sent: HashSet<Uuid>,
    /// Those of them that start no turn.
    asides: HashSet<Uuid>,
    /// Whether the client has repeated one of these since the last result, and will report a result for it alone.
    told_aside: bool,
    todos: Todos,
    /// Whether a turn is under way.
    works: bool,
    /// How many requests wait.
    asks: usize,
    /// Whether the client has a conversation of this session.
    spoken: bool,
    /// The client's id of the conversation: the session's, until it is cleared.
    conversation: Uuid,
    /// What conversations have cost that were cleared, in US dollars.
    cost_before: f64,
    /// What the client said last of the cost, in US dollars.
    cost_told: f64,
}

impl View {
    pub(super) fn new(id: Uuid, notes: &Notes) -> Self {
        let session = Session {
            id,
            cwd: notes.cwd.clone(),
            name: notes.name.clone(),
            mode: notes.mode.clone(),
            created_ms: notes.created_ms,
            ..Session::default()
        };
        Self { inner: Mutex::new(Inner::of(session)), known: watch::Sender::new(false) }
    }

    pub(super) fn session(&self) -> Session {
        self.inner.lock().session.clone()
    }

    /// Whether it waits for a message, and nobody is asked anything.
    pub(super) fn is_idle(&self) -> bool {
        self.inner.lock().session.state == State::Idle
    }

    /// What it has cost, in US dollars.
    pub(super) fn cost_usd(&self) -> f64 {
        self.inner.lock().session.cost_usd
    }

    pub(super) fn one(&self) -> OneSession {
        let inner = self.inner.lock();
        OneSession {
            session: inner.session.clone(),
            events: inner.events.iter().cloned().collect(),
            partial: inner.partial.clone(),
        }
    }

    /// The client's id of the conversation that it has of this session, and that can be resumed. None where nothing was said.
    pub(super) fn conversation(&self) -> Option<Uuid> {
        let inner = self.inner.lock();
        inner.spoken.then_some(inner.conversation)
    }

    /// The last message that the agent received, of those that are remembered.
    pub(super) fn last_received(&self) -> Option<Uuid> {
        self.inner.lock().queue.last_received()
    }

    /// Waits until all that was said before is known, or for `LOOKS_BACK`.
    pub(super) async fn known(&self) {
        // Without a sender nothing more becomes known.
        let _ = timeout(LOOKS_BACK, self.known.subscribe().wait_for(|known| *known)).await;
    }

    /// All is told again.
    pub(super) fn forget(&self) {
        self.known.send_replace(false);
        let mut inner = self.inner.lock();
        let (told, began_in) = (inner.told.take(), inner.began_in.clone());
        *inner = Inner { told, began_in, ..Inner::of(inner.session.clone()) };
    }

    /// All that was said before is in it.
    pub(super) fn is_known(&self) {
        self.known.send_replace(true);
    }

    /// The gateway is connected with the client from now on.
    pub(super) fn is_live(&self) {
        let mut inner = self.inner.lock();
        if inner.session.state == State::Starting {
            inner.session.state = State::Idle;
        }
        inner.settle();
    }

    /// A message was sent: a turn is under way, or follows. Whether it was not sent before.
    pub(super) fn sent(&self, message: &UserMessage, is_now: bool) -> bool {
        let mut inner = self.inner.lock();
        if !inner.sent.insert(message.id) {
            return false;
        }
        if !message.starts_turn {
            inner.asides.insert(message.id);
            return true;
        }
        inner.works |= is_now;
        inner.spoken = true;
        inner.queue.sent(message.id, &message.text);
        inner.settle();
        true
    }

    /// A person gave the session a name, or took it away.
    pub(super) fn renamed(&self, name: String) {
        self.inner.lock().session.name = name;
    }

    /// A message was taken back.
    pub(super) fn dropped(&self, id: Uuid) {
        let mut inner = self.inner.lock();
        inner.queue.dropped(id);
        inner.settle();
    }

    /// So many requests wait for an answer.
    pub(super) fn asks(&self, count: usize) {
        let mut inner = self.inner.lock();
        inner.asks = count;
        inner.settle();
    }

    /// Takes in a message of the client, which stands at a place of the session's log. What it comes to for those who look on.
    pub(super) fn take(&self, at: u64, message: &Message, lang: Lang) -> Vec<Numbered> {
        let mut inner = self.inner.lock();
        if inner.is_result_of_aside(message) {
            return Vec::new();
        }
        inner.learn(message);
        inner.settle();
        happenings(message, lang).into_iter().map(|event| inner.number(at, event)).collect()
    }

    /// Adds an event of ours, at a place of the session's log.
    pub(super) fn add(&self, at: u64, event: Happening) -> Numbered {
        let mut inner = self.inner.lock();
        match event {
            Happening::Ended { .. } => {
                inner.queue.ended();
                (inner.session.state, inner.works, inner.asks) = (State::Ended, false, 0);
            }
            Happening::Resumed => {
                inner.session.mode = inner.began_in.clone();
                inner.queue.ended();
                inner.works = false;
            }
            _ => {}
        }
        inner.settle();
        inner.number(at, event)
    }

    /// The agent writes more of a text, or begins one. The message that tells it.
    pub(super) fn writes(&self, begins: bool, text: String) -> Told {
        let mut inner = self.inner.lock();
        if begins {
            inner.partial.clear();
        }
        let from = inner.partial.encode_utf16().count();
        inner.partial.push_str(&text);
        Told::SessionPartial { session_id: inner.session.id, from, text }
    }

    /// What was being written is finished, or is not gone on with. The message that tells it, if anything was told.
    pub(super) fn is_written(&self) -> Option<Told> {
        let mut inner = self.inner.lock();
        let was_told = !std::mem::take(&mut inner.partial).is_empty();
        was_told.then(|| Told::SessionPartial { session_id: inner.session.id, from: 0, text: String::new() })
    }

    /// Tells the session, if it is different from what was told last.
    pub(super) fn tell_changes(&self, approvals: &Approvals) {
        let mut inner = self.inner.lock();
        if inner.told.as_ref() != Some(&inner.session) {
            let session = inner.session.clone();
            inner.told = Some(session.clone());
            drop(inner);
            approvals.tell(Told::SessionChanged { session: Box::new(session) });
        }
    }
}

impl Inner {
    fn of(session: Session) -> Self {
        let (began_in, conversation) = (session.mode.clone(), session.id);
        Self { session, began_in, conversation, ..Self::default() }
    }

    /// An event's number is its place in the session's log, so that the next gateway gives it the same: where its line begins. Several of
    /// one line follow each other, and are fewer than the line has bytes.
    fn number(&mut self, at: u64, event: Happening) -> Numbered {
        self.last = at.max(self.last + 1);
        let numbered = Numbered { number: self.last, event };
        self.bytes += numbered.event.weight();
        self.events.push_back(numbered.clone());
        while self.events.len() > EVENTS || (self.bytes > BYTES && self.events.len() > 1) {
            let Some(oldest) = self.events.pop_front() else { break };
            self.bytes -= oldest.event.weight();
        }
        numbered
    }

    fn settle(&mut self) {
        (self.session.queue, self.session.todos) = (self.queue.all_of_it(), self.todos.all());
        if !matches!(self.session.state, State::Starting | State::Ended) {
            self.session.state = match (self.asks, self.works) {
                (1.., _) => State::Asking,
                (0, true) => State::Working,
                (0, false) => State::Idle,
            };
        }
    }

    /// Whether this is only the result of a message that started no turn: nothing was done, and whatever goes on goes on.
    fn is_result_of_aside(&mut self, message: &Message) -> bool {
        let Message::Result(turn) = message else { return false };
        std::mem::take(&mut self.told_aside) && turn.num_turns == Some(0)
    }

    fn learn(&mut self, message: &Message) {
        let session = &mut self.session;
        match message {
            Message::User(user) if user.is_replay => {
                let id = user.uuid.as_deref().unwrap_or_default();
                if Uuid::try_parse(id).is_ok_and(|id| self.asides.contains(&id)) {
                    self.told_aside = true;
                    return;
                }
                (self.works, self.spoken) = (true, true);
                self.queue.taken(id);
                if session.title.is_empty()
                    && let Some(Block::Text(text)) = user.blocks.first()
                {
                    session.title = short(&as_typed(text), TITLE);
                }
            }
            Message::User(user) => {
                for block in &user.blocks {
                    if let Block::ToolResult { tool_use_id, is_error, text } = block {
                        self.todos.returned(tool_use_id, *is_error, text);
                    }
                }
            }
            Message::Assistant(said) => {
                (self.works, self.spoken) = (true, true);
                for block in said.blocks.iter().filter(|_| said.parent_tool_use_id.is_none()) {
                    if let Block::ToolUse { id, name, input } = block {
                        self.todos.called(id, name, input);
                    }
                }
            }
            Message::RateLimit(limit) => session.limit = Some(plan_limit(limit)),
            Message::Lifecycle(lifecycle) => self.queue.lived(lifecycle),
            Message::Result(turn) => {
                self.queue.turned();
                self.works = turn.queued_turn_count > 0;
                if let Some(told) = turn.total_cost_usd {
                    // The client counts from nothing after its conversation was cleared.
                    if told < self.cost_told {
                        self.cost_before += self.cost_told;
                    }
                    self.cost_told = told;
                    session.cost_usd = self.cost_before + told;
                }
            }
            Message::System(System::Init { conversation, model, permission_mode }) => {
                self.conversation = conversation.unwrap_or(self.conversation);
                session.model = model.clone().unwrap_or_default();
                session.mode = permission_mode.clone().unwrap_or_else(|| session.mode.clone());
            }
            Message::System(System::Status { permission_mode: Some(mode) }) => session.mode.clone_from(mode),
            // A message may be sent right before the client says of the turn before it that it is idle.
            Message::System(System::StateChanged { state }) => self.works = state != "idle",
            _ => {}
        }
    }
}

/// The limit as surfaces show it.
fn plan_limit(limit: &RateLimit) -> PlanLimit {
    let window = match limit.rate_limit_type.as_deref().unwrap_or_default() {
        "five_hour" => "5h".to_owned(),
        "seven_day" => "7d".to_owned(),
        other => short(other, LIMIT),
    };
    PlanLimit {
        window,
        state: short(&limit.status, LIMIT),
        used: limit.utilization.filter(|used| (0.0..=10.0).contains(used)),
        resets_ms: limit.resets_at.map(|seconds| seconds.saturating_mul(1_000)),
    }
}

#[cfg(test)]
mod tests;
