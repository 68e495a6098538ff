//! What channels would get of an event.

use dmplz_core::notify::{Detail, EventKind};
use serde::{Deserialize, Serialize};

/// Params of `notify.preview`, which shows what channels would get of an event. Nothing is sent.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PreviewNotice {
    /// The event's JSON, as a client writes it to a hook's stdin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// The name of an event, of which an example is taken where there is no input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub example: Option<String>,
}

/// What channels would get of an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Preview {
    /// The event that was read.
    pub event: EventKind,
    /// The example that was taken, where one was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// The channels, by their names.
    pub channels: Vec<PreviewedChannel>,
}

/// What one channel would get of an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreviewedChannel {
    /// The name of the channel in the settings.
    pub channel: String,
    /// The detail at which routes send it; absent if no route leads here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sends: Option<Detail>,
    /// What would happen now; absent if no route leads here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub now: Option<Now>,
    /// The notice at each detail, from the least.
    pub levels: Vec<PreviewedLevel>,
}

/// What would happen to a notice now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Now {
    /// The notice would be sent at once.
    Send,
    /// The notice would wait, for example until the quiet hours end.
    Hold,
    /// The notice would not be sent.
    Skip,
}

/// A notice at one detail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreviewedLevel {
    /// The detail at which the notice is shown here.
    pub detail: Detail,
    /// The headline of the notice.
    pub title: String,
    /// The text below it.
    pub text: String,
    /// The number of masked places, each of which shows `****`.
    pub masked: usize,
}
