//! Leading sessions of an agent from a chat: the commands that people write there, and how a session looks there.
//!
//! Nothing here answers a request: what is written in a chat is a message to an agent, or one of these commands.

mod card;
mod command;

pub(crate) use card::help;
pub use card::{Busy, Edits, Face, Mark, Medium, card, choice, commands, draft, home, note, thread_name, undo};
pub use command::{Verb, Written, folder_and_prompt, parse};
