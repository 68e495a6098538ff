//! The state of the gateway: its sessions, the connections that carry them, and their faults.
//!
//! A session outlives its connections. It numbers and keeps every event that its intents ask for, so that a RESUME can
//! replay exactly the events after a sequence number. A connection has only an outbox. All of this is under the world's
//! lock, so an event reaches all sessions at once.

use crate::fault::Fault;
use crate::violation::Violation;
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;
use tokio::time::Instant;

mod acks;
mod connection;
mod frames;
pub(crate) mod payload;
mod session;

pub use acks::Acks;
pub use frames::{Frame, Origin};
pub use session::SessionState;

pub(crate) use connection::Out;

use connection::Connection;
use frames::Frames;
use payload::Close;
use session::Session;

/// The path at which sessions are resumed. The real gateway uses another host for it.
pub(crate) const RESUME_PATH: &str = "/resume";

/// The state of the gateway.
pub(crate) struct Gateway {
    /// The heartbeat interval that HELLO contains.
    pub(crate) heartbeat: Duration,
    /// The time in which only one IDENTIFY is accepted; zero for no limit.
    pub(crate) identify_window: Duration,
    /// The time for which a session without a connection can be resumed.
    pub(crate) session_life: Duration,
    /// The number of sessions that may still be started today.
    pub(crate) starts: u64,
    pub(crate) frames: Frames,
    pub(crate) acks: Acks,
    /// Whether outgoing frames are held back.
    pub(crate) silent: bool,
    /// The status with which connections are refused.
    pub(crate) refused: Option<u16>,
    /// Whether a client was refused at the address for RESUME, so that it may use another one.
    pub(crate) resume_refused: bool,
    /// The code with which sessions are refused, and the number of refusals that are left.
    pub(crate) turned_away: (u16, usize),
    pub(crate) sessions: BTreeMap<String, Session>,
    pub(crate) connections: BTreeMap<u64, Connection>,
    /// The number of connections so far.
    pub(crate) opened: u64,
    /// The number of sessions so far.
    started: u64,
    pub(crate) identified_at: Option<Instant>,
}

impl Gateway {
    /// The number of sessions per day: <https://docs.discord.com/developers/events/gateway#session-start-limit-object>.
    pub(crate) const STARTS: u64 = 1000;

    pub(crate) fn new() -> Self {
        Self {
            heartbeat: Duration::from_millis(41_250),
            identify_window: Duration::ZERO,
            session_life: Duration::from_secs(180),
            starts: Self::STARTS,
            frames: Frames::default(),
            acks: Acks::Prompt,
            silent: false,
            refused: None,
            resume_refused: false,
            turned_away: (0, 0),
            sessions: BTreeMap::new(),
            connections: BTreeMap::new(),
            opened: 0,
            started: 0,
            identified_at: None,
        }
    }

    /// Opens a connection and sends HELLO. Returns the connection's number.
    pub(crate) fn open(&mut self, path: &str, version: Option<&str>, fault: Option<&Fault>) -> u64 {
        self.opened += 1;
        let to_resume = path.starts_with(RESUME_PATH) || self.resume_refused;
        self.resume_refused = false;
        let connection = self.connections.entry(self.opened).or_insert_with(|| Connection::new(to_resume));
        match version {
            Some("10") => connection.welcome(payload::hello(self.heartbeat), fault),
            _ => connection.close(Close::INVALID_API_VERSION),
        }
        if self.frames.cut_now() {
            connection.cut();
        }
        self.opened
    }

    /// Returns what a connection has to send next.
    pub(crate) fn next(&mut self, id: u64, now: Instant) -> Option<Out> {
        let silent = self.silent;
        let connection = self.connections.get_mut(&id)?;
        let out = connection.next(now, silent)?;
        if let Out::Frame(frame) = &out
            && self.frames.passed(id, Origin::Gateway, frame)
        {
            connection.cut();
        }
        Some(out)
    }

    /// Returns the time of a connection's next timer: an acknowledgement that was held back, or the time-out of a
    /// client that sends no heartbeat.
    pub(crate) fn deadline(&self, id: u64) -> Option<Instant> {
        let connection = self.connections.get(&id)?;
        let patience = connection.heard + self.patience();
        Some(connection.ack_due().filter(|_| !self.silent).map_or(patience, |due| due.min(patience)))
    }

    /// Closes a connection whose client has missed its heartbeats.
    pub(crate) fn tick(&mut self, id: u64, now: Instant) -> Option<Violation> {
        match self.connections.get(&id)?.heard + self.patience() <= now {
            true => self.close(id, Close::SESSION_TIMED_OUT, "no heartbeat came in time"),
            false => None,
        }
    }

    /// Returns how long a client may be silent. One heartbeat may be late or lost.
    fn patience(&self) -> Duration {
        self.heartbeat.saturating_mul(2).max(Duration::from_millis(200))
    }

    /// Closes a connection because of something that its client did. Returns a violation if that was a bug of the
    /// client.
    pub(crate) fn close(&mut self, id: u64, close: Close, why: &str) -> Option<Violation> {
        let connection = self.connections.get_mut(&id).filter(|connection| !connection.closing)?;
        connection.close(close);
        if let Some(session) = connection.session.clone().filter(|_| close.ends_session()) {
            self.sessions.remove(&session);
        }
        let what = format!("{} {}: {why}", close.0, close.reason().trim_end_matches('.'));
        close.is_mistake().then(|| Violation::request("gateway", what))
    }

    /// Removes a connection that has ended, and its session if the client closed it with 1000 or 1001.
    pub(crate) fn gone(&mut self, id: u64, code: Option<u16>) {
        let session = self.connections.remove(&id).and_then(|connection| connection.session);
        match session.filter(|_| matches!(code, Some(1000 | 1001))) {
            Some(session) => _ = self.sessions.remove(&session),
            None => self.left(id),
        }
    }

    /// Detaches a session from its connection, so that another one can resume it.
    pub(crate) fn left(&mut self, id: u64) {
        for session in self.sessions.values_mut().filter(|session| session.connection == Some(id)) {
            session.connection = None;
            session.left = Instant::now();
        }
    }

    /// Refuses a session as scripted. This is no violation of the client.
    pub(crate) fn turn_away(&mut self, id: u64) {
        let (code, left) = &mut self.turned_away;
        *left = left.saturating_sub(1);
        let code = *code;
        _ = self.close(id, Close(code), "");
    }

    /// Adds a frame to a connection's outbox.
    pub(crate) fn push(&mut self, id: u64, frame: String) {
        if let Some(connection) = self.connections.get_mut(&id) {
            connection.push(frame);
        }
    }

    /// Starts a session on a connection, and returns its id.
    pub(crate) fn begin(&mut self, connection: u64, intents: u64) -> String {
        self.started += 1;
        let id = format!("{:032x}", u128::from(self.started) << 64 | u128::from(connection));
        self.sessions.insert(id.clone(), Session::new(intents, connection));
        if let Some(connection) = self.connections.get_mut(&connection) {
            connection.session = Some(id.clone());
        }
        id
    }

    /// Numbers an event for a session, keeps it, and sends it if the session has a connection.
    pub(crate) fn tell(&mut self, session: &str, event: &str, data: &serde_json::Value) {
        let Some(session) = self.sessions.get_mut(session) else { return };
        let frame = session.keep(event, data);
        if let Some(connection) = session.connection {
            self.push(connection, frame);
        }
    }

    /// Returns the state of every session.
    pub(crate) fn states(&self) -> Vec<SessionState> {
        self.sessions.iter().map(|(id, session)| session.state(id)).collect()
    }

    /// Returns the connections in the order in which they were opened.
    pub(crate) fn connected(&self) -> Vec<u64> {
        self.connections.keys().copied().collect()
    }
}

/// The outgoing frames, in order.
type Outbox = VecDeque<Out>;
