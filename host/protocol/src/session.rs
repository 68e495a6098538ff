//! Sessions of Claude Code that the gateway runs: starting one, looking at it, speaking to it.
//!
//! What a session asks becomes a request like any other ([`Source::Session`](crate::Source)); what it does is told as `session.event`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::id;

/// The longest message to a session, in bytes.
pub const MAX_TEXT: usize = 256 << 10;

/// Starts a session of Claude Code in a folder.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StartSession {
    /// Where it works: an absolute path.
    pub cwd: PathBuf,
    /// The first message; none to wait for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// The model; none for the client's default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The permission mode that it begins in.
    #[serde(default)]
    pub mode: Mode,
    /// The environment of the session; the gateway's own where it is not given. It is kept nowhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub env: Option<BTreeMap<String, String>>,
}

/// A permission mode in which a person is asked. The client has others, in which nobody is; none of them is ever set.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Mode {
    /// The client asks before it edits a file.
    #[default]
    Default,
    /// The client edits files of the folder without asking.
    AcceptEdits,
    /// The client changes nothing before its plan is approved.
    Plan,
}

/// Asks for the sessions that are known, the newest first.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListSessions {}

/// The sessions that the gateway knows.
#[derive(Debug, Serialize, Deserialize)]
pub struct Sessions {
    /// Holds them with the newest first.
    pub sessions: Vec<Session>,
}

/// Asks for one session.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GetSession {
    /// The id of the session that is wanted.
    #[serde(deserialize_with = "id::deserialize")]
    pub id: Uuid,
}

/// One session, with what it did lately.
#[derive(Debug, Serialize, Deserialize)]
pub struct OneSession {
    /// The session as it is now.
    pub session: Session,
    /// What it did lately, oldest first.
    pub events: Vec<Numbered>,
}

/// Sends a message to a session. Where it begins with `/`, the client reads a command in it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SendToSession {
    /// The id of the session that is spoken to.
    #[serde(deserialize_with = "id::deserialize")]
    pub id: Uuid,
    /// What a person says.
    pub text: String,
}

/// A message is on its way.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Sent {
    /// Names the message, as the client repeats it.
    pub message_id: Uuid,
}

/// Stops the turn of a session; the session goes on.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InterruptSession {
    /// The id of the session that is interrupted.
    #[serde(deserialize_with = "id::deserialize")]
    pub id: Uuid,
}

/// Ends a session in order: its last event tells when it has ended.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StopSession {
    /// The id of the session that is ended.
    #[serde(deserialize_with = "id::deserialize")]
    pub id: Uuid,
}

/// A session, as surfaces see it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    /// Names it, for the client as well.
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
}

/// What a session is busy with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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

/// Something that a session did, by its place in the session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Numbered {
    /// Counts the events of the session, from 1.
    pub number: u64,
    /// Says what the session did.
    pub event: Happening,
}

/// Something that a session did. All texts in it are untrusted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase")]
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
        /// Which.
        tool: String,
        /// With what: the beginning of it, on one line.
        line: String,
        /// Whether a subagent does.
        subagent: bool,
    },
    /// A call failed, or was not run.
    ToolFailed {
        /// Why: the beginning of it, on one line.
        line: String,
    },
    /// A turn is over.
    Turn {
        /// Whether it went as it should.
        ok: bool,
        /// What went wrong, or the last words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
        /// Whether another one follows, of a message that waits.
        more: bool,
    },
    /// Something that a person should know.
    Notice {
        /// What, in English.
        text: String,
    },
    /// The session is over.
    Ended {
        /// The client's exit code; none where it was killed or lost.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        code: Option<i32>,
        /// What the client said of it at last; empty where it said nothing.
        text: String,
    },
}

impl Mode {
    /// As the client calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::AcceptEdits => "acceptEdits",
            Self::Plan => "plan",
        }
    }
}

impl Happening {
    /// Returns about how many bytes of text it holds.
    pub fn weight(&self) -> usize {
        match self {
            Self::Message { text } | Self::Text { text, .. } | Self::Notice { text } | Self::Ended { text, .. } => {
                text.len()
            }
            Self::Tool { line, .. } | Self::ToolFailed { line } => line.len(),
            Self::Turn { text, .. } => text.as_ref().map_or(0, String::len),
        }
    }
}

impl std::fmt::Debug for StartSession {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StartSession").field("cwd", &self.cwd).finish_non_exhaustive()
    }
}
