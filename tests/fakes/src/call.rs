use serde_json::Value;
use std::time::Instant;

/// One request that a fake has received.
#[derive(Clone, Debug)]
pub struct Call {
    /// Telegram: the method (`sendMessage`). Discord: method and route as the schema writes it
    /// (`POST /channels/{channel_id}/messages`), and `WebSocket` for one that opens a connection of the gateway.
    pub name: String,
    /// The path as it was sent, without the query.
    pub path: String,
    /// The parameters: query, form and JSON fields together. A file is its name.
    pub params: Value,
    /// When it had been read.
    pub at: Instant,
    /// The status of the answer; none while it is being answered, and for one whose connection was cut before.
    pub status: Option<u16>,
    /// What was answered and when, where it went out whole; only of the requests that
    /// [`Wire::keep_replies`](crate::Wire::keep_replies) names.
    pub reply: Option<(Instant, Value)>,
}
