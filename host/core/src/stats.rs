//! The record of a request's end, and the figures that follow from all records.
//!
//! | figure | of | share |
//! |---|---|---|
//! | by policy | all requests | decided by a rule, without asking anybody |
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

/// A line of `requests.jsonl`: the end of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestEnd {
    /// When the request ended.
    #[serde(with = "stamp")]
    pub timestamp: Timestamp,
    /// The id of the request.
    pub request_id: String,
    /// The client's session in which it was asked.
    pub session_id: String,
    /// The messenger's provider; `policy` if a rule decided.
    pub provider: String,
    /// The tool that was to be run.
    pub tool_name: String,
    /// How the request ended.
    pub outcome: End,
    /// The source of a denial's reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason_source: Option<ReasonSource>,
    /// The reason why nobody answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// The milliseconds from the card's appearance to the answer. `None` if the card never appeared or was not
    /// answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked_ms: Option<u64>,
    /// The rule that decided, `file:line`, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The subject of the call, with secrets masked. `None` in older lines, and for a call without a subject that a
    /// rule can name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<Subject>,
    /// The agent's working directory; absolute. `None` in older lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
}

/// The period in which counted requests ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Period {
    /// The first moment of the period.
    pub since: Option<Timestamp>,
    /// The first moment after the period.
    pub until: Option<Timestamp>,
}

/// Sums up lines of `requests.jsonl`.
#[derive(Debug, Clone, Default)]
pub struct Stats {
    period: Period,
    unreadable: u64,
    ends: Vec<RequestEnd>,
}

impl Stats {
    /// Returns a sum for the requests of a period.
    pub fn new(period: Period) -> Self {
        Self { period, ..Self::default() }
    }

    /// Adds a line, without its line end. An unreadable line is counted as such, whatever its time.
    pub fn add(&mut self, line: &[u8]) {
        match serde_json::from_slice::<RequestEnd>(line) {
            Ok(end) => self.count(end),
            Err(_) => self.unreadable += 1,
        }
    }

    /// Adds an end from another source than the log.
    pub fn count(&mut self, end: RequestEnd) {
        if self.period.contains(end.timestamp) {
            self.ends.push(end);
        }
    }

    /// Counts an unreadable end from another source.
    pub fn count_unreadable(&mut self) {
        self.unreadable += 1;
    }

    /// Returns the figures of all lines so far.
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
