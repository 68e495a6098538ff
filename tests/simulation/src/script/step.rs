//! The steps of a run.

use serde::{Deserialize, Serialize};

use super::{Asks, Call, End, Event, Fault, HookId, Noise, Person, Says, When};

/// A step. `at`, `from` and `until` are times, `lasts` and `by` durations in milliseconds.
#[allow(missing_docs, reason = "the fields are named for what they are")]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum Step {
    /// A client starts a hook.
    Hook {
        hook: HookId,
        at: u64,
        #[serde(default, skip_serializing_if = "Asks::is_command")]
        asks: Asks,
    },
    /// The client stops it, and kills it 1.5 s later if it still runs.
    Stop { hook: HookId, at: u64 },
    /// The hook is killed.
    Kill { hook: HookId, at: When },
    /// The hook is frozen for a while: a suspended machine, a frozen cgroup.
    Freeze { hook: HookId, at: When, lasts: u64 },
    /// A user presses a choice on the newest message of a hook that offered it; without one, nothing happens.
    Press {
        at: u64,
        who: Person,
        hook: HookId,
        choice: String,
        /// The text that the user writes into the form.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    },
    /// A user writes a message in the chat.
    Say { at: u64, who: Person, text: String },
    /// Calls of the messenger that begin in this period fail.
    Net { call: Call, from: u64, until: u64, fault: Fault },
    /// Writes in this period are lost, and the disk reports it; with `reads`, reads of the gateway's disk fail too.
    DiskFull {
        from: u64,
        until: u64,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        reads: bool,
    },
    /// Writes to the gateway's disk that begin in this period take that long.
    DiskSlow { from: u64, until: u64, lasts: u64 },
    /// A gateway starts, unless one runs.
    Gateway { at: u64 },
    /// The gateway is killed. A pending write is lost if the disk `loses` it.
    GatewayKilled { at: u64, loses: bool },
    /// The gateway is stopped.
    GatewayStops { at: u64 },
    /// The gateway is frozen for a while.
    GatewayFreezes { at: When, lasts: u64 },
    /// The owner answers a hook's request on the page.
    Answer { at: u64, hook: HookId, says: Says },
    /// A user deletes the newest message of a hook.
    Delete { at: u64, hook: HookId },
    /// The client reports an event of a hook's session.
    Event { at: u64, hook: HookId, event: Event },
    /// All grants are revoked in a terminal.
    Revoke { at: u64 },
    /// A program asks on the gateway's bus, and waits that long.
    Confirm { at: u64, hook: HookId, asks: Asks, waits: u64 },
    /// A person lists the requests so far and their figures.
    Browse { at: u64 },
    /// A forged frame arrives over a hook's connection with the gateway.
    Noise { at: u64, hook: HookId, to: End, noise: Noise },
    /// The wall clock is set.
    Clock { at: u64, by: i64 },
}

impl Step {
    pub(super) fn kind(&self) -> Option<&'static str> {
        Some(match self {
            Self::Hook { .. }
            | Self::Press { .. }
            | Self::Say { .. }
            | Self::Answer { .. }
            | Self::Gateway { .. }
            | Self::Browse { .. } => return None,
            Self::Delete { .. } => "deleted card",
            Self::Event { .. } => "event of the client",
            Self::Revoke { .. } => "grants taken back",
            Self::Confirm { .. } => "program on the bus",
            Self::Noise { to: End::Hook, .. } => "noise to a hook",
            Self::Noise { to: End::Gateway, .. } => "noise to the gateway",
            Self::GatewayKilled { .. } => "gateway killed",
            Self::GatewayStops { .. } => "gateway stopped",
            Self::GatewayFreezes { .. } => "gateway frozen",
            Self::DiskSlow { .. } => "disk slow",
            Self::Stop { .. } => "stop",
            Self::Kill { .. } => "kill",
            Self::Freeze { .. } => "freeze",
            Self::DiskFull { .. } => "disk full",
            Self::Clock { .. } => "clock",
            Self::Net { call: Call::Open, .. } => "slow or faulty open",
            Self::Net { call: Call::Post, .. } => "slow or faulty post",
            Self::Net { call: Call::Revise, .. } => "slow or faulty revise",
            Self::Net { call: Call::Look, .. } => "slow or faulty look",
            Self::Net { call: Call::Acknowledge, .. } => "slow or faulty acknowledge",
            Self::Net { call: Call::Any, .. } => "slow or faulty line",
        })
    }

    pub(super) fn end(&self) -> u64 {
        match self {
            Self::Hook { at, .. }
            | Self::Stop { at, .. }
            | Self::Press { at, .. }
            | Self::Say { at, .. }
            | Self::Answer { at, .. }
            | Self::Delete { at, .. }
            | Self::Event { at, .. }
            | Self::Revoke { at }
            | Self::Browse { at }
            | Self::Noise { at, .. }
            | Self::Gateway { at }
            | Self::GatewayKilled { at, .. }
            | Self::GatewayStops { at }
            | Self::Clock { at, .. } => *at,
            Self::Confirm { at, waits, .. } => at.saturating_add(*waits),
            Self::Kill { at, .. } => at.time(),
            Self::Freeze { at, lasts, .. } | Self::GatewayFreezes { at, lasts } => at.time().saturating_add(*lasts),
            Self::Net { until, .. } | Self::DiskFull { until, .. } | Self::DiskSlow { until, .. } => *until,
        }
    }
}
