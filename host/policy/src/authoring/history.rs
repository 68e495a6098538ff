//! The requests that people answered, and their answers, from the log of requests.
//!
//! | tool | part of the call that is kept |
//! |---|---|
//! | shell | the command |
//! | file, search | the path, if there is one |
//! | web | the URL without its query and fragment |
//! | MCP, questions, all others | nothing but the tool's name |
//!
//! Secrets are masked and the text is truncated to [`MAX_SUBJECT_CHARS`](dmplz_core::stats::MAX_SUBJECT_CHARS) before
//! anything is kept. A masked or truncated text is no longer the text that was asked about: it is kept for people, and
//! [`crate::authoring::suggest`] ignores it.

use std::borrow::Cow;

use dmplz_core::request::End;
use dmplz_core::stats::{RequestEnd, Subject};
use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::call::Call;
use crate::call::targets::{self, Files, Urls};
use crate::rules::decision::Decision;
use crate::tools::{self, Kind};

/// Returns the subject of a call, if a rule can name subjects of its tool.
pub fn subject(tool: &str, input: &Map<String, Value>) -> Option<Subject> {
    // The time and the working directory do not change the subject of a call.
    let call = Call::new(tool, input, Timestamp::UNIX_EPOCH);
    Some(Subject::masked(&about(&call)?))
}

/// A call that a person was asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The time when the request was settled.
    pub at: Timestamp,
    /// The name of the tool, as the agent wrote it.
    pub tool: String,
    /// The subject of the call. `None` if none was kept.
    pub subject: Option<Subject>,
    /// The agent's working directory.
    pub cwd: Option<String>,
    /// The answer of a person: an allow or a deny.
    pub answer: Decision,
}

impl Asked {
    /// Parses a line of the log. `None` if no person answered: the request expired, a rule decided, or it was answered
    /// in the terminal, whose answer the log does not contain.
    pub fn of(end: RequestEnd) -> Option<Self> {
        let answer = match end.outcome {
            End::Approved | End::ApprovedSession | End::ApprovedAlways | End::ApprovedGranted | End::Answered => {
                Decision::Allow
            }
            End::RejectedWithReason | End::RejectedNoReason => Decision::Deny,
            End::AllowedByRule | End::DeniedByRule | End::Expired | End::ResolvedElsewhere => return None,
        };
        Some(Self { at: end.timestamp, tool: end.tool_name, subject: end.subject, cwd: end.cwd, answer })
    }
}

fn about<'a>(call: &Call<'a>) -> Option<Cow<'a, str>> {
    match tools::kind(call.tool) {
        Kind::Shell => targets::command(call).map(Cow::Borrowed),
        Kind::File | Kind::Search => only(Files::of(call).paths()).map(|path| Cow::Owned(path.to_owned())),
        Kind::Web => only(Urls::of(call).urls().iter()).map(|url| Cow::Borrowed(without_query(url))),
        Kind::Question | Kind::Other => None,
    }
}

/// Returns nothing for a call with several subjects, because a rule would have to cover all of them.
fn only<T>(mut several: impl Iterator<Item = T>) -> Option<T> {
    several.next().filter(|_| several.next().is_none())
}

fn without_query(url: &str) -> &str {
    url.split(['?', '#']).next().unwrap_or_default()
}

#[cfg(test)]
mod tests;
