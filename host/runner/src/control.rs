//! Claude Code's control protocol: one JSON object a line, in both directions. Facts: client 2.1.330 as observed, and the types of
//! its SDK.
//!
//! | line | direction | here |
//! |---|---|---|
//! | `control_request` | the client asks | [`Request`], read by [`read`] |
//! | `control_request` | we ask | [`Command`], written by [`Exchange::command`] |
//! | `control_response` | either answers | [`Response`]; [`Exchange::answer`] |
//! | `control_cancel_request` | the client needs no answer any more | [`Incoming::Cancel`] |
//! | `user` | a message of the person | [`UserMessage`] |
//! | `stream_event` | a part of an unfinished message | [`Partial`] |
//! | all others | what the session does | [`Message`] |
//!
//! [`Lines`] finds the lines in the bytes. [`Exchange`] is the state of one connection: every request of the client is answered
//! exactly once, unless it is cancelled.
//!
//! What cannot be read is never an error, because later clients say more: a line that does not begin with `{` is passed over, an
//! unknown type is [`Message::Other`], an unknown request is refused as `unsupported_request`.
//!
//! **Invariant:** nothing here says allow. What an answer holds comes from `dmplz_core::claude`.

mod command;
mod exchange;
mod incoming;
mod lines;
mod message;
mod partial;
mod request;

pub use command::{Command, FlagSettings, Initialize, PermissionLists, UserMessage};
pub use exchange::{Effect, Exchange};
pub use incoming::{Incoming, Refusal, Response, read};
pub use lines::{Line, Lines, MAX_LINE};
pub use message::{Assistant, Block, Lifecycle, Message, RateLimit, System, Turn, User};
pub use partial::Partial;
pub use request::{AskRule, CanUseTool, Elicitation, Request};
