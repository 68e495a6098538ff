//! Suggests the narrowest rules that would have answered the requests that people always answered the same way.
//!
//! | tool | condition of the rule |
//! |---|---|
//! | shell | the longest prefix that the commands share, each command of a line on its own |
//! | files, search | the deepest folder of the project that contains all of them, or one file |
//! | web | the host |
//! | MCP, web search | the tool |
//!
//! A rule is suggested only if
//!
//! * at least [`Wanted::least`] requests were answered that way, and no request that it would match was answered
//!   otherwise. The broad reading counts ([`crate::Reading`]): for an allow, everything that the same rule would deny
//!   if it were a deny;
//! * the policy leaves those requests open, and with all suggestions it no longer does. This is not computed
//!   separately: the engine decides the history again, with the suggestions.
//!
//! A prefix has two words, so that `git status` is never shortened to `git`; it has three if the second is only `run`,
//! and one for commands that only read (`ls`, `grep`), test or check (`pytest`, `eslint`). For `npx eslint` two rules are
//! suggested, because what it starts needs one as well. A command that can do anything ([`crate::programs::power()`]) is
//! never suggested by its prefix, only as the exact line that was allowed, and a command that destroys not even as
//! that. A request that expired or was settled elsewhere is not an answer. A masked or truncated request counts against
//! a rule, never for it.
//!
//! An allow applies in the project in which it was given, if there is only one and enough requests were answered there
//! without a `cd` before the command; commands that only read are allowed everywhere.
//! Nothing is applied: a suggestion is text for a person to accept.

mod candidate;
mod command;
mod evidence;
mod group;
mod host;
mod path;
mod trial;

use std::collections::BTreeSet;
use std::path::Path;

use dmplz_core::stats::stamp;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Serialize;

use self::candidate::Candidate;
use self::evidence::{Case, cases};
use self::trial::Trial;
use crate::authoring::history::Asked;
use crate::file::File;
use crate::rules::decision::Decision;

/// The parameters of the search.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// The minimum number of equal answers for a rule; [`LEAST`] by default.
    pub least: usize,
    /// The user's home directory: no rule is suggested for everything below it.
    pub home: Option<&'a Path>,
    /// The current time, for rules of the policy that expire.
    pub now: Timestamp,
}

/// The number of equal answers that make a habit.
pub const LEAST: usize = 3;

/// The maximum number of candidates that are tried, those with the most answers first.
pub const MOST: usize = 100;

/// A rule that a person may want to add.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Suggestion {
    /// Whether the suggested rule allows or denies.
    pub decision: Decision,
    /// The tool that the suggested rule is about.
    pub tool: String,
    /// The subject of the rule: `git status *`, `/home/u/project/src/**`, `example.com`.
    pub about: String,
    /// The project that the rule is restricted to. `None` means everywhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<String>,
    /// The number of past requests that nobody would have been asked about, given all suggestions.
    pub saves: usize,
    /// The number of requests that were answered this way.
    pub answers: usize,
    /// The number of days (UTC) on which such requests were answered.
    pub days: usize,
    /// The time when a person last answered such a call.
    #[serde(serialize_with = "stamp::serialize")]
    pub last: Timestamp,
    /// The rule as text for a policy file.
    pub toml: String,
}

/// Suggests rules to add to a policy of these files, ordered by the number of requests that they save, highest first.
pub fn suggest<'h>(
    history: impl IntoIterator<Item = &'h Asked>,
    files: &[File],
    wanted: &Wanted<'_>,
) -> Vec<Suggestion> {
    let trial = Trial::new(files, wanted);
    let cases = cases(history, |case| trial.is_open(case));
    let mut candidates = Vec::new();
    for decision in [Decision::Deny, Decision::Allow] {
        candidates.extend(command::candidates(&cases, decision, &trial));
        candidates.extend(path::candidates(&cases, decision, &trial));
        candidates.extend(host::of_hosts_and_tools(&cases, decision, &trial));
    }
    candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.cases.len()));
    candidates.truncate(MOST);
    candidates = candidates.into_iter().map(|candidate| trial.with_fitting_examples(candidate)).collect();
    let saved = trial.saved_by(&mut candidates, &cases);
    let counted = candidates.into_iter().zip(saved).filter(|(_, saves)| *saves > 0);
    let mut suggestions: Vec<_> = counted.map(|(candidate, saves)| suggestion(candidate, saves, &cases)).collect();
    suggestions.sort_by(|a, b| (b.saves, b.answers, &a.about).cmp(&(a.saves, a.answers, &b.about)));
    suggestions
}

fn suggestion(candidate: Candidate, saves: usize, cases: &[Case<'_>]) -> Suggestion {
    let times: Vec<Timestamp> =
        candidate.cases.iter().filter_map(|case| cases.get(*case)).map(|case| case.asked.at).collect();
    let days: BTreeSet<_> = times.iter().map(|time| time.to_zoned(TimeZone::UTC).date()).collect();
    Suggestion {
        decision: candidate.decision,
        saves,
        answers: candidate.cases.len(),
        days: days.len(),
        last: times.into_iter().max().unwrap_or_default(),
        toml: candidate.to_string(),
        tool: candidate.tool,
        about: candidate.about,
        within: candidate.within,
    }
}

#[cfg(test)]
mod tests;
