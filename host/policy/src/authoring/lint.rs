//! Finds rules that do not do what they seem to.
//!
//! | concern | what is found |
//! |---|---|
//! | [`Concern::Unreachable`] | an earlier rule decides all that the rule is about |
//! | [`Concern::Duplicate`] | an earlier rule says the same |
//! | [`Concern::Shadowed`] | an allow decides before a deny, for all or some of what it denies |
//! | [`Concern::Blanket`] | an allow of every command, every tool, every file or every URL |
//! | [`Concern::Runner`] | an allow of an interpreter, a shell, a wrapper or a downloader with any arguments |
//! | [`Concern::Unanchored`] | an allow by an `argsPattern` that an argument's text can imitate |
//! | [`Concern::Never`] | conditions that cannot hold, or an allow that cannot count |
//! | [`Concern::UnknownTool`] | a tool that neither program has |
//! | [`Concern::Root`] | `/etc/x`, which is below the workspace |
//! | [`Concern::Options`] | a deny of certain options, which can be written otherwise |
//! | [`Concern::Expired`] | a rule whose time is over |
//!
//! They are warnings: what is found may be meant. What makes a file unreadable is a [`Problem`](crate::rules::file::Problem).

mod broad;
mod cover;
mod reach;
mod runner;
mod slip;

use std::fmt;

use jiff::Timestamp;

use crate::judge::Policy;
use crate::rules::rule::Rule;

/// Something that a rule probably does not mean.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Warning {
    /// What kind of thing it is.
    pub concern: Concern,
    /// The rule that is meant, as `file:line`.
    pub place: String,
    /// What it does or does not do; begins in lower case, without a full stop.
    pub what: String,
    /// What to do about it; likewise.
    pub hint: String,
}

/// What kind of thing is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Concern {
    /// An earlier rule decides all that it is about.
    Unreachable,
    /// An earlier rule says the same.
    Duplicate,
    /// An allow decides before a deny.
    Shadowed,
    /// It allows everything of a kind.
    Blanket,
    /// It allows what runs or fetches anything.
    Runner,
    /// Text in an argument can imitate what it looks for.
    Unanchored,
    /// It can never hold, or never count.
    Never,
    /// There is no such tool.
    UnknownTool,
    /// `/x` is below the workspace.
    Root,
    /// The same options can be written otherwise.
    Options,
    /// Its time is over.
    Expired,
}

/// Looks at the rules in the order in which they decide. Those of one rule stand together, in that order.
pub fn lint(policy: &Policy, now: Timestamp) -> Vec<Warning> {
    let mut found = Vec::new();
    let mut in_force: Vec<&Rule> = Vec::new();
    for rule in policy.rules() {
        let mut warn = |concern, what: String, hint: String| {
            found.push(Warning { concern, place: rule.place(), what, hint });
        };
        if slip::is_over(rule, now, &mut warn) {
            continue;
        }
        slip::look(rule, &mut warn);
        broad::look(rule, &mut warn);
        runner::look(rule, &mut warn);
        if rule.safety_check || !slip::counts(rule) {
            continue;
        }
        reach::look(rule, &in_force, &mut warn);
        in_force.push(rule);
    }
    slip::untrusted(policy, &mut found);
    found
}

/// Takes a warning: its concern, what is found, and what to do.
type Warn<'a> = dyn FnMut(Concern, String, String) + 'a;

impl fmt::Display for Warning {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}; {}", self.place, self.what, self.hint)
    }
}

#[cfg(test)]
mod tests;
