//! Finds the narrowest rules that would have answered what people always answered the same way.
//!
//! | tool | what becomes a rule |
//! |---|---|
//! | shell | the longest beginning that the commands share, each command of a line on its own |
//! | files, search | the deepest folder of the project that holds all of them, or one file |
//! | web | the host |
//! | MCP, web search | the tool |
//!
//! A rule is suggested only if
//!
//! * at least [`Wanted::least`] requests were answered so, and not one that it would touch was answered otherwise. The broad
//!   reading counts ([`crate::Reading`]): for an allow, what the same rule would deny if it were a deny;
//! * the policy leaves those requests open, and with all suggestions it no longer does. That is not computed beside the
//!   engine: the engine decides the history again, with the suggestions.
//!
//! A beginning has two words, so that `git status` never becomes `git`; three where the second is no more than `run`; one
//! for commands that only read (`ls`, `grep`). A command that can do anything ([`crate::programs::power()`]) is never suggested by its
//! beginning, only as the very line that was allowed, and one that destroys not even so. Nobody's answer is not an answer:
//! what expired or was settled elsewhere does not count. What was masked or cut does not speak for a rule, only against it.
//!
//! An allow holds in the project that it was given in, as long as there is only one and enough was answered there without a
//! `cd` before it; commands that only read are allowed everywhere.
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
use crate::rules::decision::Decision;
use crate::rules::file::File;

/// What to look for.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// How many equal answers a rule needs, at least; [`LEAST`] unless somebody says otherwise.
    pub least: usize,
    /// The user's home directory: no rule is for everything below it.
    pub home: Option<&'a Path>,
    /// For rules of the policy that expire.
    pub now: Timestamp,
}

/// How many equal answers make a habit.
pub const LEAST: usize = 3;

/// More than anybody reads: of further candidates those with the most answers are tried.
pub const MOST: usize = 100;

/// A rule that a person may want.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Suggestion {
    /// Whether the suggested rule allows or denies.
    pub decision: Decision,
    /// The tool that the suggested rule is about.
    pub tool: String,
    /// What it is about: `git status *`, `/home/u/project/src/**`, `example.com`.
    pub about: String,
    /// The project that it holds in. None: everywhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<String>,
    /// How many requests of the past nobody would have been asked, given all suggestions.
    pub saves: usize,
    /// How many requests were answered so.
    pub answers: usize,
    /// On how many days (UTC).
    pub days: usize,
    /// When a person last answered such a call.
    #[serde(serialize_with = "stamp::serialize")]
    pub last: Timestamp,
    /// The rule, for a policy file.
    pub toml: String,
}

/// Suggests rules to add to a policy of these files, the one that saves most first.
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
