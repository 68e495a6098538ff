//! The presses of people on buttons and modals, and the responses of the bot:
//! <https://docs.discord.com/developers/interactions/receiving-and-responding>. The world keeps all interactions.

mod answers;
mod callback;
mod event;
mod human;
mod press;
mod webhook;

pub use press::PressError;

pub(crate) use callback::callback;
pub(crate) use press::use_command;
pub(crate) use webhook::{delete, edit, follow_up, get};
