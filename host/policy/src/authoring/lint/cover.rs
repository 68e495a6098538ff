//! Compares the conditions of two rules.
//!
//! The comparison may miss that a rule covers another one; it never claims so wrongly.

use serde_json::{Map, Value};

use crate::Match;
use crate::rules::pattern::{Domains, Glob, Paths, Pattern};
use crate::rules::rule::{Arguments, When};

/// The result of comparing two conditions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sides {
    /// Whether the first matches every call that the second matches.
    pub(super) first_covers: bool,
    /// Whether the second matches every call that the first matches.
    pub(super) second_covers: bool,
    /// Whether some call matches both.
    pub(super) meet: Match,
}

/// Compares the conditions of two rules.
pub(super) fn sides(first: &When, second: &When) -> Sides {
    subject(first, second).and_then(|| circumstances(first, second))
}

/// Compares the subjects of two rules, beginning with the condition that most often differs.
pub(super) fn subject(first: &When, second: &When) -> Sides {
    arguments(&first.arguments, &second.arguments)
        .and_then(|| named(first, second))
        .and_then(|| optional(first.paths.as_ref(), second.paths.as_ref(), paths))
        .and_then(|| optional(first.domains.as_ref(), second.domains.as_ref(), domains))
        .and_then(|| optional(first.annotations.as_ref(), second.annotations.as_ref(), annotations))
}

/// Compares the circumstances in which two rules apply, without their subjects.
pub(super) fn circumstances(first: &When, second: &When) -> Sides {
    let same = |equal: bool| Sides::of(equal, equal, Match::No);
    optional(some(&first.modes), some(&second.modes), |a, b| list(a, b, |a, b| a == b, Match::No))
        .and(optional(first.interactive.as_ref(), second.interactive.as_ref(), |a, b| same(a == b)))
        .and(optional(first.cwd.as_ref(), second.cwd.as_ref(), paths))
        .and(optional(first.subagent.as_ref(), second.subagent.as_ref(), globs))
        .and(optional(first.agent.as_ref(), second.agent.as_ref(), globs))
        .and(optional(first.expires.as_ref(), second.expires.as_ref(), |a, b| Sides::of(a >= b, b >= a, Match::Yes)))
}

impl Sides {
    const EQUAL: Self = Self { first_covers: true, second_covers: true, meet: Match::Yes };
    const APART: Self = Self { first_covers: false, second_covers: false, meet: Match::No };
    const UNKNOWN: Self = Self { first_covers: false, second_covers: false, meet: Match::Maybe };

    /// Creates a result. A condition that covers another one also meets it.
    fn of(first_covers: bool, second_covers: bool, else_meet: Match) -> Self {
        let meet = if first_covers || second_covers { Match::Yes } else { else_meet };
        Self { first_covers, second_covers, meet }
    }

    fn and(self, other: Self) -> Self {
        Self {
            first_covers: self.first_covers && other.first_covers,
            second_covers: self.second_covers && other.second_covers,
            meet: self.meet.and(other.meet),
        }
    }

    /// Adds a condition. It is not compared if nothing meets: most rules are about other calls.
    fn and_then(self, other: impl FnOnce() -> Self) -> Self {
        if self == Self::APART { self } else { self.and(other()) }
    }

    fn turned(self) -> Self {
        Self { first_covers: self.second_covers, second_covers: self.first_covers, meet: self.meet }
    }
}

/// Compares optional conditions. A missing condition always holds.
fn optional<T: ?Sized>(first: Option<&T>, second: Option<&T>, compare: impl Fn(&T, &T) -> Sides) -> Sides {
    match (first, second) {
        (None, None) => Sides::EQUAL,
        (None, Some(_)) => Sides::of(true, false, Match::Yes),
        (Some(_), None) => Sides::of(false, true, Match::Yes),
        (Some(first), Some(second)) => compare(first, second),
    }
}

fn some(modes: &[String]) -> Option<&[String]> {
    (!modes.is_empty()).then_some(modes)
}

/// Compares lists of which one entry has to match.
fn list<A>(first: &[A], second: &[A], covers: impl Fn(&A, &A) -> bool, else_meet: Match) -> Sides {
    let all = |one: &[A], other: &[A]| other.iter().all(|b| one.iter().any(|a| covers(a, b)));
    let some = first.iter().any(|a| second.iter().any(|b| covers(a, b) || covers(b, a)));
    let (first_covers, second_covers) = (all(first, second), all(second, first));
    Sides { first_covers, second_covers, meet: if some { Match::Yes } else { else_meet } }
}

/// Compares tools and servers. A tool of a server has another name than a tool without one.
fn named(first: &When, second: &When) -> Sides {
    let tools = || optional(every(first), every(second), |a, b| list(a, b, glob_covers, meet_of_globs(a, b)));
    match (&first.server, &second.server) {
        (None, None) => tools(),
        (Some(one), Some(other)) => globs(one, other).and(tools()),
        (None, Some(_)) => beside_server(first),
        (Some(_), None) => beside_server(second).turned(),
    }
}

/// Compares a rule without a server with one that names a server.
fn beside_server(first: &When) -> Sides {
    match every(first) {
        None => Sides::of(true, false, Match::Yes),
        Some(tools) if tools.iter().all(|tool| !tool.as_str().starts_with("mcp_")) => Sides::APART,
        Some(_) => Sides::UNKNOWN,
    }
}

/// Returns the tools that the rule names; `None` means all tools.
fn every(when: &When) -> Option<&[Glob]> {
    when.tools.as_deref().filter(|tools| !tools.iter().any(|tool| tool.as_str() == "*"))
}

fn globs(first: &Glob, second: &Glob) -> Sides {
    let else_meet = meet_of_globs(std::slice::from_ref(first), std::slice::from_ref(second));
    Sides::of(glob_covers(first, second), glob_covers(second, first), else_meet)
}

/// Returns whether the first glob covers the second. A `*` of the second can only be matched by one of the first, so a
/// match of its text is a match of everything that it matches.
fn glob_covers(first: &Glob, second: &Glob) -> bool {
    let every_tool = || Glob::new(format!("{}__*", first.as_str())).matches(second.as_str());
    first.matches(second.as_str()) || (is_server(first) && every_tool())
}

fn meet_of_globs(first: &[Glob], second: &[Glob]) -> Match {
    let open = |globs: &[Glob]| globs.iter().any(|glob| glob.literal().is_none() || is_server(glob));
    if open(first) && open(second) { Match::Maybe } else { Match::No }
}

/// Returns whether a glob is `mcp__server`, which means all tools of the server.
fn is_server(glob: &Glob) -> bool {
    glob.as_str().strip_prefix("mcp__").is_some_and(|rest| !rest.contains("__"))
}

fn arguments(first: &Arguments, second: &Arguments) -> Sides {
    match (first, second) {
        (Arguments::Any, Arguments::Any) => Sides::EQUAL,
        (Arguments::Any, _) => Sides::of(true, false, Match::Yes),
        (_, Arguments::Any) => Sides::of(false, true, Match::Yes),
        (Arguments::Prefixes(first), Arguments::Prefixes(second)) => {
            list(first, second, |a, b| b.starts_with(a), Match::No)
        }
        (Arguments::Command(first), Arguments::Command(second)) => {
            let equal = first.as_str() == second.as_str();
            Sides::of(equal, equal, Match::Maybe)
        }
        (Arguments::Args(first), Arguments::Args(second)) => {
            list(first, second, |a, b| a.as_str() == b.as_str(), Match::Maybe)
        }
        (Arguments::Command(pattern), Arguments::Prefixes(prefixes)) => command(pattern, prefixes),
        (Arguments::Prefixes(prefixes), Arguments::Command(pattern)) => command(pattern, prefixes).turned(),
        (Arguments::Args(_), _) | (_, Arguments::Args(_)) => Sides::UNKNOWN,
    }
}

/// Compares an expression with prefixes.
fn command(pattern: &Pattern, prefixes: &[Vec<String>]) -> Sides {
    let each = || prefixes.iter().map(|words| pattern.may_start(&words.join(" ")));
    let word = pattern.first_word();
    let within = word.is_some_and(|word| prefixes.iter().any(|words| words.as_slice() == [word.as_str()]));
    Sides {
        first_covers: each().min() == Some(Match::Yes),
        second_covers: within,
        meet: if within { Match::Yes } else { each().max().unwrap_or(Match::Maybe) },
    }
}

fn paths(first: &Paths, second: &Paths) -> Sides {
    let [one, other] = [first, second].map(|paths| paths.lines().collect::<Vec<_>>());
    if one == other {
        return Sides::EQUAL;
    }
    if one.iter().chain(&other).any(|line| line.starts_with('!')) {
        return Sides::UNKNOWN;
    }
    let meets = |a: &str, b: &str| any_depth(a) && (any_depth(b) || b.ends_with("**") || b.ends_with('/'));
    let sides = list(&one, &other, |a, b| a == b || within(b, a), Match::Maybe);
    let some = one.iter().any(|a| other.iter().any(|b| meets(a, b) || meets(b, a)));
    Sides { meet: if some { Match::Yes } else { sides.meet }, ..sides }
}

/// Returns whether a pattern is a name at any depth, which is below every folder.
fn any_depth(line: &str) -> bool {
    line.starts_with("**/") || !line.trim_end_matches('/').contains('/')
}

/// Returns whether a path pattern is below a folder that the other pattern covers completely.
fn within(line: &str, other: &str) -> bool {
    let Some(folder) = other.strip_suffix("**").filter(|folder| folder.is_empty() || folder.ends_with('/')) else {
        return false;
    };
    let plain = !folder.contains(['*', '?', '[', '{', '\\']) && !line.contains("..");
    let root = |line: &str| line.starts_with("//") || line.starts_with('~');
    if root(line) || root(folder) {
        return plain && !folder.is_empty() && line.starts_with(folder);
    }
    let below = |line: &str| line.trim_start_matches("./").trim_start_matches('/').to_owned();
    plain && below(line).starts_with(&below(folder))
}

fn domains(first: &Domains, second: &Domains) -> Sides {
    list(first.hosts(), second.hosts(), |a, b| host_covers(a, b), Match::No)
}

fn host_covers(first: &str, second: &str) -> bool {
    let below = |end: &str| second.len() > end.len() && second.ends_with(end);
    first == "*" || first.eq_ignore_ascii_case(second) || first.strip_prefix('*').is_some_and(below)
}

fn annotations(first: &Map<String, Value>, second: &Map<String, Value>) -> Sides {
    let has = |one: &Map<String, Value>, other: &Map<String, Value>| {
        one.iter().all(|(key, value)| other.get(key) == Some(value))
    };
    Sides::of(has(first, second), has(second, first), Match::Maybe)
}

#[cfg(test)]
mod tests;
