//! What the gateway speaks with hooks, commands, pages and programs. Every type on the wire is defined here, once, and both
//! sides use it.
//!
//! | module | holds |
//! |---|---|
//! | [`method`] | every method with its params and its result, and every notification |
//! | [`framing`] | JSON-RPC 2.0: calls, replies, and how long a line may be |
//! | [`error`], [`rest`] | why a call or an HTTP request is refused |
//! | [`request`], [`message`] | a request and where it stands; the events of the bus, which are also what the store keeps |
//! | [`approval`], [`grant`], [`health`], [`session`], [`tool`] | views for surfaces |
//! | [`client`] | a blocking client, for commands and event hooks |
//! | [`asking`] | a hook's side of `hook.ask`, over whatever connections its caller dials |
//!
//! REST sends the same types. Its OpenAPI document is derived from them by `utoipa`, so that no shape is written twice.
//! Params of methods that people and programs call refuse members that they do not know; those of `hook.*` pass over them,
//! because a hook and its gateway may be of different versions ([`PROTOCOL`]). A client passes over what it does not know.

pub mod answer;
pub mod approval;
pub mod asking;
pub mod client;
pub mod error;
pub mod framing;
pub mod grant;
pub mod health;
pub mod hook;
pub mod id;
pub mod list;
pub mod message;
pub mod method;
pub mod metrics;
pub mod request;
pub mod rest;
pub mod session;
pub mod store;
pub mod tool;

pub use answer::AnswerBody;
pub use approval::Approval;
pub use error::{Code, RpcError};
pub use id::NotAnId;
pub use message::{Event, Kind, Malformed, Message};
pub use method::{Method, Notification};
pub use request::{Request, RequestId, Source, Standing, Status};

/// The version of what hooks and the gateway say to each other. Both say theirs and go on whatever the other's is: what
/// one does not know of, it passes over.
pub const PROTOCOL: u32 = 1;

/// The name of the gateway's Unix socket in the state directory.
pub const SOCKET: &str = "gateway.sock";
