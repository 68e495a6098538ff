//! The frames that are sent (<https://discord.com/developers/docs/events/gateway-events#send-events>), and the fields
//! of received ones.

use dmplz_provider_sdk::prelude::*;

use super::place::Place;

/// Opcodes (docs/topics/opcodes-and-status-codes#gateway-gateway-opcodes).
pub(super) const DISPATCH: i64 = 0;
pub(super) const HEARTBEAT: i64 = 1;
const IDENTIFY: i64 = 2;
const RESUME: i64 = 6;
pub(super) const RECONNECT: i64 = 7;
pub(super) const INVALID_SESSION: i64 = 9;
pub(super) const HELLO: i64 = 10;
pub(super) const HEARTBEAT_ACK: i64 = 11;

/// The placeholder of the token, which the host fills in.
const TOKEN: &str = "{secret:bot-token}";

/// Returns the places of the token: the frames that start or resume a session.
pub(crate) fn secret_places() -> [SecretPlace; 2] {
    [IDENTIFY, RESUME].map(|op| SecretPlace::in_frame("/d/token", "/op", &op.to_string()))
}

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
