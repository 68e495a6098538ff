//! Methods about sessions of Claude Code that the gateway runs: to start, read and list them, and to send them
//! messages.
//!
//! When a session asks for permission, that is a request like any other ([`Source::Session`](crate::Source)). Its
//! events are sent as `session.event`, and changes of its state as `session.changed`.

mod life;
mod mode;
mod rules;
mod undo;
mod upload;

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

pub use life::{Happening, Numbered, PlanLimit, Queued, Session, Stage, State, Todo, TodoState};
pub use mode::{AnyMode, Mode, NoMode, UnaskedMode};
pub use rules::{ClientRule, GivenPermission, ListSessionRules, RevokePermission, SessionRules};
pub use undo::{Undo, UndoBody, UndoSession, Undone};
pub use upload::{FilePart, MAX_FILE, MAX_PART, UploadToSession, Uploaded};

use crate::id;

/// The longest message to a session, in bytes.
pub const MAX_TEXT: usize = 256 << 10;

/// The most files of a message to a session.
pub const MAX_FILES: usize = 10;

/// The longest name of a session, in characters.
pub const MAX_NAME: usize = 80;

/// Starts a session of Claude Code in a folder.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StartSession {
    /// The folder in which it works, as an absolute path. Over the network it must be in a folder of
    /// `DMPLZ_RUN_FOLDERS`.
    #[schema(value_type = String, pattern = r"^/[^\x00]*$", example = "/")]
    pub cwd: PathBuf,
    /// The first message; if absent, the session waits for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// The model; by default the client's default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The permission mode that it begins in.
    #[serde(default)]
    pub mode: Mode,
    /// The environment of the session, by default the gateway's own. It is not stored, and is accepted over the Unix
    /// socket only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(ignore)]
    pub env: Option<BTreeMap<String, String>>,
}

/// Params of `session.list`, which returns all known sessions, the newest first.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListSessions {}

/// The sessions that the gateway knows.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct Sessions {
    /// The sessions, the newest first.
    pub sessions: Vec<Session>,
    /// The folders in which, and below which, sessions may be started over the network.
    #[serde(default)]
    pub folders: Vec<String>,
    /// The modes in which nobody is asked and which may be set, after a confirmation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modes: Vec<UnaskedMode>,
}

/// Params of `session.get`, which returns one session.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GetSession {
    /// The id of the session.
    #[serde(deserialize_with = "id::deserialize")]
    pub id: Uuid,
}

/// A session with its recent events.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct OneSession {
    /// The session in its current state.
    pub session: Session,
    /// Its recent events, oldest first.
    pub events: Vec<Numbered>,
    /// What was told so far of the text that the agent is writing.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schema(required = false)]
    pub partial: String,
}

/// Sends a message to a session. The client reads a message that begins with `/` as a command.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SendToSession {
    /// The id of the session.
    #[serde(deserialize_with = "id::deserialize")]
    pub id: Uuid,
    /// What a person says.
    pub text: String,
}

/// A message to a session, as the body of a REST request.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MessageBody {
    /// The text of the message. The client reads a text that begins with `/` as a command.
    pub text: String,
}

/// The result of sending a message.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SentMessage)]
pub struct Sent {
    /// The id of the message, which the client repeats.
    #[schema(value_type = id::Id)]
    pub message_id: Uuid,
}

/// Stops the current turn of a session, and denies what it waits for. The session continues.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct InterruptSession {
    /// The id of the session that is interrupted.
    #[serde(deserialize_with = "id::deserialize")]
    pub id: Uuid,
    /// The reason, which the agent reads with the next message, at most [`MAX_TEXT`] bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether waiting messages are retracted as well.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cancel_queued: bool,
}

/// The body of an interrupt over REST. Without it nothing is said and no message is retracted.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[schema(as = InterruptTurn)]
pub struct InterruptBody {
    /// The reason, which the agent reads with the next message.
    #[schema(nullable = false)]
    pub reason: Option<String>,
    /// Whether waiting messages are retracted as well.
    pub cancel_queued: bool,
}

/// Ends a session in an orderly way. Its last event reports the end.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StopSession {
    /// The id of the session that is ended.
    #[serde(deserialize_with = "id::deserialize")]
    pub id: Uuid,
}

/// Retracts a waiting message.
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

/// The result of retracting a message.
#[derive(Debug, Serialize, Deserialize)]
pub struct Retracted {
    /// Whether the message was retracted; false if the agent has it already.
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
    pub mode: AnyMode,
}

/// The result of changing the mode.
#[derive(Debug, Serialize, Deserialize)]
pub struct ModeSet {
    /// Whether the mode is not set yet, because a person has to confirm it on another surface first.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub confirm: bool,
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

/// Resumes a session that has ended, in the mode in which it ended.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResumeSession {
    /// The id of the session that is resumed.
    #[serde(deserialize_with = "id::deserialize")]
    pub id: Uuid,
    /// The environment from now on, as for [`StartSession::env`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub env: Option<BTreeMap<String, String>>,
}

/// Gives a session a name, which people see instead of the beginning of its first message.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RenameSession {
    /// The id of the session that is renamed.
    #[serde(deserialize_with = "id::deserialize")]
    pub id: Uuid,
    /// The name, at most [`MAX_NAME`] characters on one line. An empty one removes the name.
    pub name: String,
}

/// Starts another session that continues from the conversation of this one, which stays as it is. It has the folder, the
/// mode and the model of this one.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ForkSession {
    /// The id of the session whose conversation is continued. It must be idle, or have ended.
    #[serde(deserialize_with = "id::deserialize")]
    pub id: Uuid,
    /// The environment of the new session, as for [`StartSession::env`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub env: Option<BTreeMap<String, String>>,
}

/// A name for a session, as the body of a REST request.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NameBody {
    /// The name; empty to remove it.
    pub name: String,
}
