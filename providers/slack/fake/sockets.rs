//! Socket Mode: tickets, connections, and the envelopes that wait for their acknowledgement
//! (<https://docs.slack.dev/apis/events-api/using-socket-mode>).

use crate::conversation::Out;
use crate::fault::Fault;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;
use tokio::time::Instant;

/// The id of the app.
pub(crate) const APP: &str = "A0DMPLZAPP";
/// Connections of one app at a time.
const CONNECTIONS: usize = 10;
/// How often an event is sent again.
const RETRIES: u64 = 3;

/// The state of Socket Mode.
pub(crate) struct Sockets {
    pub(crate) tickets: BTreeSet<String>,
    /// How long an envelope waits for its acknowledgement.
    pub(crate) patience: Duration,
    /// The status with which connections are refused.
    pub(crate) refused: Option<u16>,
    /// Whether every envelope is sent twice.
    pub(crate) doubles: bool,
    /// How many of the next connections are told of one more that somebody else has.
    pub(crate) others: usize,
    /// Whether nothing is sent: a network that stalls.
    pub(crate) stalled: bool,
    /// How many connections there were.
    pub(crate) opened: u64,
    connections: BTreeMap<u64, Connection>,
    waiting: BTreeMap<String, Waiting>,
}

#[derive(Default)]
struct Connection {
    outbox: VecDeque<Out>,
    /// Whether hello was sent.
    ready: bool,
    /// Whether the client was asked to go, or has been cut off.
    leaving: bool,
}

/// An envelope that was sent.
struct Waiting {
    envelope: Value,
    due: Instant,
    /// The press that it tells of.
    press: Option<u64>,
}

impl Default for Sockets {
    fn default() -> Self {
        Self {
            tickets: BTreeSet::new(),
            patience: Duration::from_secs(3),
            refused: None,
            doubles: false,
            others: 0,
            stalled: false,
            opened: 0,
            connections: BTreeMap::new(),
            waiting: BTreeMap::new(),
        }
    }
}

impl Sockets {
    /// Whether a client would be told of a press.
    pub(crate) fn is_ready(&self) -> bool {
        self.connections.values().any(|it| it.ready && !it.leaving)
    }

    /// How many clients are connected.
    pub(crate) fn count(&self) -> usize {
        self.connections.len()
    }

    /// Breaks every connection without a closing frame, or closes it with a code.
    pub(crate) fn end(&mut self, code: Option<u16>) {
        for connection in self.connections.values_mut() {
            connection.leaving = true;
            connection.outbox.push_back(code.map_or(Out::Cut, Out::Close));
        }
    }

    /// Asks every client for a new connection; the old ones still deliver.
    pub(crate) fn refresh(&mut self, reason: &str) {
        let frame = json!({ "type": "disconnect", "reason": reason, "debug_info": { "host": "wss-111.slack.com" } });
        for connection in self.connections.values_mut() {
            connection.leaving = true;
            connection.outbox.push_back(Out::Frame(frame.to_string()));
        }
    }

    /// Sends a frame to every client.
    pub(crate) fn send(&mut self, frame: &str) {
        for connection in self.connections.values_mut() {
            connection.outbox.push_back(Out::Frame(frame.to_owned()));
        }
    }

    /// Opens a connection, and returns its number.
    pub(crate) fn admit(&mut self, fault: Option<&Fault>) -> u64 {
        self.opened += 1;
        let others = usize::from(self.others > 0);
        let mut connection = Connection { ready: others == 0, ..Connection::default() };
        self.others = self.others.saturating_sub(1);
        let count = self.connections.len() + 1 + others;
        let hello = json!({
            "type": "hello",
            "num_connections": count,
            "debug_info": { "host": "wss-111.slack.com", "build_number": 10, "approximate_connection_time": 18_060 },
            "connection_info": { "app_id": APP },
        });
        let disconnect = |reason: &str| json!({ "type": "disconnect", "reason": reason }).to_string();
        let first = match fault {
            Some(Fault::CutAfter | Fault::CutInside) => Out::Cut,
            Some(Fault::Garbled) => Out::Frame("{\"type\":\"hel".to_owned()),
            Some(Fault::Huge(size)) => Out::Frame(format!("{}{hello}", " ".repeat(*size))),
            _ if count > CONNECTIONS => Out::Frame(disconnect("too_many_websockets")),
            _ => Out::Frame(hello.to_string()),
        };
        connection.outbox.push_back(first);
        self.connections.insert(self.opened, connection);
        self.opened
    }

    /// Takes out what a connection sends next.
    pub(crate) fn next_for(&mut self, id: u64) -> Option<Out> {
        if self.stalled {
            return None;
        }
        self.connections.get_mut(&id)?.outbox.pop_front()
    }

    /// Sends an envelope over the newest connection; whether there was one.
    fn deliver(&mut self, id: &str, waiting: Waiting) -> bool {
        let open = |leaving| move |(_, it): &(&u64, &mut Connection)| it.ready && it.leaving == leaving;
        let mut newest = self.connections.iter_mut().rev().find(open(false));
        if newest.is_none() {
            newest = self.connections.iter_mut().rev().find(open(true));
        }
        let Some((_, connection)) = newest else { return false };
        for _ in 0..=usize::from(self.doubles) {
            connection.outbox.push_back(Out::Frame(waiting.envelope.to_string()));
        }
        self.waiting.insert(id.to_owned(), waiting);
        true
    }

    /// Sends an envelope with this number; whether the app is connected.
    pub(crate) fn tell(&mut self, number: u64, kind: &str, payload: Value, press: Option<u64>) -> bool {
        let id = format!("57d6a792-4d35-4d0b-b6aa-{number:012x}");
        let mut envelope = json!({
            "envelope_id": id, "type": kind, "payload": payload, "accepts_response_payload": kind == "interactive",
        });
        if kind == "events_api" {
            envelope["retry_attempt"] = 0.into();
            envelope["retry_reason"] = "".into();
        }
        let due = Instant::now() + self.patience;
        self.deliver(&id, Waiting { envelope, due, press })
    }

    /// When an envelope has waited long enough.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.waiting.values().map(|waiting| waiting.due).min()
    }

    /// Sends events again that were not acknowledged. Returns the presses whose interactions have failed.
    pub(crate) fn expire(&mut self, now: Instant) -> Vec<u64> {
        let mut failed = Vec::new();
        let late: Vec<_> = self.waiting.extract_if(.., |_, waiting| waiting.due <= now).collect();
        for (id, mut waiting) in late {
            if let Some(press) = waiting.press {
                failed.push(press);
                continue;
            }
            let attempt = waiting.envelope["retry_attempt"].as_u64().unwrap_or_default() + 1;
            if attempt <= RETRIES {
                waiting.envelope["retry_attempt"] = attempt.into();
                waiting.envelope["retry_reason"] = "timeout".into();
                waiting.due = now + self.patience;
                self.deliver(&id, waiting);
            }
        }
        failed
    }

    /// Takes an acknowledgement: the press that it is for, and what is wrong with it.
    pub(crate) fn acknowledge(&mut self, frame: &str) -> (Option<u64>, Option<String>) {
        let found: Value = match serde_json::from_str(frame) {
            Ok(found) => found,
            Err(error) => return (None, Some(format!("a frame that is no JSON: {error}"))),
        };
        let Some(fields) = found.as_object() else { return (None, Some("a frame that is no object".to_owned())) };
        if let Some(name) = fields.keys().find(|name| !["envelope_id", "payload"].contains(&name.as_str())) {
            return (None, Some(format!("an unknown field of an acknowledgement: {name}")));
        }
        let Some(id) = fields.get("envelope_id").and_then(Value::as_str) else {
            return (None, Some("an acknowledgement without envelope_id".to_owned()));
        };
        // One that comes late or twice is no mistake.
        let Some(waiting) = self.waiting.remove(id) else { return (None, None) };
        let is_too_much = fields.contains_key("payload") && waiting.envelope["accepts_response_payload"] == false;
        (waiting.press, is_too_much.then(|| "a payload where none is taken".to_owned()))
    }

    /// Forgets a connection that has ended.
    pub(crate) fn close(&mut self, id: u64) {
        self.connections.remove(&id);
    }
}
