use super::payload;
use serde_json::Value;
use tokio::time::Instant;

/// The state of a session, for tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionState {
    /// The id by which the session is resumed.
    pub id: String,
    /// The intents of its IDENTIFY.
    pub intents: u64,
    /// The number of its last event.
    pub sequence: u64,
    /// Whether a connection carries it now.
    pub connected: bool,
    /// The number of times that it was resumed.
    pub resumes: u64,
}

/// A session, which survives its connections.
pub(crate) struct Session {
    pub(crate) intents: u64,
    pub(crate) connection: Option<u64>,
    /// The time when its last connection ended.
    pub(crate) left: Instant,
    pub(crate) sequence: u64,
    pub(crate) resumes: u64,
    /// Every event so far, with its number.
    kept: Vec<(u64, String)>,
}

impl Session {
    pub(crate) fn new(intents: u64, connection: u64) -> Self {
        let left = Instant::now();
        Self { intents, connection: Some(connection), left, sequence: 0, resumes: 0, kept: Vec::new() }
    }

    /// Returns the frame of the next event, and keeps it for RESUME.
    pub(crate) fn keep(&mut self, event: &str, data: &Value) -> String {
        let frame = self.number(event, data);
        self.kept.push((self.sequence, frame.clone()));
        frame
    }

    /// Returns the frame of the next event without keeping it. RESUMED must not be replayed, because it ends a replay.
    pub(crate) fn number(&mut self, event: &str, data: &Value) -> String {
        self.sequence += 1;
        payload::dispatch(event, self.sequence, data)
    }

    /// Returns the events after a sequence number.
    pub(crate) fn since(&self, sequence: u64) -> impl Iterator<Item = &String> {
        self.kept.iter().filter(move |(number, _)| *number > sequence).map(|(_, frame)| frame)
    }

    pub(crate) fn state(&self, id: &str) -> SessionState {
        SessionState {
            id: id.to_owned(),
            intents: self.intents,
            sequence: self.sequence,
            connected: self.connection.is_some(),
            resumes: self.resumes,
        }
    }
}
