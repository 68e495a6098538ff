//! What is kept of every request's end, and the figures of seed 0, section 12, that follow from it.
//!
//! | figure | of | share |
//! |---|---|---|
//! | by policy | all requests | that a rule decided, so that nobody was asked |
//! | denials | requests that a person answered | that were denied |
//! | reasons, explicit skips, time-outs | those denials | with a reason; without one by choice; because none came in time |
//! | hook time-outs | requests that no rule decided | that nobody answered by the deadline, in the queue or on the card |
//! | failures | the same | for which the messenger could not be used |
//! | answered elsewhere | the same | that ended in the terminal, or whose client went away |
//!
//! The time to answer counts from the card's appearance to the answer, without the wait for a reason. Median and 90th
//! percentile are times that occurred: the smallest that is at least as long as half, or nine tenths, of all.

mod figures;
pub mod stamp;
mod subject;

pub use figures::{Answers, Figures, Share};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::request::{Cause, End, ReasonSource};
pub use subject::{MAX_SUBJECT_CHARS, Subject};

/// A line of `requests.jsonl`: how a request ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestEnd {
    /// When the request ended.
    #[serde(with = "stamp")]
    pub timestamp: Timestamp,
    /// The id of the request.
    pub request_id: String,
    /// The client's session in which it was asked.
    pub session_id: String,
    /// The messenger's provider; `policy` where a rule decided.
    pub provider: String,
    /// The tool that was to be run.
    pub tool_name: String,
    /// How the request ended.
    pub outcome: End,
    /// For a denial: where its reason comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason_source: Option<ReasonSource>,
    /// For a request that nobody answered: why not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// Milliseconds from the card's appearance to the answer. None where the card never appeared or was not answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked_ms: Option<u64>,
    /// The rule that decided, `file:line`, where it was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// What the call was about, secrets masked. None in older lines, and where it was about nothing that a rule can name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<Subject>,
    /// Where the agent worked; absolute. None in older lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
}

/// Which requests count, by when they ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Period {
    /// The first moment that counts.
    pub since: Option<Timestamp>,
    /// The first moment after that does not.
    pub until: Option<Timestamp>,
}

/// Adds up lines of `requests.jsonl`.
#[derive(Debug, Clone, Default)]
pub struct Stats {
    period: Period,
    unreadable: u64,
    ends: Vec<RequestEnd>,
}

impl Stats {
    /// Counts the requests of a period.
    pub fn new(period: Period) -> Self {
        Self { period, ..Self::default() }
    }

    /// Adds a line, without its end. One that nobody can read is counted as such, whenever it was written.
    pub fn add(&mut self, line: &[u8]) {
        match serde_json::from_slice::<RequestEnd>(line) {
            Ok(end) => self.count(end),
            Err(_) => self.unreadable += 1,
        }
    }

    /// Adds an end that was kept elsewhere than in the log.
    pub fn count(&mut self, end: RequestEnd) {
        if self.period.contains(end.timestamp) {
            self.ends.push(end);
        }
    }

    /// Adds an end that was kept elsewhere and cannot be read.
    pub fn count_unreadable(&mut self) {
        self.unreadable += 1;
    }

    /// The figures of all lines so far.
    pub fn figures(&self) -> Figures {
        Figures::of(&self.ends, self.unreadable)
    }
}

impl Period {
    fn contains(&self, time: Timestamp) -> bool {
        self.since.is_none_or(|since| since <= time) && self.until.is_none_or(|until| time < until)
    }
}

#[cfg(test)]
mod tests;
