//! The page's settings of notices: what the settings file has, how its channels do, the log, and what a channel would get of
//! an event. No type that is sent to a surface holds a secret: secrets are only ever written.

mod hooks;
mod preview;

use std::collections::BTreeMap;

use dmplz_core::notify::{Detail, EventKind, Front};
use serde::{Deserialize, Serialize};

pub use hooks::{
    ChangedLine, Hook, HookChanges, HookList, HookSource, HookTrusted, LineChange, ListHooks, ShowHookChanges,
    TrustHooks,
};
pub use preview::{Now, Preview, PreviewNotice, PreviewedChannel, PreviewedLevel};

/// The parameters of `notify.status`, which has none.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GetNotify {}

/// The result of `notify.status`: what the settings file has now, and how its channels do.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NotifyStatus {
    /// The path of the settings file.
    pub file: String,
    /// Identifies what the file has; a change names what it is about.
    pub version: String,
    /// Whether the file has changed since the gateway read it, which is when it started.
    pub stale: bool,
    /// Why the file cannot be used. Then there are no channels and routes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The channels, by their names.
    pub channels: Vec<Channel>,
    /// The routes, in the order of the file.
    pub routes: Vec<Route>,
    /// The quiet hours, such as `22:00-07:00`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quiet: Option<String>,
    /// The time zone of the quiet hours, where the file names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
    /// The events that a route can name.
    pub events: Vec<EventKind>,
    /// The messengers that the gateway serves.
    pub messengers: Vec<String>,
    /// The templates and presets that a channel can name.
    pub templates: Vec<String>,
    /// The texts of the file's own templates, by their names.
    pub own_templates: Vec<TemplateTexts>,
    /// The paths that a template can name.
    pub paths: Vec<String>,
    /// The sources of hooks that are switched on: `user`, `project`, `local`.
    pub sources: Vec<String>,
    /// The variable that switches them in the gateway's environment, where there is one: it comes before the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sources_from: Option<String>,
}

/// A template of the settings file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TemplateTexts {
    /// Its name in the settings.
    pub name: String,
    /// The text of the headline.
    pub title: String,
    /// The text below the headline.
    pub body: String,
}

/// A channel, and how it does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Channel {
    /// Its name in the settings.
    pub name: String,
    /// The type: `messenger`, `discord`, `webhook`, `push`, `desktop` or `terminal`.
    pub r#type: String,
    /// The messenger of a channel of that type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub messenger: Option<String>,
    /// The chat of a messenger, if it is not the one that requests are asked in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chat: Option<String>,
    /// The id of a thread on Discord.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread: Option<String>,
    /// The name that is shown on Discord.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub username: Option<String>,
    /// The URL of the picture that is shown on Discord.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub avatar: Option<String>,
    /// The escape sequence of a terminal, where the settings name one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sequence: Option<String>,
    /// The template of its words, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub template: Option<String>,
    /// Whether it makes no sound, where the messenger can do that.
    pub silent: bool,
    /// Whether routes may send content to it.
    pub verbose: bool,
    /// Variables that are set neither in the file nor in the environment of whoever lists them.
    pub missing: Vec<String>,
    /// The routes that lead to it.
    pub routes: Vec<Route>,
    /// The number of notices that wait.
    pub waiting: u64,
    /// The number of notices that are not sent any more by themselves.
    pub dead: u64,
    /// The number of notices that wait for an answer, or for the end of the quiet hours.
    pub held: u64,
    /// When a notice was last sent, in Unix milliseconds.
    pub sent_ms: Option<u64>,
    /// The channel's trouble; absent where its last attempt succeeded.
    pub failing: Option<Failing>,
}

/// A channel whose last attempt failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Failing {
    /// The name of the channel in the settings.
    pub channel: String,
    /// Since when, in Unix milliseconds.
    pub since_ms: u64,
    /// Why the last attempt failed, in English.
    pub why: String,
    /// The number of notices that wait.
    pub waiting: u64,
    /// The number of notices that are not sent any more by themselves.
    pub dead: u64,
}

/// A route as the file has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Route {
    /// Its place among all routes, from 1.
    pub number: usize,
    /// The events that it is for.
    pub events: Vec<EventKind>,
    /// The patterns for what the event is about; empty matches everything.
    pub only: Vec<String>,
    /// The channels that it leads to.
    pub to: Vec<String>,
    /// How much its notices show.
    pub detail: Detail,
    /// How long to wait whether somebody answers, in milliseconds.
    #[serde(default, skip_serializing_if = "crate::tool::is_zero")]
    pub after_ms: u64,
    /// The surfaces in front of which nothing is sent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skip_if: Vec<Front>,
    /// The name of the least priority that is sent in quiet hours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub through_quiet: Option<String>,
}

/// Params of `notify.test`, which sends a test message over one channel and waits for the first attempt.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TestChannel {
    /// The name of the channel in the settings.
    pub channel: String,
}

/// Params of `notify.log`: notices, newest first.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListNotices {
    /// The channel whose notices are wanted; absent for all channels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<String>,
    /// Only those that are not sent any more by themselves.
    #[serde(default)]
    pub dead: bool,
    /// How many, from 1 to 200; 50 without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// The result of `notify.log`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoticeLog {
    /// The notices, newest first.
    pub notices: Vec<LoggedNotice>,
}

/// A notice in the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LoggedNotice {
    /// Its number among all notices.
    pub number: u64,
    /// The name of the channel in the settings.
    pub channel: String,
    /// The status: `waiting`, `sending`, `held`, `sent`, `skipped` or `dead`.
    pub status: String,
    /// The kind of event; absent where the notice cannot be read.
    pub event: Option<EventKind>,
    /// The number of occurrences that are merged in it.
    pub count: u32,
    /// The number of attempts.
    pub attempts: u32,
    /// When it was put into the queue, in Unix milliseconds.
    pub created_ms: u64,
    /// When it was sent or given up, in Unix milliseconds.
    pub ended_ms: Option<u64>,
    /// Its headline; absent where it cannot be read.
    pub title: Option<String>,
    /// Why it was not sent, in English.
    pub why: Option<String>,
}

/// Params of `notify.change`, which changes the settings file. The gateway goes on with what it read when it started.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChangeNotify {
    /// What the file had when the person looked: [`NotifyStatus::version`].
    pub version: String,
    /// The change that the person wants.
    pub change: Change,
}

/// One change of the settings of notices. Values are texts as a person writes them, and are checked as those of the file.
#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum Change {
    /// Sets the quiet hours and their time zone. An empty text removes one.
    Quiet {
        /// Such as `22:00-07:00`.
        quiet: String,
        /// Such as `Asia/Seoul`.
        zone: String,
    },
    /// Adds a channel, or changes the one of this name.
    Channel {
        /// The name of the channel in the settings.
        name: String,
        /// Whether the channel is a new one.
        new: bool,
        /// The type of a new channel; that of an existing one does not change.
        #[serde(default)]
        r#type: String,
        /// Keys of the channel and their texts. A key that is missing stays as it is; an empty text removes it.
        values: BTreeMap<String, String>,
        /// Whether it makes no sound. Only a messenger's channel and one of a webhook of Discord can be so.
        #[serde(default)]
        silent: bool,
        /// Whether routes may send content to it.
        verbose: bool,
    },
    /// Removes a channel to which no route leads.
    RemoveChannel {
        /// The name of the channel in the settings.
        name: String,
    },
    /// Adds a route, or changes the one with this number.
    Route {
        /// The number of the route; a new one is added behind all others without it.
        #[serde(default)]
        number: Option<usize>,
        /// The names of the events.
        events: Vec<String>,
        /// The patterns for what the event is about.
        only: Vec<String>,
        /// The names of the channels.
        to: Vec<String>,
        /// `minimal`, `normal` or `verbose`.
        detail: String,
        /// Such as `90s`; empty to send at once.
        after: String,
        /// `page`, `terminal` or both.
        skip_if: Vec<String>,
        /// A priority; empty lets nothing through.
        through_quiet: String,
    },
    /// Removes a route.
    RemoveRoute {
        /// The number of the route.
        number: usize,
    },
    /// Adds a template, or changes the one of this name.
    Template {
        /// The name of the template in the settings.
        name: String,
        /// Whether the template is a new one.
        new: bool,
        /// The text of the headline.
        title: String,
        /// The text below the headline.
        body: String,
    },
    /// Removes a template that no channel names.
    RemoveTemplate {
        /// The name of the template in the settings.
        name: String,
    },
    /// Switches on these sources of hooks, and no others. It counts at once.
    Sources {
        /// `user`, `project`, `local`, or none of them.
        sources: Vec<String>,
    },
}

/// Why the settings of notices were not changed, as the data of an error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct NotChanged {
    /// The key whose value is wrong; `version` where the file has changed meanwhile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// What is wrong, in English. It holds no secret.
    pub message: String,
}
