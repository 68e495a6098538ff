//! Leading sessions of an agent from a chat: the commands that people write there, and how a session looks there.
//!
//! Nothing here answers a request: what is written in a chat is a message to an agent, or one of these commands.

mod card;
mod command;
mod help;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use card::{Edits, Face, Medium, card, choice, draft, home, note, thread_name, undo};
pub use command::{Verb, Written, folder_and_prompt, parse};
pub use help::{commands, help};

/// The state of a session.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SessionState {
    /// The client is starting, or the gateway is not connected to it yet.
    #[default]
    Starting,
    /// It waits for a message.
    Idle,
    /// It works.
    Working,
    /// It waits for an answer to a request.
    Asking,
    /// It has ended.
    Ended,
}

/// The state of a to-do item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TodoState {
    /// It has not been started.
    Open,
    /// The agent works on it.
    Doing,
    /// It is done.
    Done,
}
