//! What goes wrong on the network: between processes and the messenger, and between hooks and the gateway.

use serde::{Deserialize, Serialize};

/// A call of a messenger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Call {
    /// Any of them.
    Any,
    /// Opening the chat.
    Open,
    /// Posting a message.
    Post,
    /// Changing one.
    Revise,
    /// Looking for events.
    Look,
    /// Acknowledging a press.
    Acknowledge,
}

/// What goes wrong with a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// The request takes so much longer to get there.
    SlowThere(u64),
    /// The reply takes so much longer to come back.
    SlowBack(u64),
    /// The request gets lost.
    RequestLost,
    /// It is carried out, and the reply gets lost.
    ReplyLost,
    /// It is refused.
    Refused(Refusal),
    /// A look brings again what it brought before.
    Repeated,
    /// A look brings events in another order.
    Reordered,
}

/// Why a call is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Refusal {
    /// The messenger is down.
    Unavailable,
    /// Too many requests: again after so many milliseconds.
    RateLimited(u32),
    /// Somebody else receives the events.
    Conflict,
    /// The component traps, because the reply is nonsense.
    Broken,
    /// The messenger calls the request malformed.
    Rejected,
    /// The token was revoked.
    Unauthorized,
    /// The message is too large.
    TooLarge,
}

impl Call {
    /// Whether a fault of these calls is one of that call.
    pub fn includes(self, call: Self) -> bool {
        self == Self::Any || self == call
    }
}

/// Who a frame that is wrong reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// The hook.
    Hook,
    /// The gateway.
    Gateway,
}

/// What comes over the connection of a hook with the gateway that neither of them said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Noise {
    /// A call, or a word, of a later protocol: nothing follows from it.
    Unknown,
    /// A line that is no JSON.
    NoJson,
    /// JSON of other types; to a hook, an approval that nobody gave.
    WrongTypes,
    /// A line of random bytes.
    Bytes,
    /// A line that is too long.
    TooLong,
    /// A batch.
    Batch,
    /// The question once more; to a hook, the last frame once more.
    Again,
    /// Another question under the same id; to a hook, an error.
    Other,
    /// The next frame, cut in half, and nothing behind it.
    Torn,
}
