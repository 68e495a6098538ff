//! How the gateway does.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Asks how the gateway is.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GetStatus {}

/// How the gateway is: whether it is the program that asks, and who would see a request.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct GatewayStatus {
    /// The version of the program that runs.
    pub version: String,
    /// How many requests are open.
    pub open: usize,
    /// Names of surfaces that would show a request, with how many there are.
    pub surfaces: BTreeMap<String, usize>,
    /// The messengers that are to be used; none of an older gateway.
    #[serde(default)]
    pub messengers: Vec<MessengerStatus>,
}

/// A messenger, as `gateway.status` tells of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MessengerStatus {
    /// Its name, such as `telegram`.
    pub name: String,
    /// Whether it can be used.
    pub reachable: bool,
    /// Since when it cannot be used, Unix milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since_ms: Option<u64>,
    /// Why, in English; none while it starts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Whether that lasts for so long that people are told.
    pub alert: bool,
}

/// The answer of a process that serves.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct Alive {
    /// Always true: a process that does not serve does not answer.
    pub alive: bool,
}

/// Whether requests can be taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Readiness {
    /// Whether there is no reason against it.
    pub ready: bool,
    /// What is missing; empty where nothing is.
    pub reasons: Vec<Reason>,
}

/// Something that is missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Reason {
    /// Names what is missing, for programs.
    pub code: ReasonCode,
    /// For people, in English.
    pub message: String,
}

/// Something that is missing, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReasonCode {
    /// The store answers with an error.
    StoreFailing,
    /// The store does not answer in time.
    StoreSilent,
    /// The Unix socket of hooks and commands is gone or not ours.
    SocketUnreachable,
    /// Nothing shows requests.
    NoSurface,
    /// A messenger cannot be used.
    MessengerUnreachable,
    /// A messenger has not been reached yet.
    MessengerStarting,
}
