//! Notices: messages that ask nothing.

use dmplz_core::notify::Occurrence;
use serde::{Deserialize, Serialize};

/// Params of `notify.happened`, which queues the notices about an event. When it succeeds they are on disk. A hook may be of
/// another version, so unknown members are ignored.
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
    /// How long to wait for how the first attempt ended, in milliseconds; a minute at most.
    #[serde(default)]
    pub wait_ms: u64,
}

/// How a notice stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentNotice {
    /// Its number among all notices.
    pub number: u64,
    /// How far it has come.
    pub delivery: Delivery,
    /// Why it is not sent; absent where there was no attempt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// How far a notice has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Delivery {
    /// It is in the queue, and is tried, or tried again.
    Waiting,
    /// The service took it.
    Sent,
    /// It is not tried again by itself.
    Dead,
}

/// Params of `notify.retry`, which puts dead notices back into their queues: this one, or all of this channel, or all.
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
    /// How many notices are in their queues again.
    pub notices: usize,
}
