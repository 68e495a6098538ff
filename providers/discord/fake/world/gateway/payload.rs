//! The payloads of the gateway: <https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway>.

use serde_json::{Value, json};
use std::time::Duration;

pub(crate) const HEARTBEAT: u64 = 1;
pub(crate) const IDENTIFY: u64 = 2;
pub(crate) const PRESENCE_UPDATE: u64 = 3;
pub(crate) const VOICE_STATE_UPDATE: u64 = 4;
pub(crate) const RESUME: u64 = 6;
pub(crate) const REQUEST_GUILD_MEMBERS: u64 = 8;
pub(crate) const REQUEST_SOUNDBOARD_SOUNDS: u64 = 31;

/// A close code of the gateway.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Close(pub(crate) u16);

impl Close {
    pub(crate) const UNKNOWN_OPCODE: Self = Self(4001);
    pub(crate) const DECODE_ERROR: Self = Self(4002);
    pub(crate) const NOT_AUTHENTICATED: Self = Self(4003);
    pub(crate) const AUTHENTICATION_FAILED: Self = Self(4004);
    pub(crate) const ALREADY_AUTHENTICATED: Self = Self(4005);
    pub(crate) const INVALID_SEQ: Self = Self(4007);
    pub(crate) const RATE_LIMITED: Self = Self(4008);
    pub(crate) const SESSION_TIMED_OUT: Self = Self(4009);
    pub(crate) const INVALID_SHARD: Self = Self(4010);
    pub(crate) const INVALID_API_VERSION: Self = Self(4012);
    pub(crate) const INVALID_INTENTS: Self = Self(4013);
    pub(crate) const DISALLOWED_INTENTS: Self = Self(4014);

    pub(crate) fn reason(self) -> &'static str {
        match self.0 {
            4000 => "Unknown error.",
            4001 => "Unknown opcode.",
            4002 => "Error while decoding payload.",
            4003 => "Not authenticated.",
            4004 => "Authentication failed.",
            4005 => "Already authenticated.",
            4007 => "Invalid seq.",
            4008 => "Rate limited.",
            4009 => "Session timed out.",
            4010 => "Invalid shard.",
            4011 => "Sharding required.",
            4012 => "Invalid API version.",
            4013 => "Invalid intent(s).",
            4014 => "Disallowed intent(s).",
            _ => "",
        }
    }

    /// Returns whether the session cannot be resumed afterwards. For 4009 the documentation says "start a new session",
    /// but elsewhere that a client has to resume after a missed heartbeat. Libraries resume, so 4009 does not end the
    /// session here.
    pub(crate) fn ends_session(self) -> bool {
        matches!(self.0, 1000 | 1001 | 4003 | 4004 | 4007 | 4010..=4014)
    }

    /// Returns whether only a bug of the client can cause this code. A wrong token or a missing permission is no bug.
    pub(crate) fn is_mistake(self) -> bool {
        matches!(self.0, 4001..=4003 | 4005 | 4007..=4010 | 4012 | 4013)
    }
}

pub(crate) fn hello(interval: Duration) -> String {
    let interval = u64::try_from(interval.as_millis()).unwrap_or(u64::MAX);
    json!({"t": null, "s": null, "op": 10, "d": {"heartbeat_interval": interval, "_trace": []}}).to_string()
}

pub(crate) fn ack() -> String {
    json!({"t": null, "s": null, "op": 11, "d": null}).to_string()
}

pub(crate) fn heartbeat_request() -> String {
    json!({"t": null, "s": null, "op": 1, "d": null}).to_string()
}

pub(crate) fn reconnect() -> String {
    json!({"t": null, "s": null, "op": 7, "d": null}).to_string()
}

pub(crate) fn invalid_session(resumable: bool) -> String {
    json!({"t": null, "s": null, "op": 9, "d": resumable}).to_string()
}

pub(crate) fn dispatch(event: &str, sequence: u64, data: &Value) -> String {
    json!({"t": event, "s": sequence, "op": 0, "d": data}).to_string()
}
