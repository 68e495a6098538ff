use serde_json::Value;
use std::time::Instant;

/// One text frame that has passed.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The number of the connection, from 1.
    pub connection: u64,
    /// Whether the gateway or its client sent it.
    pub from: Origin,
    /// What it says; a string where it is not JSON.
    pub payload: Value,
    /// When it had been read, or was about to be written.
    pub at: Instant,
}

impl Frame {
    /// The opcode of the payload; none where it is no payload.
    pub fn op(&self) -> Option<u64> {
        self.payload.get("op").and_then(Value::as_u64)
    }

    /// The name of the event, for a dispatch.
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

/// The frames so far, and behind which of them the line breaks.
#[derive(Default)]
pub(crate) struct Frames {
    pub(crate) passed: Vec<Frame>,
    /// How many frames are let through before the line breaks.
    pub(crate) cut_after: Option<usize>,
    /// How often it has.
    pub(crate) cuts: usize,
}

impl Frames {
    /// Notes a frame; whether the line breaks behind it.
    pub(super) fn passed(&mut self, connection: u64, from: Origin, frame: &str) -> bool {
        let payload = serde_json::from_str(frame).unwrap_or_else(|_| Value::from(frame));
        self.passed.push(Frame { connection, from, payload, at: Instant::now() });
        self.cut_after = self.cut_after.map(|left| left.saturating_sub(1));
        self.cut_now()
    }

    /// Whether the line breaks now.
    pub(super) fn cut_now(&mut self) -> bool {
        let now = self.cut_after == Some(0);
        if now {
            self.cut_after = None;
            self.cuts += 1;
        }
        now
    }
}
