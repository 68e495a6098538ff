//! A session as surfaces see it, and its events.

pub use dmplz_core::lead::{SessionState as State, TodoState};
use dmplz_core::present::Piece;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::id;

/// A session, as surfaces see it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    /// The id of the session, which the client uses as well.
    #[schema(value_type = id::Id)]
    pub id: Uuid,
    /// The folder in which it works.
    pub cwd: String,
    /// The beginning of its first message; empty while there is none.
    pub title: String,
    /// The name that a person gave it; empty if nobody did.
    #[serde(default)]
    pub name: String,
    /// The state of the session.
    pub state: State,
    /// The client's name of the permission mode.
    pub mode: String,
    /// The model; empty until the client reports it.
    pub model: String,
    /// When it was started, in Unix milliseconds.
    pub created_ms: u64,
    /// The cost so far, in US dollars.
    pub cost_usd: f64,
    /// The limit of the plan that the client reported last; absent if it reported none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub limit: Option<PlanLimit>,
    /// The recent messages to it, oldest first.
    #[serde(default)]
    pub queue: Vec<Queued>,
    /// The agent's to-do list.
    #[serde(default)]
    pub todos: Vec<Todo>,
}

/// A limit of the person's plan with the provider of the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanLimit {
    /// The period that it limits: `5h`, `7d`, or the client's name of another one.
    pub window: String,
    /// The client's name of its state: `allowed`, `allowed_warning` or `rejected`.
    pub state: String,
    /// The part that is used, from 0 to 1; absent if the client does not report it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub used: Option<f64>,
    /// When the period begins anew, in Unix milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub resets_ms: Option<u64>,
}

impl PlanLimit {
    /// Returns it in a few characters that every language reads: `5h 91%`, or `5h ⛔` once it is reached.
    pub fn short(&self) -> String {
        match (self.state.as_str(), self.used) {
            ("rejected", _) => format!("{} ⛔", self.window),
            (_, Some(used)) => format!("{} {:.0}%", self.window, used * 100.0),
            (_, None) => self.window.clone(),
        }
    }
}

/// A message that was sent to a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = QueuedMessage)]
pub struct Queued {
    /// The id that the message was sent with.
    #[schema(value_type = id::Id)]
    pub id: Uuid,
    /// The beginning of the text, on one line.
    pub text: String,
    /// The stage of the message.
    pub stage: Stage,
}

/// The stage of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = MessageStage)]
pub enum Stage {
    /// The agent has not seen it.
    Waiting,
    /// The agent has received it.
    Taken,
    /// The turn that it belongs to is over.
    Done,
    /// It was retracted, or the client ended before it was received.
    Dropped,
}

/// An item of the agent's to-do list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Todo {
    /// The text on one line. It is untrusted.
    pub text: String,
    /// The state of the item.
    pub state: TodoState,
}

/// An event of a session, with its number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = SessionEvent)]
pub struct Numbered {
    /// The number that orders the events of the session. It increases, also over a restart of the gateway, but not
    /// always by one.
    pub number: u64,
    /// What happened in the session.
    pub event: Happening,
}

/// An event of a session. All its texts are untrusted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase")]
#[schema(as = SessionHappening)]
pub enum Happening {
    /// The agent received a person's message.
    Message {
        /// The text of the message.
        text: String,
    },
    /// The agent wrote a text.
    Text {
        /// The text.
        text: String,
        /// Whether a subagent did it.
        subagent: bool,
    },
    /// The agent called a tool.
    Tool {
        /// The client's id of the call.
        #[serde(default)]
        call: String,
        /// The name of the tool.
        tool: String,
        /// The beginning of its input, on one line.
        line: String,
        /// Its input as people read it, as far as it is kept.
        #[serde(default)]
        shown: Vec<Piece>,
        /// Whether a part of the input is not kept.
        #[serde(default)]
        cut: bool,
        /// Whether a subagent did it.
        subagent: bool,
    },
    /// A call returned.
    ToolReturned {
        /// The client's id of the call.
        call: String,
        /// The beginning of its result.
        text: String,
    },
    /// A call failed, or was not run.
    ToolFailed {
        /// The client's id of the call.
        #[serde(default)]
        call: String,
        /// The beginning of the reason, on one line.
        line: String,
    },
    /// A turn ended.
    Turn {
        /// Whether it succeeded.
        ok: bool,
        /// The error, or the agent's last text.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        text: Option<String>,
        /// Whether another turn follows, for a waiting message.
        more: bool,
    },
    /// A notice for people.
    Notice {
        /// The text of the notice, in English.
        text: String,
    },
    /// Edits of files were undone. The agent does not learn of it.
    Undone {
        /// The number of files that changed.
        files: usize,
        /// The number of lines that were added.
        insertions: u64,
        /// The number of lines that were removed.
        deletions: u64,
    },
    /// The session had ended, and was resumed.
    Resumed,
    /// The session ended.
    Ended {
        /// The client's exit code; absent if it was killed or lost.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        code: Option<i32>,
        /// The client's last text about its end; empty if there is none.
        text: String,
    },
}

impl Session {
    /// Returns what people call it: its name, or else its title. Both are empty in a new session.
    pub fn label(&self) -> &str {
        if self.name.is_empty() { &self.title } else { &self.name }
    }

    /// Returns about how many bytes of text it holds.
    pub fn weight(&self) -> usize {
        let queue = self.queue.iter().map(|queued| queued.text.len() + 100);
        let todos = self.todos.iter().map(|todo| todo.text.len() + 40);
        self.cwd.len() + self.title.len() + self.name.len() + queue.chain(todos).sum::<usize>()
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
            Self::Resumed | Self::Undone { .. } => 0,
            Self::Turn { text, .. } => text.as_ref().map_or(0, String::len),
        }
    }
}
