//! Finds rules that do not have the effect that they seem to have.
//!
//! | concern | finding |
//! |---|---|
//! | [`Concern::Unreachable`] | an earlier rule decides everything that the rule is about |
//! | [`Concern::Duplicate`] | an earlier rule says the same |
//! | [`Concern::Shadowed`] | an allow decides before a deny, for all or some of what it denies |
//! | [`Concern::Blanket`] | an allow of every command, every tool, every file or every URL |
//! | [`Concern::Runner`] | an allow of an interpreter, a shell, a wrapper or a downloader with any arguments |
//! | [`Concern::Unanchored`] | an allow by an `argsPattern` that an argument's text can imitate |
//! | [`Concern::Never`] | conditions that no call meets, or an allow that has no effect |
//! | [`Concern::UnknownTool`] | a tool that neither program has |
//! | [`Concern::Root`] | `/etc/x`, which is below the workspace |
//! | [`Concern::Options`] | a deny of certain options, which have other spellings |
//! | [`Concern::Expired`] | a rule that has expired |
//!
//! Findings are warnings, because they may be intended. An error that makes a file unusable is a
//! [`Problem`](crate::file::Problem).

mod broad;
mod cover;
mod finding;
mod reach;
mod runner;
mod slip;
mod wrapper;

use std::fmt;

use jiff::Timestamp;
use serde::ser::SerializeStruct;

pub use self::finding::{Blanket, Earlier, Finding, Instead, Subject};
use crate::judge::Policy;
use crate::rules::rule::Rule;

/// A rule that probably does not do what its author means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// The rule that the warning is about, as `file:line`.
    pub place: String,
    /// The effect that the rule has or lacks.
    pub finding: Finding,
}

/// The kinds of warnings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Concern {
    /// An earlier rule decides everything that the rule is about.
    Unreachable,
    /// An earlier rule says the same.
    Duplicate,
    /// An allow decides before a deny.
    Shadowed,
    /// The rule allows everything of a kind.
    Blanket,
    /// The rule allows a command that can run or fetch anything.
    Runner,
    /// Text in an argument can imitate the text that the rule looks for.
    Unanchored,
    /// The rule can never match, or never have an effect.
    Never,
    /// No tool has this name.
    UnknownTool,
    /// `/x` is below the workspace.
    Root,
    /// The same options have other spellings.
    Options,
    /// The rule has expired.
    Expired,
}

/// Checks the rules in order of precedence. The warnings of one rule are together, in that order.
pub fn lint(policy: &Policy, now: Timestamp) -> Vec<Warning> {
    let mut found = Vec::new();
    let mut in_force: Vec<&Rule> = Vec::new();
    for rule in policy.rules() {
        let mut warn = |finding| found.push(Warning { place: rule.place(), finding });
        if slip::is_over(rule, now, &mut warn) {
            continue;
        }
        slip::look(rule, &mut warn);
        broad::look(rule, &mut warn);
        runner::look(rule, &mut warn);
        wrapper::look(policy, rule, now, &mut warn);
        if rule.safety_check || !slip::counts(rule) {
            continue;
        }
        reach::look(rule, &in_force, &mut warn);
        in_force.push(rule);
    }
    slip::untrusted(policy, &mut found);
    found
}

/// Receives what is found about a rule.
type Warn<'a> = dyn FnMut(Finding) + 'a;

impl fmt::Display for Warning {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}; {}", self.place, self.finding, self.finding.hint())
    }
}

impl serde::Serialize for Warning {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut warning = serializer.serialize_struct("Warning", 4)?;
        warning.serialize_field("concern", &self.finding.concern())?;
        warning.serialize_field("place", &self.place)?;
        warning.serialize_field("what", &self.finding.to_string())?;
        warning.serialize_field("hint", &self.finding.hint())?;
        warning.end()
    }
}

#[cfg(test)]
mod tests;
