//! The frames that are sent (<https://discord.com/developers/docs/events/gateway-events#send-events>), and the fields
//! of received ones.

use dmplz_provider_sdk::prelude::*;

use super::place::Place;
use crate::token::{IDENTIFY, RESUME, TOKEN};

/// Opcodes (docs/topics/opcodes-and-status-codes#gateway-gateway-opcodes) of the frames without the token.
pub(super) const DISPATCH: i64 = 0;
pub(super) const HEARTBEAT: i64 = 1;
pub(super) const RECONNECT: i64 = 7;
pub(super) const INVALID_SESSION: i64 = 9;
pub(super) const HELLO: i64 = 10;
pub(super) const HEARTBEAT_ACK: i64 = 11;

/// The intents of a session for pairing: `GUILD_MESSAGES` and `DIRECT_MESSAGES`
/// (docs/events/gateway#list-of-intents). Neither has to be granted in the portal: direct messages, and messages that
/// mention the bot, are readable without the message content intent. Any other session has no intents (0), since
/// presses and forms are "always sent".
pub(super) const MEETING: u64 = 1 << 9 | 1 << 12;

/// Starts a session. The bot is not shown as online, because it reads no chat.
pub(super) fn identify(intents: u64) -> String {
    let properties = json!({ "os": "wasm", "browser": "dmplz", "device": "dmplz" });
    let presence = json!({ "since": null, "activities": [], "status": "invisible", "afk": false });
    of(IDENTIFY, json!({ "token": TOKEN, "intents": intents, "properties": properties, "presence": presence }))
}

/// Resumes a session.
pub(super) fn resume(place: &Place) -> String {
    of(RESUME, json!({ "token": TOKEN, "session_id": place.session, "seq": place.sequence }))
}

/// Returns a heartbeat with the number of the last event.
pub(super) fn heartbeat(sequence: Option<u64>) -> String {
    of(HEARTBEAT, json!(sequence))
}

fn of(op: i64, data: Value) -> String {
    json!({ "op": op, "d": data }).to_string()
}
