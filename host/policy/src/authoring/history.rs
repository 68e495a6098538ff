//! What people were asked, and what they answered, as the log of requests keeps it.
//!
//! | tool | what is kept of a call |
//! |---|---|
//! | shell | the command |
//! | file, search | the path, if there is one |
//! | web | the URL without its query and fragment |
//! | MCP, questions, all others | nothing but the tool's name |
//!
//! Secrets are masked before anything is kept, and no more than [`MAX_SUBJECT_CHARS`](dmplz_core::stats::MAX_SUBJECT_CHARS) is. What was masked or cut is no longer
//! what was asked: it is kept for people and says nothing to [`crate::authoring::suggest`].

use std::borrow::Cow;

use dmplz_core::request::End;
use dmplz_core::stats::{RequestEnd, Subject};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::call::Call;
use crate::call::names::{self, Kind};
use crate::call::targets::{self, Files, Urls};

/// What a call is about, if its tool is one of those that are about something that a rule can name.
pub fn subject(tool: &str, input: &Map<String, Value>) -> Option<Subject> {
    // Time and place do not matter to what a call names.
    let call = Call::new(tool, input, Timestamp::UNIX_EPOCH);
    Some(Subject::masked(&about(&call)?))
}

/// A call that somebody was asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// When it was settled.
    pub at: Timestamp,
    /// The tool, as the agent wrote it.
    pub tool: String,
    /// What the call was about. None where nothing was kept.
    pub subject: Option<Subject>,
    /// Where the agent worked.
    pub cwd: Option<String>,
    /// What a person answered.
    pub answer: Answer,
}

/// What a person answered to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// The person allowed the call.
    Allowed,
    /// The person denied the call.
    Denied,
}

impl Asked {
    /// Reads a line of the log. None where no person answered: nobody did in time, a rule did, or the terminal, of which
    /// the log does not know what it said.
    pub fn of(end: RequestEnd) -> Option<Self> {
        let answer = match end.outcome {
            End::Approved | End::ApprovedSession | End::ApprovedAlways | End::ApprovedGranted | End::Answered => {
                Answer::Allowed
            }
            End::RejectedWithReason | End::RejectedNoReason => Answer::Denied,
            End::AllowedByRule | End::DeniedByRule | End::Expired | End::ResolvedElsewhere => return None,
        };
        Some(Self { at: end.timestamp, tool: end.tool_name, subject: end.subject, cwd: end.cwd, answer })
    }
}

fn about<'a>(call: &Call<'a>) -> Option<Cow<'a, str>> {
    match names::kind(call.tool) {
        Kind::Shell => targets::command(call).map(Cow::Borrowed),
        Kind::File | Kind::Search => only(Files::of(call).paths()).map(|path| Cow::Owned(path.to_owned())),
        Kind::Web => only(Urls::of(call).urls().iter()).map(|url| Cow::Borrowed(without_query(url))),
        Kind::Question | Kind::Other => None,
    }
}

/// Of a call that is about several things nothing is kept: a rule would have to mean all of them.
fn only<T>(mut several: impl Iterator<Item = T>) -> Option<T> {
    several.next().filter(|_| several.next().is_none())
}

fn without_query(url: &str) -> &str {
    url.split(['?', '#']).next().unwrap_or_default()
}

#[cfg(test)]
mod tests;
