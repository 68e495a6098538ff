//! Leading sessions of an agent from a chat: the commands that people write there, and how a session looks there.
//!
//! Nothing here answers a request: what is written in a chat is a message to an agent, or one of these commands.

mod card;
mod command;

pub(crate) use card::help;
pub use card::{Busy, Face, Mark, Medium, card, choice, home, note};
pub use command::{Verb, Written, folder_and_prompt, parse};
