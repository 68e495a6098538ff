//! Sessions of Claude Code that the gateway runs: starting one, looking at it, speaking to it.
//!
//! What a session asks becomes a request like any other ([`Source::Session`](crate::Source)); what it does is told as `session.event`,
//! what has become of it as `session.changed`.

mod life;

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

pub use life::{Happening, Numbered, Queued, Session, Stage, State, Todo, TodoState};

use crate::id;

/// The longest message to a session, in bytes.
pub const MAX_TEXT: usize = 256 << 10;

/// Starts a session of Claude Code in a folder.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StartSession {
    /// Where it works: an absolute path. Over the network, one in a folder of `DMPLZ_RUN_FOLDERS`.
    #[schema(value_type = String)]
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
    /// The environment of the session; the gateway's own where it is not given. It is kept nowhere, and is taken over the Unix socket
    /// only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(ignore)]
    pub env: Option<BTreeMap<String, String>>,
}

/// A permission mode in which a person is asked. The client has others, in which nobody is; none of them is ever set.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SessionMode)]
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
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct Sessions {
    /// Holds them with the newest first.
    pub sessions: Vec<Session>,
    /// The folders in which sessions may be started over the network, and in those below them.
    #[serde(default)]
    pub folders: Vec<String>,
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
#[derive(Debug, Serialize, Deserialize, ToSchema)]
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

/// A message to a session, as REST takes it.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MessageBody {
    /// What a person says. Where it begins with `/`, the client reads a command in it.
    pub text: String,
}

/// A message is on its way.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SentMessage)]
pub struct Sent {
    /// Names the message, as the client repeats it.
    #[schema(value_type = String)]
    pub message_id: Uuid,
}

/// Stops the turn of a session; the session goes on.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct InterruptSession {
    /// The id of the session that is interrupted.
    #[serde(deserialize_with = "id::deserialize")]
    pub id: Uuid,
    /// Whether messages that wait are taken back as well.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cancel_queued: bool,
}

/// Ends a session in order: its last event tells when it has ended.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StopSession {
    /// The id of the session that is ended.
    #[serde(deserialize_with = "id::deserialize")]
    pub id: Uuid,
}

/// Takes back a message that waits.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RetractMessage {
    /// The id of the session that the message was sent to.
    #[serde(deserialize_with = "id::deserialize")]
    pub id: Uuid,
    /// The id of the message.
    #[serde(deserialize_with = "id::deserialize")]
    pub message_id: Uuid,
}

/// Whether a message was taken back.
#[derive(Debug, Serialize, Deserialize)]
pub struct Retracted {
    /// False where the agent has it already.
    pub retracted: bool,
}

/// Changes the permission mode of a session, from the next call on.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetSessionMode {
    /// The id of the session that is changed.
    #[serde(deserialize_with = "id::deserialize")]
    pub id: Uuid,
    /// The mode from now on.
    pub mode: Mode,
}

/// Changes the model of a session.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetSessionModel {
    /// The id of the session that is changed.
    #[serde(deserialize_with = "id::deserialize")]
    pub id: Uuid,
    /// The model from now on; none for the client's default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

/// Goes on with a session that has ended, in the mode that it ended in.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResumeSession {
    /// The id of the session that goes on.
    #[serde(deserialize_with = "id::deserialize")]
    pub id: Uuid,
    /// The environment from now on, as for [`StartSession::env`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub env: Option<BTreeMap<String, String>>,
}

/// Asks a session's client for its permission rules.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListSessionRules {
    /// The id of the session that is asked.
    #[serde(deserialize_with = "id::deserialize")]
    pub id: Uuid,
}

/// The permission rules of a session's client, beside those of this program.
#[derive(Debug, Serialize, Deserialize)]
pub struct SessionRules {
    /// Holds them as the client lists them.
    pub rules: Vec<ClientRule>,
}

/// A permission rule of the client's settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClientRule {
    /// What it does: `allow`, `deny` or `ask`.
    pub behavior: String,
    /// The rule as the client writes it.
    pub rule: String,
    /// The settings that it stands in: `userSettings`, `session`, ...
    pub source: String,
}

impl Mode {
    /// Every mode that there is here.
    pub const ALL: [Self; 3] = [Self::Default, Self::AcceptEdits, Self::Plan];

    /// The one that the client calls so; none where it is one in which nobody is asked.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }

    /// As the client calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::AcceptEdits => "acceptEdits",
            Self::Plan => "plan",
        }
    }
}

impl std::fmt::Debug for StartSession {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StartSession").field("cwd", &self.cwd).finish_non_exhaustive()
    }
}

impl std::fmt::Debug for ResumeSession {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ResumeSession").field("id", &self.id).finish_non_exhaustive()
    }
}
