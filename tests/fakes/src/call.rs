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
    /// The parameters: the fields of the query, the form and the JSON body together. A file is represented by its name.
    pub params: Value,
    /// The time when the request had been read.
    pub at: Instant,
    /// The status of the answer; `None` while it is being answered, and if the connection was cut before.
    pub status: Option<u16>,
    /// The answer and its time, if it was sent completely; only for the requests that
    /// [`Wire::keep_replies`](crate::Wire::keep_replies) names.
    pub reply: Option<(Instant, Value)>,
}

impl Call {
    /// Returns a request that has been read just now.
    pub(crate) fn new(name: impl Into<String>, path: impl Into<String>, params: Value) -> Self {
        Self { name: name.into(), path: path.into(), params, at: Instant::now(), status: None, reply: None }
    }
}
