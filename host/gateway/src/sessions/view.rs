//! A session as surfaces see it, and what it did lately.

use std::collections::{HashSet, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use dmplz_core::text::Lang;
use dmplz_protocol::session::{Happening, Numbered, OneSession, Session, State};
use dmplz_runner::control::{Block, Message, System, UserMessage};
use tokio::sync::watch;
use uuid::Uuid;

use super::happenings::happenings;
use super::notes::Notes;
use super::queue::Queue;
use super::short::short;
use super::todos::Todos;
use super::{BYTES, EVENTS};

/// The longest title, in characters.
const TITLE: usize = 80;

/// What is known of a session.
pub(super) struct View {
    inner: Mutex<Inner>,
    /// Whether all that was said before is in it.
    known: watch::Sender<bool>,
}

struct Inner {
    session: Session,
    /// The mode that the client was started in.
    began_in: String,
    /// The session as it was told last.
    told: Option<Session>,
    events: VecDeque<Numbered>,
    /// How many bytes of text the events hold.
    bytes: usize,
    last: u64,
    queue: Queue,
    /// The ids of all messages that were sent.
    sent: HashSet<Uuid>,
    todos: Todos,
    /// Whether a turn is under way.
    works: bool,
    /// How many requests wait.
    asks: usize,
    /// Whether the client has a conversation of this session.
    spoken: bool,
}

impl View {
    pub(super) fn new(id: Uuid, notes: &Notes) -> Self {
        let session = Session {
            id,
            cwd: notes.cwd.clone(),
            title: String::new(),
            state: State::Starting,
            mode: notes.mode.clone(),
            model: String::new(),
            created_ms: notes.created_ms,
            cost_usd: 0.0,
            queue: Vec::new(),
            todos: Vec::new(),
        };
        Self { inner: Mutex::new(Inner::of(session)), known: watch::Sender::new(false) }
    }

    pub(super) fn session(&self) -> Session {
        self.inner().session.clone()
    }

    pub(super) fn one(&self) -> OneSession {
        let inner = self.inner();
        OneSession { session: inner.session.clone(), events: inner.events.iter().cloned().collect() }
    }

    /// Whether the client has a conversation of this session, so that it can be resumed.
    pub(super) fn has_spoken(&self) -> bool {
        self.inner().spoken
    }

    /// Waits until all that was said before is known.
    pub(super) async fn known(&self) {
        // Without a sender nothing more becomes known.
        let _ = self.known.subscribe().wait_for(|known| *known).await;
    }

    /// All is told again.
    pub(super) fn forget(&self) {
        self.known.send_replace(false);
        let mut inner = self.inner();
        let (told, began_in) = (inner.told.take(), inner.began_in.clone());
        *inner = Inner { told, began_in, ..Inner::of(inner.session.clone()) };
    }

    /// All that was said before is in it.
    pub(super) fn is_known(&self) {
        self.known.send_replace(true);
    }

    /// The gateway is connected with the client from now on.
    pub(super) fn is_live(&self) {
        let mut inner = self.inner();
        if inner.session.state == State::Starting {
            inner.session.state = State::Idle;
        }
        inner.settle();
    }

    /// A message was sent: a turn is under way, or follows. Whether it was not sent before.
    pub(super) fn sent(&self, message: &UserMessage, is_now: bool) -> bool {
        let mut inner = self.inner();
        if !inner.sent.insert(message.id) {
            return false;
        }
        inner.works |= is_now;
        inner.spoken = true;
        inner.queue.sent(message.id, &message.text);
        inner.settle();
        true
    }

    /// A message was taken back.
    pub(super) fn dropped(&self, id: Uuid) {
        let mut inner = self.inner();
        inner.queue.dropped(id);
        inner.settle();
    }

    /// So many requests wait for an answer.
    pub(super) fn asks(&self, count: usize) {
        let mut inner = self.inner();
        inner.asks = count;
        inner.settle();
    }

    /// Takes in a message of the client, which stands at a place of the session's log. What it comes to for those who look on.
    pub(super) fn take(&self, at: u64, message: &Message, lang: Lang) -> Vec<Numbered> {
        let mut inner = self.inner();
        inner.learn(message);
        inner.settle();
        happenings(message, lang).into_iter().map(|event| inner.number(at, event)).collect()
    }

    /// Adds an event of ours, at a place of the session's log.
    pub(super) fn add(&self, at: u64, event: Happening) -> Numbered {
        let mut inner = self.inner();
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

    /// The session, if it is different from what was told last.
    pub(super) fn changed(&self) -> Option<Session> {
        let mut inner = self.inner();
        if inner.told.as_ref() == Some(&inner.session) {
            return None;
        }
        inner.told = Some(inner.session.clone());
        inner.told.clone()
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn of(session: Session) -> Self {
        Self {
            began_in: session.mode.clone(),
            session,
            told: None,
            events: VecDeque::new(),
            bytes: 0,
            last: 0,
            queue: Queue::default(),
            sent: HashSet::new(),
            todos: Todos::default(),
            works: false,
            asks: 0,
            spoken: false,
        }
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

    fn learn(&mut self, message: &Message) {
        let session = &mut self.session;
        match message {
            Message::User(user) if user.is_replay => {
                (self.works, self.spoken) = (true, true);
                self.queue.taken(user.uuid.as_deref().unwrap_or_default());
                if session.title.is_empty()
                    && let Some(Block::Text(text)) = user.blocks.first()
                {
                    session.title = short(text, TITLE);
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
            Message::Lifecycle(lifecycle) => self.queue.lived(lifecycle),
            Message::Result(turn) => {
                self.queue.turned();
                self.works = turn.queued_turn_count > 0;
                session.cost_usd = turn.total_cost_usd.unwrap_or(session.cost_usd);
            }
            Message::System(System::Init { model, permission_mode }) => {
                session.model = model.clone().unwrap_or_default();
                session.mode = permission_mode.clone().unwrap_or_else(|| session.mode.clone());
            }
            Message::System(System::Status { permission_mode: Some(mode) }) => session.mode.clone_from(mode),
            Message::System(System::StateChanged { state }) if state == "idle" => self.works = false,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_numbered_by_its_place_whatever_came_before_it() {
        let notes = Notes::new("/".into(), "default".into(), None, 1).unwrap();
        let view = View::new(Uuid::nil(), &notes);
        let notice = || Happening::Notice { text: "x".into() };
        let first = [view.add(20, notice()), view.add(20, notice()), view.add(30, notice())];
        assert_eq!(first.each_ref().map(|event| event.number), [20, 21, 30]);
        let next = View::new(Uuid::nil(), &notes);
        assert_eq!(next.add(30, notice()).number, 30, "a gateway that has not seen the first ones");
    }

    #[test]
    fn a_message_is_sent_once() {
        let view = View::new(Uuid::nil(), &Notes::new("/".into(), "default".into(), None, 1).unwrap());
        let message = |id| UserMessage { id: Uuid::from_u128(id), text: "x".into() };
        assert!(view.sent(&message(1), false), "as the log tells it");
        assert!(!view.sent(&message(1), true) && view.sent(&message(2), true));
    }

    #[test]
    fn what_is_kept_of_a_session_is_bounded() {
        let view = View::new(Uuid::nil(), &Notes::new("/".into(), "default".into(), None, 1).unwrap());
        for at in 0..40 {
            view.add(at * 100, Happening::Text { text: "x".repeat(BYTES / 10), subagent: false });
        }
        let kept = view.one().events;
        assert_eq!(kept.len(), 10);
        assert_eq!(kept.last().map(|event| event.number), Some(3_900));
    }
}
