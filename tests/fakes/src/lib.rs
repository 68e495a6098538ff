//! A Telegram Bot API server and a Discord REST v10 server on loopback, for tests, benchmarks and `dmplz demo`.
//!
//! They answer as the platforms do, play the people in the chat, break on demand, and check every request and every
//! reply against the published schemas; see [`FakeTelegram`] and README.md.

mod call;
mod clock;
/// Discord's REST API, version 10.
pub mod discord;
mod exchange;
mod fault;
mod form;
mod server;
mod spec;
/// The Telegram Bot API.
pub mod telegram;
mod violation;
mod watched;
mod wire;

pub use call::Call;
pub use discord::FakeDiscord;
pub use fault::{Fault, On};
pub use telegram::FakeTelegram;
pub use violation::{Side, Violation};
pub use wire::Wire;
