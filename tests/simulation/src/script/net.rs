//! Faults of the network: between processes and the messenger, and between hooks and the gateway.

use serde::{Deserialize, Serialize};

/// A call of a messenger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Call {
    /// Any call.
    Any,
    /// A call that opens the chat.
    Open,
    /// A call that posts a message.
    Post,
    /// A call that changes a message.
    Revise,
    /// A poll for events.
    Look,
    /// A call that acknowledges a press.
    Acknowledge,
}

/// A fault of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// The request is delayed by that time.
    SlowThere(u64),
    /// The reply is delayed by that time.
    SlowBack(u64),
    /// No connection is opened, so nothing is sent.
    Unconnected,
    /// The request is lost.
    RequestLost,
    /// The request is carried out, and its reply is lost.
    ReplyLost,
    /// The request is refused.
    Refused(Refusal),
    /// A poll returns the events of the previous one again.
    Repeated,
    /// A poll returns events in another order.
    Reordered,
}

/// Why a call is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Refusal {
    /// The messenger is unavailable.
    Unavailable,
    /// Too many requests; the milliseconds to wait.
    RateLimited(u32),
    /// Another program receives the events.
    Conflict,
    /// The component traps, because the reply is invalid.
    Broken,
    /// The messenger rejects the request as malformed.
    Rejected,
    /// The token was revoked.
    Unauthorized,
    /// The message is too large.
    TooLarge,
}

impl Call {
    /// Returns whether a fault of these calls applies to that call.
    pub fn includes(self, call: Self) -> bool {
        self == Self::Any || self == call
    }
}

/// The receiver of a forged frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// The hook receives it.
    Hook,
    /// The gateway receives it.
    Gateway,
}

/// A forged frame on the connection of a hook with the gateway.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Noise {
    /// A call or notification of a later protocol, which has no effect.
    Unknown,
    /// A line that is not JSON.
    NoJson,
    /// JSON of other types; to a hook, an approval that nobody gave.
    WrongTypes,
    /// A line of random bytes.
    Bytes,
    /// A line that exceeds the limit.
    TooLong,
    /// A JSON-RPC batch.
    Batch,
    /// The request again; to a hook, the last frame again.
    Again,
    /// Another request with the same id; to a hook, an error.
    Other,
    /// The first half of the next frame, and nothing after it.
    Torn,
}
