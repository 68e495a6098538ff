//! The connection over which the server tells what happens (<https://developers.mattermost.com/api-documentation/#/#websocket>).
//!
//! | frame | then |
//! |---|---|
//! | `{"status":"OK","seq_reply":1}` and `hello` | the connection delivers |
//! | an event with the next `seq` | it is returned |
//! | an event with another `seq` | frames were lost: the connection is given up, and what happened is read by requests |
//! | `{"status":"FAIL",...}`, to a sign of life | the token counts no more: the connection is given up, and the next one tells |
//! | anything else | ignored, but it shows that the connection is alive |
//!
//! A dead connection looks like a quiet one, so the server is asked for a sign of life where none came for a while.

use dmplz_provider_sdk::prelude::*;
use dmplz_provider_sdk::socket::{Socket, SocketError};

use crate::api;
use crate::manifest::{CHALLENGE, TOKEN};

/// The milliseconds in which a connection must say hello; our choice.
const PATIENCE: u32 = 10_000;
/// The milliseconds without a frame after which the server is asked for a sign of life, and after which the connection is
/// given up; our choices.
const QUIET: u64 = 30_000;
const DEAD: u64 = 60_000;

/// A connection that said hello.
#[derive(Debug)]
pub(crate) struct Connection {
    socket: Box<dyn Socket>,
    /// The number of the next event.
    next: i64,
    /// When the last frame came, in milliseconds.
    heard: u64,
    /// The requests that were sent over it. The first one is the login.
    asked: u32,
}

/// What a look at the connection brought.
pub(crate) enum Frame {
    /// An event of the server, with its data; null for a frame that tells nothing.
    Event(Value),
    /// Nothing in the time.
    Silence,
    /// The connection is over.
    End,
}

impl Connection {
    /// Connects and logs in. A server only hangs up where it does not accept a token, so a request shows the reason then.
    pub(crate) fn open(api: Api<'_>) -> Result<Self> {
        Self::log_in(api).or_else(|error| match error {
            Error::Deadline => Err(error),
            error => api::account(api).and(Err(error)),
        })
    }

    fn log_in(api: Api<'_>) -> Result<Self> {
        let socket = api.connect_socket(&api.url("websocket").replacen("http", "ws", 1))?;
        let login = json!({ "seq": 1, "action": CHALLENGE, "data": { "token": TOKEN } });
        socket.send_json(&login)?;
        // The host ends an export that does not return in its time, so a part of it is left.
        let until = api.now() + u64::from(PATIENCE.min(api.remaining() / 4 * 3));
        loop {
            let left = api.until(until);
            match socket.receive_json(left)? {
                Some(frame) if frame.text("event") == Some("hello") => {
                    let next = frame.int("seq").unwrap_or_default() + 1;
                    return Ok(Self { socket, next, heard: api.now(), asked: 1 });
                }
                Some(frame) if frame.text("status") == Some("FAIL") => return Err(Error::Unauthorized),
                Some(_) if left > 0 => {}
                _ => return Err(Error::unavailable("Mattermost does not say hello")),
            }
        }
    }

    /// Waits for at most `wait` milliseconds for the next frame.
    pub(crate) fn listen(&mut self, host: &dyn Host, wait: u32) -> Result<Frame> {
        let quiet = host.now().saturating_sub(self.heard);
        if quiet > DEAD {
            return Ok(Frame::End);
        }
        let until_ping = u32::try_from(QUIET.saturating_sub(quiet)).unwrap_or_default();
        // Once it is asked, the server owes a sign of life.
        let slice = if self.asked > 1 { wait } else { wait.min(until_ping.max(1)) };
        match self.socket.receive_json(slice) {
            Ok(Some(frame)) => {
                self.heard = host.now();
                self.asked = 1;
                Ok(self.take(frame))
            }
            Ok(None) if slice < wait => {
                self.asked += 1;
                let ping = json!({ "seq": self.asked, "action": "ping" });
                Ok(if self.socket.send_json(&ping).is_err() { Frame::End } else { Frame::Event(Value::Null) })
            }
            Ok(None) => Ok(Frame::Silence),
            Err(SocketError::Deadline) => Err(Error::Deadline),
            Err(_) => Ok(Frame::End),
        }
    }

    fn take(&mut self, found: Value) -> Frame {
        match (found.text("event"), found.int("seq")) {
            // The session is over: the server tells it no events any more, but does not hang up.
            (None, _) if found.text("status") == Some("FAIL") => Frame::End,
            (None, _) => Frame::Event(Value::Null),
            (Some(_), Some(number)) if number == self.next => {
                self.next += 1;
                Frame::Event(found)
            }
            (Some(_), _) => Frame::End,
        }
    }
}
