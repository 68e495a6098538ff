use super::Outbox;
use super::payload::Close;
use crate::fault::Fault;
use std::collections::VecDeque;
use std::time::Duration;
use tokio::time::Instant;

/// The number of frames that a client may send in [`WINDOW`]:
/// <https://docs.discord.com/developers/events/gateway#rate-limiting>.
const FRAMES: usize = 120;
const WINDOW: Duration = Duration::from_secs(60);

/// An action of a connection.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Out {
    Frame(String),
    /// Sends half of a frame, and breaks the connection.
    Half(String),
    Close(Close),
    /// Breaks the connection without a closing frame.
    Cut,
}

/// One connection of a client.
pub(crate) struct Connection {
    pub(crate) outbox: Outbox,
    /// The session that it carries, once it has identified or resumed.
    pub(crate) session: Option<String>,
    /// Whether a RESUME is expected here: the client connected to the address of READY, or was sent an op 9.
    pub(crate) to_resume: bool,
    /// The time of the last heartbeat, at first that of the connection's start.
    pub(crate) heard: Instant,
    /// Whether further frames of the client are ignored.
    pub(crate) closing: bool,
    /// Whether every frame goes out twice.
    doubled: bool,
    /// The acknowledgements that are held back, with the times at which they are due.
    held: VecDeque<(Instant, String)>,
    /// The times of the frames in the last minute.
    received: VecDeque<Instant>,
}

impl Connection {
    pub(crate) fn new(to_resume: bool) -> Self {
        Self {
            outbox: Outbox::new(),
            session: None,
            to_resume,
            heard: Instant::now(),
            closing: false,
            doubled: false,
            held: VecDeque::new(),
            received: VecDeque::new(),
        }
    }

    /// Sends HELLO, and applies the scripted fault to it and to the connection.
    pub(crate) fn welcome(&mut self, hello: String, fault: Option<&Fault>) {
        match fault {
            Some(Fault::CutAfter) => return self.cut(),
            Some(Fault::CutInside) => {
                self.closing = true;
                return self.outbox.push_back(Out::Half(hello));
            }
            _ => {}
        }
        self.outbox.push_back(Out::Frame(match fault {
            Some(Fault::Garbled) => hello.get(..hello.len() / 2).unwrap_or_default().to_owned(),
            Some(Fault::Huge(size)) => format!("{}{hello}", " ".repeat(*size)),
            _ => hello,
        }));
        self.doubled = fault == Some(&Fault::Doubled);
    }

    pub(crate) fn push(&mut self, frame: String) {
        if self.doubled {
            self.outbox.push_back(Out::Frame(frame.clone()));
        }
        self.outbox.push_back(Out::Frame(frame));
    }

    pub(crate) fn next(&mut self, now: Instant, silent: bool) -> Option<Out> {
        if silent && !self.closing {
            return None;
        }
        match self.held.pop_front_if(|(due, _)| *due <= now) {
            Some((_, frame)) if !self.closing => Some(Out::Frame(frame)),
            _ => self.outbox.pop_front(),
        }
    }

    pub(crate) fn hold(&mut self, due: Instant, frame: String) {
        self.held.push_back((due, frame));
    }

    pub(crate) fn ack_due(&self) -> Option<Instant> {
        self.held.front().map(|(due, _)| *due)
    }

    /// Closes the connection after the outgoing frames.
    pub(crate) fn close(&mut self, close: Close) {
        if !self.closing {
            self.closing = true;
            self.outbox.push_back(Out::Close(close));
        }
    }

    /// Breaks the connection before the outgoing frames.
    pub(crate) fn cut(&mut self) {
        self.closing = true;
        self.outbox.clear();
        self.outbox.push_back(Out::Cut);
    }

    /// Counts a frame of the client. Returns whether it exceeds the limit.
    pub(crate) fn counts(&mut self, now: Instant) -> bool {
        self.received.retain(|at| now.duration_since(*at) < WINDOW);
        self.received.push_back(now);
        self.received.len() > FRAMES
    }
}
