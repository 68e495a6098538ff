//! A session as surfaces see it, and what it does.

use dmplz_core::present::Piece;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// A session, as surfaces see it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    /// Names it, for the client as well.
    #[schema(value_type = String)]
    pub id: Uuid,
    /// The folder that it works in.
    pub cwd: String,
    /// The beginning of its first message; empty while there is none.
    pub title: String,
    /// What it is busy with.
    pub state: State,
    /// The permission mode, as the client calls it.
    pub mode: String,
    /// The model; empty until the client has said.
    pub model: String,
    /// When it was started, Unix milliseconds.
    pub created_ms: u64,
    /// What it has cost so far, US dollars.
    pub cost_usd: f64,
    /// The messages that were sent to it lately, oldest first.
    #[serde(default)]
    pub queue: Vec<Queued>,
    /// The agent's list of what is to be done, as it keeps it.
    #[serde(default)]
    pub todos: Vec<Todo>,
}

/// What a session is busy with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = SessionState)]
pub enum State {
    /// The client starts, or the gateway is not connected with it yet.
    Starting,
    /// It waits for a message.
    Idle,
    /// It works.
    Working,
    /// It waits for an answer to a request.
    Asking,
    /// It is over.
    Ended,
}

/// A message that was sent to a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = QueuedMessage)]
pub struct Queued {
    /// The id that the message was sent with.
    #[schema(value_type = String)]
    pub id: Uuid,
    /// The beginning of it, on one line.
    pub text: String,
    /// How far it has come.
    pub stage: Stage,
}

/// How far a message has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = MessageStage)]
pub enum Stage {
    /// The agent has not seen it.
    Waiting,
    /// The agent has it.
    Taken,
    /// The turn that it belongs to is over.
    Done,
    /// It was taken back, or the client ended before it was taken.
    Dropped,
}

/// Something that the agent means to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Todo {
    /// What, on one line. Untrusted.
    pub text: String,
    /// How far it is.
    pub state: TodoState,
}

/// How far a to-do is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TodoState {
    /// Not begun.
    Open,
    /// The agent is at it.
    Doing,
    /// Done.
    Done,
}

/// Something that a session did, by its place in the session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = SessionEvent)]
pub struct Numbered {
    /// Orders the events of the session: it grows, also over a restart of the gateway, and skips numbers.
    pub number: u64,
    /// Says what the session did.
    pub event: Happening,
}

/// Something that a session did. All texts in it are untrusted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase")]
#[schema(as = SessionHappening)]
pub enum Happening {
    /// A person's message was taken.
    Message {
        /// What it says.
        text: String,
    },
    /// The agent says something.
    Text {
        /// What.
        text: String,
        /// Whether a subagent does.
        subagent: bool,
    },
    /// The agent calls a tool.
    Tool {
        /// The client's id of the call.
        #[serde(default)]
        call: String,
        /// Which.
        tool: String,
        /// With what: the beginning of it, on one line.
        line: String,
        /// With what, as people read it: as much of it as is kept.
        #[serde(default)]
        shown: Vec<Piece>,
        /// Whether more of it is not kept.
        #[serde(default)]
        cut: bool,
        /// Whether a subagent does.
        subagent: bool,
    },
    /// A call returned.
    ToolReturned {
        /// The client's id of the call.
        call: String,
        /// The beginning of what it returned.
        text: String,
    },
    /// A call failed, or was not run.
    ToolFailed {
        /// The client's id of the call.
        #[serde(default)]
        call: String,
        /// Why: the beginning of it, on one line.
        line: String,
    },
    /// A turn is over.
    Turn {
        /// Whether it went as it should.
        ok: bool,
        /// What went wrong, or the last words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        text: Option<String>,
        /// Whether another one follows, of a message that waits.
        more: bool,
    },
    /// Something that a person should know.
    Notice {
        /// What, in English.
        text: String,
    },
    /// The session had ended, and goes on.
    Resumed,
    /// The session is over.
    Ended {
        /// The client's exit code; none where it was killed or lost.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        code: Option<i32>,
        /// What the client said of it at last; empty where it said nothing.
        text: String,
    },
}

impl Session {
    /// Returns about how many bytes of text it holds.
    pub fn weight(&self) -> usize {
        let queue = self.queue.iter().map(|queued| queued.text.len() + 100);
        let todos = self.todos.iter().map(|todo| todo.text.len() + 40);
        self.cwd.len() + self.title.len() + queue.chain(todos).sum::<usize>()
    }
}

impl Happening {
    /// Returns about how many bytes of text it holds.
    pub fn weight(&self) -> usize {
        match self {
            Self::Message { text } | Self::Text { text, .. } | Self::Notice { text } | Self::Ended { text, .. } => {
                text.len()
            }
            Self::ToolReturned { text, .. } => text.len(),
            Self::Tool { line, shown, .. } => line.len() + shown.iter().map(Piece::weight).sum::<usize>(),
            Self::ToolFailed { line, .. } => line.len(),
            Self::Resumed => 0,
            Self::Turn { text, .. } => text.as_ref().map_or(0, String::len),
        }
    }
}
