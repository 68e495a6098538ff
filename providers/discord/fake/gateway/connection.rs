use super::Outbox;
use super::payload::Close;
use crate::fault::Fault;
use std::collections::VecDeque;
use std::time::Duration;
use tokio::time::Instant;

/// Frames that a client may send in [`WINDOW`]: <https://docs.discord.com/developers/events/gateway#rate-limiting>.
const FRAMES: usize = 120;
const WINDOW: Duration = Duration::from_secs(60);

/// One thing that a connection does.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Out {
    Frame(String),
    /// A frame in the middle of which the line breaks.
    Half(String),
    Close(Close),
    /// The line breaks: no closing frame.
    Cut,
}

/// One connection of a client.
pub(super) struct Connection {
    pub(super) outbox: Outbox,
    /// The session that it carries, once it has identified or resumed.
    pub(super) session: Option<String>,
    /// Whether a RESUME belongs here: at the address that READY named, or behind an op 9.
    pub(super) to_resume: bool,
    /// When the last heartbeat came, or the connection was opened.
    pub(super) heard: Instant,
    /// Whether nothing that the client sends matters any more.
    pub(super) closing: bool,
    /// Whether every frame goes out twice.
    doubled: bool,
    /// Acknowledgements that wait, with their time.
    held: VecDeque<(Instant, String)>,
    /// When the frames of the last minute came.
    received: VecDeque<Instant>,
}

impl Connection {
    pub(super) fn new(to_resume: bool) -> Self {
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

    /// Says HELLO, and does to it and to the connection what was scripted.
    pub(super) fn welcome(&mut self, hello: String, fault: Option<&Fault>) {
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

    pub(super) fn push(&mut self, frame: String) {
        if self.doubled {
            self.outbox.push_back(Out::Frame(frame.clone()));
        }
        self.outbox.push_back(Out::Frame(frame));
    }

    pub(super) fn next(&mut self, now: Instant, silent: bool) -> Option<Out> {
        if silent && !self.closing {
            return None;
        }
        match self.held.pop_front_if(|(due, _)| *due <= now) {
            Some((_, frame)) if !self.closing => Some(Out::Frame(frame)),
            _ => self.outbox.pop_front(),
        }
    }

    pub(super) fn hold(&mut self, due: Instant, frame: String) {
        self.held.push_back((due, frame));
    }

    pub(super) fn ack_due(&self) -> Option<Instant> {
        self.held.front().map(|(due, _)| *due)
    }

    /// Closes behind what is on its way out.
    pub(super) fn close(&mut self, close: Close) {
        if !self.closing {
            self.closing = true;
            self.outbox.push_back(Out::Close(close));
        }
    }

    /// Breaks the line in front of what is on its way out.
    pub(super) fn cut(&mut self) {
        self.closing = true;
        self.outbox.clear();
        self.outbox.push_back(Out::Cut);
    }

    /// Counts a frame of the client; whether it is one too many.
    pub(super) fn counts(&mut self, now: Instant) -> bool {
        self.received.retain(|at| now.duration_since(*at) < WINDOW);
        self.received.push_back(now);
        self.received.len() > FRAMES
    }
}
