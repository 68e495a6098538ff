//! The gateway's health.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Params of `gateway.status`, which returns the gateway's status.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GetStatus {}

/// The status of the gateway: its version, and the surfaces that would show a request.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct GatewayStatus {
    /// The version of the running program.
    pub version: String,
    /// How many requests are open.
    pub open: usize,
    /// The surfaces that would show a request, by name, and how many of each there are.
    pub surfaces: BTreeMap<String, usize>,
    /// The configured messengers; empty from an older gateway.
    #[serde(default)]
    pub messengers: Vec<MessengerStatus>,
}

/// A messenger's status, in `gateway.status`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MessengerStatus {
    /// The messenger's name, such as `telegram`.
    pub name: String,
    /// Whether it can be used.
    pub reachable: bool,
    /// Since when it cannot be used, in Unix milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since_ms: Option<u64>,
    /// Why it cannot be used, in English; absent while it starts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Whether the outage has lasted long enough that people are told.
    pub alert: bool,
}

/// The reply of `/healthz`.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct Alive {
    /// Always true: a process that does not serve does not reply.
    pub alive: bool,
}

/// Whether requests can be taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Readiness {
    /// Whether there is no reason against taking requests.
    pub ready: bool,
    /// The reasons against it; empty if there are none.
    pub reasons: Vec<Reason>,
}

/// A reason why requests cannot be taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Reason {
    /// The reason's code, for programs.
    pub code: ReasonCode,
    /// The reason for people, in English.
    pub message: String,
}

/// The code of a reason why requests cannot be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReasonCode {
    /// The store returns an error.
    StoreFailing,
    /// The store does not answer in time.
    StoreSilent,
    /// The Unix socket of hooks and commands is gone or not ours.
    SocketUnreachable,
    /// No surface shows requests.
    NoSurface,
    /// A messenger cannot be used.
    MessengerUnreachable,
    /// A messenger has not been reached yet.
    MessengerStarting,
}
