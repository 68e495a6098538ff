//! Methods about the browsers that are paired with the page: which they are, and ending a pairing. For the person at the
//! machine and for paired pages.

use serde::{Deserialize, Serialize};

/// Params of `browsers.list`, which lists the paired browsers.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListBrowsers {}

/// The result of `browsers.list`, the latest pairing first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Browsers {
    /// The browsers whose pairing counts.
    pub browsers: Vec<PairedBrowser>,
}

/// One paired browser. Times are in Unix milliseconds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PairedBrowser {
    /// Its id, in lower-case hex.
    pub id: String,
    /// What it says that it is, such as `Chrome, Android`; empty if it says nothing known.
    pub name: String,
    /// When it was paired.
    pub paired_ms: u64,
    /// When it was last connected.
    pub seen_ms: u64,
    /// When the pairing ends.
    pub ends_ms: u64,
    /// Whether it gets web push.
    pub is_notified: bool,
    /// Whether it is the browser that asks.
    pub is_own: bool,
}

/// Params of `browsers.revoke`, which ends pairings: that with this id, or all. Their connections are closed and their
/// subscriptions to web push forgotten. Exactly one of the two is given.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RevokeBrowsers {
    /// The whole id of a browser.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Whether all pairings end.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub all: bool,
}

/// The result of `browsers.revoke`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RevokedBrowsers {
    /// The browsers whose pairing was ended.
    pub revoked: Vec<PairedBrowser>,
}
