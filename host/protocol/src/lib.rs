//! The protocol between the gateway and its hooks, commands, pages and programs. Every type on the wire is defined
//! once, here, and both sides use it.
//!
//! | module | content |
//! |---|---|
//! | [`method`] | every method with its params and its result, and every notification |
//! | [`framing`] | JSON-RPC 2.0: calls, replies, and the maximum length of a line |
//! | [`error`], [`refusal`], [`rest`] | why a call or an HTTP request is refused |
//! | [`request`], [`message`] | a request and its status; the events of the bus, which the store also keeps |
//! | [`approval`], [`browser`], [`grant`], [`health`], [`session`], [`session_name`], [`tool`] | views for surfaces |
//! | [`notify`] | notices, which ask nothing |
//! | [`client`] | a blocking client, for commands and event hooks |
//! | [`asking`] | a hook's side of `hook.ask`, over the connections that its caller dials |
//!
//! REST sends the same types. Its OpenAPI document is derived from them by `utoipa`, so that no shape is written twice.
//! Methods that people and programs call refuse unknown members of their params. `hook.*` ignores them, because a hook
//! and its gateway may have different versions ([`PROTOCOL`]). A client ignores unknown members as well.

pub mod answer;
pub mod approval;
pub mod asking;
pub mod browser;
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
pub mod notify;
mod number;
pub mod push;
pub mod refusal;
pub mod request;
pub mod rest;
pub mod session;
pub mod session_name;
pub mod socket_path;
pub mod store;
pub mod tool;

pub use answer::AnswerBody;
pub use approval::Approval;
pub use error::{Code, RpcError};
pub use id::NotAnId;
pub use message::{Event, Kind, Malformed, Message};
pub use method::{Method, Notification};
pub use refusal::Refusal;
pub use request::{Request, RequestId, Source, Standing, Status};

/// The version of the protocol between hooks and the gateway. Each side sends its own version and continues whatever
/// the other's is; each ignores what it does not know.
pub const PROTOCOL: u32 = 1;

/// The name of the gateway's Unix socket in the state directory.
pub const SOCKET: &str = "gateway.sock";
