//! Methods about notices: messages that ask nothing.

pub mod settings;

use dmplz_core::notify::Occurrence;
use serde::{Deserialize, Serialize};

/// Params of `notify.happened`, which queues the notices about an event. Once it succeeds, they are on disk. Unknown
/// members are ignored, because the hook may be of another version.
#[derive(Debug, Serialize, Deserialize)]
pub struct NotifyHappened {
    /// The event, with masked texts.
    pub occurrence: Occurrence,
}

/// Params of `notify.send`, which sends a text over one channel.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SendNotice {
    /// The channel's name in the settings.
    pub channel: String,
    /// The text: 1 to 65,536 bytes.
    pub text: String,
    /// How long to wait for the result of the first attempt, in milliseconds; at most a minute.
    #[serde(default)]
    pub wait_ms: u64,
}

/// The delivery status of a notice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentNotice {
    /// Its number among all notices.
    pub number: u64,
    /// The delivery status of the notice.
    pub delivery: Delivery,
    /// Why it was not sent; absent if there was no attempt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// The result of `notify.test`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestedChannel {
    /// How the sending went.
    #[serde(flatten)]
    pub sent: SentNotice,
    /// How far the press on its button is; absent if the channel has no buttons, or got nothing yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub press: Option<Press>,
}

/// Params of `notify.press`, which waits up to 10 s for the press that a test asks for.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AwaitPress {
    /// The number of the test's notice.
    pub number: u64,
    /// How long to wait, in milliseconds; 10 s if it is absent, and at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait_ms: Option<u64>,
}

/// The result of `notify.press`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PressedBack {
    /// How far the press is; absent if the gateway knows of no such test any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub press: Option<Press>,
}

/// How far the press is that a test asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Press {
    /// The button is in the chat, and nobody who may answer requests there has pressed it.
    Waiting,
    /// A person who may answer requests there pressed it.
    Pressed {
        /// The person's name on the messenger.
        by: String,
    },
    /// Nobody pressed it in time.
    Over,
}

/// The delivery status of a notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Delivery {
    /// It is in the queue, and will be tried or retried.
    Waiting,
    /// The service accepted it.
    Sent,
    /// It is not retried automatically.
    Dead,
}

/// Params of `notify.retry`, which puts dead notices back into their queues: one notice, those of a channel, or all.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RetryNotices {
    /// The number of one notice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
    /// The name of a channel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
}

/// The result of `notify.retry`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Retried {
    /// The number of notices that were put back into their queues.
    pub notices: usize,
}

/// Params of `presence.set`, with which a page or `dmplz approvals watch` reports whether it is in front of a person. The
/// report ends with its connection, and that of a page also after 60 s: it repeats it.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetPresence {
    /// Whether it is in front of a person.
    pub visible: bool,
}
