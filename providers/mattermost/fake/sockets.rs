//! The WebSocket: login, events in their order, and replies to requests over it
//! (<https://developers.mattermost.com/api-documentation/#/#websocket>).

use super::{BOT, TOKEN};
use crate::conversation::Out;
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};

/// The connections of the bot.
#[derive(Default)]
pub(crate) struct Sockets {
    /// The status with which connections are refused.
    pub(crate) refused: Option<u16>,
    opened: u64,
    connections: BTreeMap<u64, Connection>,
}

#[derive(Default)]
struct Connection {
    outbox: VecDeque<Out>,
    /// Whether the client logged in.
    ready: bool,
    /// The number of the next event.
    next: u64,
}

impl Sockets {
    /// Whether a client would be told of a press.
    pub(crate) fn is_ready(&self) -> bool {
        self.connections.values().any(|it| it.ready)
    }

    /// Whether a client logged in over the connection with this number.
    pub(crate) fn is_ready_over(&self, number: u64) -> bool {
        self.connections.get(&number).is_some_and(|it| it.ready)
    }

    /// Breaks every connection without a closing frame, or closes it with a code.
    pub(crate) fn end(&mut self, code: Option<u16>) {
        for connection in self.connections.values_mut() {
            connection.ready = false;
            connection.outbox.push_back(code.map_or(Out::Cut, Out::Close));
        }
    }

    /// Sends a frame to every client.
    pub(crate) fn send(&mut self, frame: &str) {
        for connection in self.connections.values_mut() {
            connection.outbox.push_back(Out::Frame(frame.to_owned()));
        }
    }

    /// Sends an event to every client that logged in.
    pub(crate) fn tell(&mut self, event: &str, channel: &str, data: &Value) {
        for connection in self.connections.values_mut().filter(|it| it.ready) {
            let frame = connection.event(event, channel, data);
            connection.outbox.push_back(Out::Frame(frame));
        }
    }

    /// Opens a connection, and returns its number.
    pub(crate) fn open(&mut self) -> u64 {
        self.opened += 1;
        self.connections.insert(self.opened, Connection::default());
        self.opened
    }

    /// Takes out what a connection sends next.
    pub(crate) fn next_for(&mut self, id: u64) -> Option<Out> {
        self.connections.get_mut(&id)?.outbox.pop_front()
    }

    /// Takes a frame of a client; what is wrong with it.
    pub(crate) fn take(&mut self, id: u64, frame: &str) -> Option<String> {
        self.connections.get_mut(&id)?.take(frame)
    }

    /// Forgets a connection that has ended.
    pub(crate) fn close(&mut self, id: u64) {
        self.connections.remove(&id);
    }
}

impl Connection {
    fn event(&mut self, event: &str, channel: &str, data: &Value) -> String {
        let broadcast = json!({
            "omit_users": null, "user_id": "", "channel_id": channel, "team_id": "", "connection_id": "",
            "omit_connection_id": "",
        });
        let frame = json!({ "event": event, "data": data, "broadcast": broadcast, "seq": self.next });
        self.next += 1;
        frame.to_string()
    }

    /// Takes a frame of the client; what is wrong with it.
    fn take(&mut self, frame: &str) -> Option<String> {
        let Ok(Value::Object(found)) = serde_json::from_str::<Value>(frame) else {
            return Some("a frame that is no object".to_owned());
        };
        let known = |name: &&String| !["seq", "action", "data"].contains(&name.as_str());
        if let Some(name) = found.keys().find(known) {
            return Some(format!("an unknown field of a frame: {name}"));
        }
        let Some(seq) = found.get("seq").and_then(Value::as_u64) else { return Some("a frame without seq".to_owned()) };
        match found.get("action").and_then(Value::as_str) {
            Some("authentication_challenge") => {
                let given = found.get("data").and_then(|data| data.get("token")).and_then(Value::as_str);
                if given != Some(TOKEN) {
                    self.outbox.push_back(Out::Cut);
                    return None;
                }
                self.outbox.push_back(Out::Frame(json!({ "status": "OK", "seq_reply": seq }).to_string()));
                let data = json!({ "server_version": "11.0.0.1", "connection_id": "xfj1a5p4mfyzpm33x41ay1u1oo" });
                let hello =
                    self.event("hello", "", &data).replace("\"user_id\":\"\"", &format!("\"user_id\":\"{BOT}\""));
                self.outbox.push_back(Out::Frame(hello));
                self.ready = true;
                None
            }
            Some("ping") if self.ready => {
                let data = json!({ "text": "pong", "version": "11.0.0", "server_time": 1, "node_id": "" });
                let reply = json!({ "status": "OK", "seq_reply": seq, "data": data });
                self.outbox.push_back(Out::Frame(reply.to_string()));
                None
            }
            other => Some(format!("an action that is not known here: {other:?}")),
        }
    }
}
