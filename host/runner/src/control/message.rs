//! The messages of the client about its session. Only what surfaces show is typed.

use serde::Deserialize;
use serde_json::{Map, Value};
use uuid::Uuid;

/// A message of the client.
#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    /// The agent says or calls something: one finished block, usually.
    Assistant(Assistant),
    /// A message to the agent: a person's, repeated, or what a tool returned.
    User(User),
    /// A turn is over.
    Result(Turn),
    /// Something about the session.
    System(System),
    /// The stage of a person's message.
    Lifecycle(Lifecycle),
    /// The limit of the person's plan.
    RateLimit(RateLimit),
    /// Any other line.
    Other,
}

/// A message of the agent.
#[derive(Debug, Clone, PartialEq)]
pub struct Assistant {
    /// The texts and calls of the agent, in order.
    pub blocks: Vec<Block>,
    /// The call that started the subagent it is from; `None` for the main conversation.
    pub parent_tool_use_id: Option<String>,
}

/// A message to the agent.
#[derive(Debug, Clone, PartialEq)]
pub struct User {
    /// The contents of the message, in order.
    pub blocks: Vec<Block>,
    /// Whether the client repeats a message that it received.
    pub is_replay: bool,
    /// Whether the agent answers it. Otherwise the agent reads it with the next message that it answers.
    pub starts_turn: bool,
    /// The id that the message was sent with.
    pub uuid: Option<String>,
    /// The call that started the subagent it is for; `None` for the main conversation.
    pub parent_tool_use_id: Option<String>,
}

/// A piece of a message.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// A text.
    Text(String),
    /// A call of a tool.
    ToolUse {
        /// The client's id of the call.
        id: String,
        /// The tool.
        name: String,
        /// Its input.
        input: Map<String, Value>,
    },
    /// The result of a tool.
    ToolResult {
        /// The id of the call.
        tool_use_id: String,
        /// Whether it failed, or was not run.
        is_error: bool,
        /// The textual part of the result.
        text: String,
    },
    /// Any other content, such as a thought or a picture.
    Other,
}

/// The stage of a person's message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lifecycle {
    /// The id that the message was sent with.
    pub uuid: String,
    /// The stage: `queued`, `started`, `completed`, `cancelled`, `discarded` or `refused`.
    pub state: String,
}

/// A turn that is over.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Turn {
    /// Says how it ended: `success`, `error_during_execution`, ...
    pub subtype: String,
    /// With `success`, whether the model could not be reached.
    pub is_error: bool,
    /// The agent's last text, or the error.
    pub result: Option<String>,
    /// The errors that ended it, in English.
    pub errors: Vec<String>,
    /// How often the model was asked; none where the client was only told something.
    pub num_turns: Option<u64>,
    /// The cost of the session so far, in US dollars.
    pub total_cost_usd: Option<f64>,
    /// The number of turns that follow, for waiting messages.
    pub queued_turn_count: u64,
    /// The reason of its end, in one word.
    pub terminal_reason: Option<String>,
}

/// A limit of the person's plan.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct RateLimit {
    /// Its state: `allowed`, `allowed_warning` or `rejected`.
    pub status: String,
    /// The period: `five_hour`, `seven_day`, ...
    pub rate_limit_type: Option<String>,
    /// The part that is used, from 0 to 1.
    pub utilization: Option<f64>,
    /// When the period begins anew, in Unix seconds.
    pub resets_at: Option<u64>,
}

/// Something about the session.
#[derive(Debug, Clone, PartialEq)]
pub enum System {
    /// A turn begins, or the conversation was cleared.
    Init {
        /// The client's id of the conversation. It is the session's, unless the conversation was cleared.
        conversation: Option<Uuid>,
        /// The model.
        model: Option<String>,
        /// The permission mode.
        permission_mode: Option<String>,
    },
    /// Its permission mode has changed, or what it is busy with.
    Status {
        /// The permission mode.
        permission_mode: Option<String>,
    },
    /// `idle`, `running` or `requires_action`.
    StateChanged {
        /// Which.
        state: String,
    },
    /// Any other.
    Other,
}

impl Message {
    /// Returns whether what the agent was writing in the main conversation is finished, or is not gone on with.
    pub fn ends_writing(&self) -> bool {
        match self {
            Self::Assistant(said) => said.parent_tool_use_id.is_none(),
            Self::Result(_) => true,
            _ => false,
        }
    }

    pub(super) fn read(text: &str) -> Self {
        let Ok(line) = serde_json::from_str::<Value>(text) else { return Self::Other };
        let word = |key: &str| line.get(key).and_then(Value::as_str).map(str::to_owned);
        let kind = word("type").unwrap_or_default();
        let parent_tool_use_id = word("parent_tool_use_id");
        match kind.as_str() {
            "assistant" => Self::Assistant(Assistant { blocks: blocks(&line), parent_tool_use_id }),
            "user" => Self::User(User {
                blocks: blocks(&line),
                is_replay: line.get("isReplay").and_then(Value::as_bool).unwrap_or_default(),
                starts_turn: line.get("shouldQuery").and_then(Value::as_bool).unwrap_or(true),
                uuid: word("uuid"),
                parent_tool_use_id,
            }),
            "result" => Turn::deserialize(&line).map_or(Self::Other, Self::Result),
            "system" => Self::System(match word("subtype").unwrap_or_default().as_str() {
                "init" => System::Init {
                    conversation: word("session_id").and_then(|id| Uuid::try_parse(&id).ok()),
                    model: word("model"),
                    permission_mode: word("permissionMode"),
                },
                "status" => System::Status { permission_mode: word("permissionMode") },
                "session_state_changed" => System::StateChanged { state: word("state").unwrap_or_default() },
                _ => System::Other,
            }),
            "command_lifecycle" => Self::Lifecycle(Lifecycle {
                uuid: word("command_uuid").unwrap_or_default(),
                state: word("state").unwrap_or_default(),
            }),
            "rate_limit_event" => {
                let limit = line.get("rate_limit_info").map(RateLimit::deserialize);
                limit.and_then(Result::ok).map_or(Self::Other, Self::RateLimit)
            }
            _ => Self::Other,
        }
    }
}

/// Returns the blocks of a message's content, which may also be a single text.
fn blocks(line: &Value) -> Vec<Block> {
    match line.get("message").and_then(|message| message.get("content")) {
        Some(Value::String(text)) => vec![Block::Text(text.clone())],
        Some(Value::Array(blocks)) => blocks.iter().map(block).collect(),
        _ => Vec::new(),
    }
}

fn block(block: &Value) -> Block {
    let word = |key: &str| block.get(key).and_then(Value::as_str).map(str::to_owned).unwrap_or_default();
    match word("type").as_str() {
        "text" => Block::Text(word("text")),
        "tool_use" => {
            let input = block.get("input").and_then(Value::as_object).cloned().unwrap_or_default();
            Block::ToolUse { id: word("id"), name: word("name"), input }
        }
        "tool_result" => Block::ToolResult {
            tool_use_id: word("tool_use_id"),
            is_error: block.get("is_error").and_then(Value::as_bool).unwrap_or_default(),
            text: returned(block.get("content")),
        },
        _ => Block::Other,
    }
}

fn returned(content: Option<&Value>) -> String {
    match content {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(pieces)) => {
            let texts = pieces.iter().filter_map(|piece| piece.get("text").and_then(Value::as_str));
            texts.collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}
