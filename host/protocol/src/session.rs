//! Methods about sessions of Claude Code that the gateway runs: to start, read and list them, and to send them
//! messages.
//!
//! When a session asks for permission, that is a request like any other ([`Source::Session`](crate::Source)). Its
//! events are sent as `session.event`, and changes of its state as `session.changed`.

mod life;
mod mode;

use std::collections::BTreeMap;
use std::path::PathBuf;

use dmplz_core::approvers::Answerer;
use dmplz_core::claude::{Permission, Scope};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

pub use life::{Happening, Numbered, PlanLimit, Queued, Session, Stage, State, Todo, TodoState};
pub use mode::{AnyMode, Mode, NoMode, UnaskedMode};

use crate::id;

/// The longest message to a session, in bytes.
pub const MAX_TEXT: usize = 256 << 10;

/// The largest file of a message to a session, in bytes: 20 MiB.
pub const MAX_FILE: usize = 20 << 20;

/// The largest part of a file that is uploaded at once, in bytes: 128 KiB. In Base64 it fits into a message.
pub const MAX_PART: usize = 128 << 10;

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
    #[schema(value_type = String)]
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

/// Uploads a file for a message to a session, part by part in their order.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UploadToSession {
    /// The id of the session.
    #[serde(deserialize_with = "id::deserialize")]
    pub id: Uuid,
    /// The part of the file.
    pub part: FilePart,
}

/// A part of a file for a message to a session.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FilePart {
    /// The id of the upload, which its sender makes. It is the same for all parts of a file.
    #[serde(deserialize_with = "id::deserialize")]
    #[schema(value_type = String)]
    pub upload: Uuid,
    /// The name of the file.
    pub name: String,
    /// Where the part begins in the file, in bytes: as many as were uploaded before. At 0 the file begins anew.
    pub at: u64,
    /// The bytes of the part in Base64, with padding (RFC 4648, section 4): at most 128 KiB.
    pub content: String,
    /// Whether the file ends with it.
    pub last: bool,
}

/// How far an upload has come.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = UploadedFile)]
pub struct Uploaded {
    /// How many bytes of the file there are.
    pub at: u64,
    /// How a message mentions the file, for example `@"/home/me/shot.png"`, once all of it is there. The client
    /// attaches a picture, a PDF or a text that a message mentions so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mention: Option<String>,
}

/// The result of sending a message.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SentMessage)]
pub struct Sent {
    /// The id of the message, which the client repeats.
    #[schema(value_type = String)]
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

/// Restores the files that the agent has edited since a message. The session must be idle. Without `confirm` nothing is
/// changed, and the result says what would be.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UndoSession {
    /// The id of the session whose edits are undone.
    #[serde(deserialize_with = "id::deserialize")]
    pub id: Uuid,
    /// The message since which edits are undone; by default the last one that the agent received.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message_id: Option<Uuid>,
    /// What a person saw and confirmed. If undoing would change anything else by now, nothing is changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirm: Option<Undo>,
}

/// What is to be undone, as the body of a REST request.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UndoBody {
    /// The message since which edits are undone; by default the last one that the agent received.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, nullable = false)]
    pub message_id: Option<Uuid>,
    /// What a person saw and confirmed. Without it nothing is changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub confirm: Option<Undo>,
}

/// A name for a session, as the body of a REST request.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NameBody {
    /// The name; empty to remove it.
    pub name: String,
}

/// The changes that undoing makes to files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Undo {
    /// The message since which edits are undone.
    #[serde(deserialize_with = "id::deserialize")]
    #[schema(value_type = String)]
    pub message_id: Uuid,
    /// The paths of the files that change, as the client writes them.
    pub files: Vec<String>,
    /// The number of lines that are added.
    pub insertions: u64,
    /// The number of lines that are removed.
    pub deletions: u64,
}

/// The result of `session.undo`.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct Undone {
    /// The changes that undoing makes to files.
    pub undo: Undo,
    /// The beginning of the message, on one line; empty if it is not known any more.
    pub text: String,
    /// Whether the files were changed.
    pub done: bool,
}

/// Asks a session's client for its permission rules.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListSessionRules {
    /// The id of the session that is asked.
    #[serde(deserialize_with = "id::deserialize")]
    pub id: Uuid,
}

/// The permission rules of a session's client. They apply in addition to those of this program.
#[derive(Debug, Serialize, Deserialize)]
pub struct SessionRules {
    /// The rules as the client lists them; none if the session has ended.
    pub rules: Vec<ClientRule>,
    /// What people allowed when they answered the session's requests, oldest first. It can be revoked.
    #[serde(default)]
    pub given: Vec<GivenPermission>,
}

/// What a person allowed the client to do from then on, when they answered a request of the session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GivenPermission {
    /// Its number, which names it in this session.
    pub number: u32,
    /// What the client may do, as its settings write it.
    pub permission: Permission,
    /// For what it was stored.
    pub scope: Scope,
    /// The person who allowed it.
    pub by: Answerer,
    /// When they did, in Unix milliseconds.
    pub at_ms: u64,
}

/// Revokes what a person allowed when they answered a request of a session: the client asks about it again. It also works
/// after the session has ended.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RevokePermission {
    /// The id of the session.
    #[serde(deserialize_with = "id::deserialize")]
    pub id: Uuid,
    /// The number of the permission.
    pub number: u32,
}

/// A permission rule of the client's settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClientRule {
    /// What it does: `allow`, `deny` or `ask`.
    pub behavior: String,
    /// The rule as the client writes it.
    pub rule: String,
    /// The settings that contain it: `userSettings`, `session`, ...
    pub source: String,
}
