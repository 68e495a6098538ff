//! A session as surfaces see it, and what it did lately.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use dmplz_core::card::Subject;
use dmplz_core::claude::ToolCall;
use dmplz_core::text::Lang;
use dmplz_core::visible::visible_line;
use dmplz_protocol::session::{Happening, Numbered, OneSession, Session, State};
use dmplz_runner::control::{Block, Message, System, Turn};
use uuid::Uuid;

use super::EVENTS;
use super::notes::Notes;

/// The longest line about a call, in characters.
const LINE: usize = 300;
/// The longest text of an event, in bytes: a longer one becomes several events.
const TEXT: usize = 32 << 10;
/// The longest title, in characters.
const TITLE: usize = 80;

/// What is known of a session.
pub(super) struct View {
    inner: Mutex<Inner>,
}

struct Inner {
    session: Session,
    events: VecDeque<Numbered>,
    last: u64,
    /// Whether a turn is under way.
    works: bool,
    /// How many requests wait.
    asks: usize,
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
        };
        Self { inner: Mutex::new(Inner { session, events: VecDeque::new(), last: 0, works: false, asks: 0 }) }
    }

    pub(super) fn session(&self) -> Session {
        self.inner().session.clone()
    }

    pub(super) fn one(&self) -> OneSession {
        let inner = self.inner();
        OneSession { session: inner.session.clone(), events: inner.events.iter().cloned().collect() }
    }

    /// All is told again.
    pub(super) fn forget(&self) {
        let mut inner = self.inner();
        (inner.events, inner.last, inner.works, inner.asks) = (VecDeque::new(), 0, false, 0);
    }

    /// The gateway is connected with the client from now on.
    pub(super) fn is_live(&self) {
        let mut inner = self.inner();
        if inner.session.state == State::Starting {
            inner.session.state = State::Idle;
        }
        inner.settle();
    }

    /// A turn is under way: a message was sent.
    pub(super) fn works(&self) {
        let mut inner = self.inner();
        inner.works = true;
        inner.settle();
    }

    /// So many requests wait for an answer.
    pub(super) fn asks(&self, count: usize) {
        let mut inner = self.inner();
        inner.asks = count;
        inner.settle();
    }

    /// Takes in a message of the client. What it comes to for those who look on.
    pub(super) fn take(&self, message: &Message, lang: Lang) -> Vec<Numbered> {
        let mut inner = self.inner();
        inner.learn(message);
        inner.settle();
        happenings(message, lang).into_iter().map(|event| inner.number(event)).collect()
    }

    /// Adds an event of ours.
    pub(super) fn add(&self, event: Happening) -> Numbered {
        let mut inner = self.inner();
        if matches!(event, Happening::Ended { .. }) {
            inner.session.state = State::Ended;
        }
        inner.number(event)
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn number(&mut self, event: Happening) -> Numbered {
        self.last += 1;
        let numbered = Numbered { number: self.last, event };
        self.events.push_back(numbered.clone());
        if self.events.len() > EVENTS {
            self.events.pop_front();
        }
        numbered
    }

    fn settle(&mut self) {
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
                self.works = true;
                if session.title.is_empty()
                    && let Some(Block::Text(text)) = user.blocks.first()
                {
                    session.title = short(text, TITLE);
                }
            }
            Message::Assistant(_) => self.works = true,
            Message::Result(turn) => {
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

/// What a message comes to for those who look on.
fn happenings(message: &Message, lang: Lang) -> Vec<Happening> {
    match message {
        Message::Assistant(said) => {
            let subagent = said.parent_tool_use_id.is_some();
            let happened = |block: &Block| match block {
                Block::Text(text) => pieces(text).map(|text| Happening::Text { text, subagent }).collect(),
                Block::ToolUse { name, input, .. } => {
                    let call = ToolCall {
                        tool: name.clone(),
                        input: input.clone(),
                        tool_use_id: None,
                        suggestions: Vec::new(),
                    };
                    let line = short(Subject::of(&call, "", "", None, &[], lang).line(), LINE);
                    vec![Happening::Tool { tool: visible_line(name), line, subagent }]
                }
                Block::ToolResult { .. } | Block::Other => Vec::new(),
            };
            said.blocks.iter().flat_map(happened).collect()
        }
        Message::User(user) => {
            let happened = |block: &Block| match block {
                Block::Text(text) if user.is_replay && user.parent_tool_use_id.is_none() => {
                    pieces(text).map(|text| Happening::Message { text }).collect()
                }
                Block::ToolResult { is_error: true, text, .. } => {
                    vec![Happening::ToolFailed { line: short(text, LINE) }]
                }
                _ => Vec::new(),
            };
            user.blocks.iter().flat_map(happened).collect()
        }
        Message::Result(turn) => vec![over(turn)],
        _ => Vec::new(),
    }
}

fn over(turn: &Turn) -> Happening {
    let ok = turn.subtype == "success" && !turn.is_error;
    let why = turn.result.clone().or_else(|| turn.terminal_reason.clone()).unwrap_or_else(|| turn.subtype.clone());
    let text = (!ok).then(|| short(&why, LINE));
    Happening::Turn { ok, text, more: turn.queued_turn_count > 0 }
}

/// The beginning of a text, on one line.
pub(super) fn short(text: &str, most: usize) -> String {
    let line = visible_line(text);
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}

/// All of a text, in pieces that a surface can take.
fn pieces(text: &str) -> impl Iterator<Item = String> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = (0..=TEXT.min(rest.len())).rev().find(|end| rest.is_char_boundary(*end))?;
        let (piece, after) = rest.split_at(end);
        rest = after;
        Some(piece.to_owned())
    })
}
