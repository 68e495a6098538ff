//! A Telegram Bot API server and a Discord REST v10 server on loopback, for tests, benchmarks and `dmplz demo`.
//!
//! They answer as the platforms do, play the people in the chat, break on demand, and check every request and every
//! reply against the published schemas; see [`FakeTelegram`] and README.md.

mod call;
mod clock;
mod server;
mod telegram;
mod watched;

pub use call::Call;
pub use telegram::{
    Answer, Button, Chat, ChatKind, Document, Entity, FakeTelegram, Message, MessageRef, PressError, Revision,
    TelegramSetup, User,
};
