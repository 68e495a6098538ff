use serde_json::Value;
use std::time::Instant;

/// A text frame that was sent or received.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The number of the connection, from 1.
    pub connection: u64,
    /// Whether the gateway or its client sent it.
    pub from: Origin,
    /// The payload; a string if it is not JSON.
    pub payload: Value,
    /// The time when it had been read, or was about to be written.
    pub at: Instant,
}

impl Frame {
    /// Returns the opcode; `None` if the frame has none.
    pub fn op(&self) -> Option<u64> {
        self.payload.get("op").and_then(Value::as_u64)
    }

    /// Returns the name of the event of a dispatch.
    pub fn event(&self) -> Option<&str> {
        self.payload.get("t").and_then(Value::as_str)
    }
}

/// A side of the gateway.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The bot.
    Client,
    /// The fake.
    Gateway,
}

/// The frames so far, and the frame after which the connection breaks.
#[derive(Default)]
pub(crate) struct Frames {
    pub(crate) passed: Vec<Frame>,
    /// The number of frames before the connection breaks.
    pub(crate) cut_after: Option<usize>,
    /// The number of times that a connection broke.
    pub(crate) cuts: usize,
}

impl Frames {
    /// Records a frame. Returns whether the connection breaks after it.
    pub(crate) fn passed(&mut self, connection: u64, from: Origin, frame: &str) -> bool {
        let payload = serde_json::from_str(frame).unwrap_or_else(|_| Value::from(frame));
        self.passed.push(Frame { connection, from, payload, at: Instant::now() });
        self.cut_after = self.cut_after.map(|left| left.saturating_sub(1));
        self.cut_now()
    }

    /// Returns whether the connection breaks now.
    pub(crate) fn cut_now(&mut self) -> bool {
        let now = self.cut_after == Some(0);
        if now {
            self.cut_after = None;
            self.cuts += 1;
        }
        now
    }
}
