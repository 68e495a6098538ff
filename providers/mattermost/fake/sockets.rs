//! The WebSocket: login, events in their order, and replies to requests over it
//! (<https://developers.mattermost.com/api-documentation/#/#websocket>).

use super::world::World;
use super::{BOT, TOKEN};
use crate::exchange::Admission;
use crate::fault::Fault;
use crate::server::Socket;
use crate::violation::{Side, Violation};
use crate::watched::Watched;
use crate::wire::Wire;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;

/// The name of the request that opens a connection, as calls and faults have it.
pub(crate) const OPENING: &str = "WebSocket";
/// How long the client has to answer a closing frame.
const FAREWELL: Duration = Duration::from_secs(1);

/// The connections of the bot.
#[derive(Default)]
pub(crate) struct Sockets {
    /// The status with which connections are refused.
    pub(crate) refused: Option<u16>,
    /// How many of the next events are lost.
    pub(crate) lost: usize,
    /// Whether nothing is sent any more.
    pub(crate) is_silent: bool,
    /// How many connections there were.
    pub(crate) opened: u64,
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

enum Out {
    Frame(String),
    Close(u16),
    Cut,
}

impl Sockets {
    /// Whether a client would be told of a press.
    pub(crate) fn is_ready(&self) -> bool {
        self.connections.values().any(|it| it.ready)
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

    /// Sends an event to every client that logged in. One that is lost has its number all the same.
    pub(crate) fn tell(&mut self, event: &str, channel: &str, data: &Value) {
        let is_lost = self.lost > 0;
        self.lost = self.lost.saturating_sub(1);
        for connection in self.connections.values_mut().filter(|it| it.ready) {
            let frame = connection.event(event, channel, data);
            if !is_lost {
                connection.outbox.push_back(Out::Frame(frame));
            }
        }
    }

    fn open(&mut self) -> u64 {
        self.opened += 1;
        self.connections.insert(self.opened, Connection::default());
        self.opened
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
            Some("user_typing" | "get_statuses") if self.ready => None,
            other => Some(format!("an action that is not known here: {other:?}")),
        }
    }
}

/// Talks with one client until one of the two has enough.
pub(crate) async fn converse(
    world: &Watched<World>,
    wire: &Wire,
    Admission { fault, hold }: Admission,
    mut socket: Socket,
) {
    match fault {
        Some(Fault::HeldAfter) => wire.released(hold).await,
        Some(Fault::Slow(delay)) => tokio::time::sleep(delay).await,
        _ => {}
    }
    let id = world.change(|world| world.sockets.open());
    loop {
        let next = |world: &mut World| {
            let is_silent = world.sockets.is_silent;
            world.sockets.connections.get_mut(&id).filter(|_| !is_silent)?.outbox.pop_front()
        };
        tokio::select! {
            biased;
            out = world.until(next) => match out {
                Out::Frame(frame) => {
                    if socket.send(Message::text(frame)).await.is_err() {
                        break;
                    }
                }
                Out::Close(code) => {
                    let frame = CloseFrame { code: code.into(), reason: "".into() };
                    let farewell = async {
                        let _ = socket.close(Some(frame)).await;
                        while socket.next().await.is_some_and(|frame| frame.is_ok()) {}
                    };
                    let _ = timeout(FAREWELL, farewell).await;
                    break;
                }
                Out::Cut => {
                    let _ = tokio::io::AsyncWriteExt::shutdown(socket.get_mut()).await;
                    break;
                }
            },
            frame = socket.next() => match frame {
                Some(Ok(Message::Text(frame))) => {
                    let wrong = world.change(|world| world.sockets.connections.get_mut(&id)?.take(&frame));
                    let violation = |what| Violation { call: OPENING.to_owned(), side: Side::Request, what };
                    wire.report(wrong.into_iter().map(violation).collect());
                }
                Some(Ok(Message::Close(_))) => {
                    let _ = socket.flush().await;
                    break;
                }
                Some(Ok(_)) => {}
                Some(Err(_)) | None => break,
            },
        }
    }
    world.change(|world| world.sockets.connections.remove(&id));
}
