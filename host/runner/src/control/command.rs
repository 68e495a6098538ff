//! The lines that we send to the client: our requests, and the messages of people.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::message::{Block, Message, User};

/// A request to the client.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "subtype", rename_all = "snake_case")]
pub enum Command {
    /// Says who we are. Sent again, the client repeats what it waits for.
    Initialize(Initialize),
    /// Stops the turn. Requests that are open are cancelled first.
    Interrupt {
        /// Whether waiting messages are retracted as well.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        cancel_queued: bool,
    },
    /// Changes the permission mode.
    SetPermissionMode {
        /// `default`, `acceptEdits` or `plan`.
        mode: String,
    },
    /// Changes the model.
    SetModel {
        /// Its name; none for the client's default.
        model: Option<String>,
    },
    /// Takes back a message that waits.
    CancelAsyncMessage {
        /// The id that the message was sent with.
        message_uuid: Uuid,
    },
    /// Puts files back to where they were before a message.
    RewindFiles {
        /// The id that the message was sent with.
        user_message_id: Uuid,
        /// Whether it only reports what would change.
        dry_run: bool,
    },
    /// Asks for the client's permission rules.
    ListPermissionRules,
    /// Replaces settings of the session, as if the command line gave them. They are in force from the next call on, and
    /// end with the client's process (observed on 2.1.330).
    ApplyFlagSettings {
        /// The settings; those that are not named stay as they are.
        settings: FlagSettings,
    },
}

impl Command {
    /// Returns the message to which a line puts files back, and whether it is a dry run; `None` for any other line.
    pub(super) fn rewinds(line: &[u8]) -> Option<(Uuid, bool)> {
        #[derive(Deserialize)]
        struct Line {
            request: Rewind,
        }
        #[derive(Deserialize)]
        struct Rewind {
            subtype: String,
            user_message_id: Uuid,
            dry_run: bool,
        }
        let Line { request } = serde_json::from_slice(line).ok()?;
        (request.subtype == "rewind_files").then_some((request.user_message_id, request.dry_run))
    }
}

/// The settings of a session that we set.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct FlagSettings {
    /// What the client may do without asking.
    pub permissions: PermissionLists,
}

/// What the client may do without asking, in the notation of its settings. An entry that the client cannot read is passed
/// over by it, and the others count.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PermissionLists {
    /// Rules, for example `Bash(git push *)`.
    pub allow: Vec<String>,
    /// Absolute paths of directories.
    pub additional_directories: Vec<String>,
}

/// The request that starts the protocol. We register no hooks, no MCP servers, and no kinds of dialogs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Initialize {
    hooks: Map<String, Value>,
    supported_dialog_kinds: Vec<String>,
    /// Must be set, because otherwise an interrupt would also end agents in the background.
    per_task_stop_affordance: bool,
}

impl Default for Initialize {
    fn default() -> Self {
        Self { hooks: Map::new(), supported_dialog_kinds: Vec::new(), per_task_stop_affordance: true }
    }
}

/// A message of a person to the session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserMessage {
    /// Names it: the client repeats it, and takes the message back by it.
    pub id: Uuid,
    /// The text of the message. The client reads a text that begins with `/` as a command.
    pub text: String,
    /// Whether the agent answers it. Otherwise the agent reads it with the next message that it answers (`shouldQuery` of the
    /// Agent SDK; observed on 2.1.330).
    pub starts_turn: bool,
}

impl UserMessage {
    /// Returns the message in a line to the client, if it is one.
    pub(super) fn of(message: &Message) -> Option<Self> {
        let Message::User(User { blocks, uuid, starts_turn, .. }) = message else { return None };
        let id = Uuid::try_parse(uuid.as_deref()?).ok()?;
        let texts = blocks.iter().filter_map(|block| match block {
            Block::Text(text) => Some(text.as_str()),
            _ => None,
        });
        Some(Self { id, text: texts.collect::<Vec<_>>().join("\n"), starts_turn: *starts_turn })
    }

    /// Returns the line that sends it, with the line feed.
    pub fn line(&self) -> String {
        let mut message = serde_json::json!({
            "type": "user",
            "message": { "role": "user", "content": self.text },
            "parent_tool_use_id": null,
            "session_id": "",
            "uuid": self.id,
            "origin": { "kind": "human" },
        });
        if let (false, Some(message)) = (self.starts_turn, message.as_object_mut()) {
            message.insert("shouldQuery".to_owned(), false.into());
        }
        line(&message)
    }
}

/// Returns a value as a line, with the line feed.
pub(super) fn line(value: &Value) -> String {
    format!("{value}\n")
}
