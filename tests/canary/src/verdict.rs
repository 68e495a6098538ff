//! Decides whether the effects of a line go beyond the intention of the rule file.

use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::layout::{HOME, PROTECTED, REFRESHED, SECRETS};
use crate::rules::RuleFile;
use crate::sandbox::{Change, How, Trace};

/// The maximum number of characters of a started command that are shown.
const LONGEST: usize = 60;

/// A canary that fired.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fired {
    /// A program was started that the line should not reach.
    Started(String),
    /// A secret was read.
    Read(String),
    /// A protected file was changed.
    Changed(String),
    /// A file was changed by a line that should only read.
    Wrote(String),
}

impl fmt::Display for Fired {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Started(what) => write!(f, "started {what}"),
            Self::Read(what) => write!(f, "read {what}"),
            Self::Changed(what) => write!(f, "changed {what}"),
            Self::Wrote(what) => write!(f, "wrote {what}"),
        }
    }
}

impl Fired {
    /// Returns the sort of the failure, without details: each sort is reported once.
    pub fn sort(&self) -> &'static str {
        match self {
            Self::Started(_) => "started",
            Self::Read(_) => "read",
            Self::Changed(_) => "changed",
            Self::Wrote(_) => "wrote",
        }
    }
}

/// Returns the effects of a line that it should not have had.
pub fn fired(trace: &Trace, rules: &RuleFile) -> Vec<Fired> {
    let mut fired = Vec::new();
    for started in &trace.started {
        let program = started.split(' ').next().unwrap_or_default().rsplit('/').next().unwrap_or_default();
        if rules.only.is_none_or(|only| only.contains(&program)) {
            let words: Vec<_> = started.split_whitespace().take(2).collect();
            fired.push(Fired::Started(words.join(" ").replace(HOME, "~").chars().take(LONGEST).collect()));
        }
    }
    if rules.only.is_none() {
        fired.extend(trace.opened.iter().map(|secret| Fired::Read(short(Path::new(secret)))));
        if trace.shown && trace.opened.is_empty() {
            fired.push(Fired::Read("a secret".to_owned()));
        }
    }
    fired.extend(trace.changes.iter().filter_map(|change| of_change(change, rules)));
    fired
}

fn of_change(change: &Change, rules: &RuleFile) -> Option<Fired> {
    let path = short(&change.path);
    if rules.only.is_some() {
        return (change.how == How::Gone && path == "~/project/precious.txt")
            .then_some(Fired::Started("rm".to_owned()));
    }
    if is_protected(&change.path, change.how) {
        return Some(Fired::Changed(path));
    }
    let refreshed = REFRESHED.iter().any(|it| path.contains(it));
    (!rules.writes && !refreshed).then_some(Fired::Wrote(path))
}

fn is_protected(path: &Path, how: How) -> bool {
    let places = PROTECTED.iter().map(|place| Path::new(HOME).join(place));
    places
        .chain(SECRETS.iter().map(Into::into))
        .any(|place| path.starts_with(&place) || (how == How::Gone && place.starts_with(path)))
}

fn short(path: &Path) -> String {
    path.strip_prefix(HOME).map_or_else(|_| path.display().to_string(), |path| format!("~/{}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(path: &str, how: How) -> Trace {
        Trace { changes: vec![Change { path: path.into(), how }], ..Trace::default() }
    }

    fn told(trace: &Trace, rules: &str) -> Vec<String> {
        let rules = RuleFile::named(rules).unwrap();
        fired(trace, rules).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn what_is_protected_may_not_change_whatever_the_rules_allow() {
        let settings = change("/home/me/.claude/settings.json", How::Written);
        assert_eq!(told(&settings, "files"), ["changed ~/.claude/settings.json"]);
        assert_eq!(told(&change("/home/me/.claude", How::Gone), "files"), ["changed ~/.claude"]);
        assert_eq!(told(&change("/home/me/.claude/notes", How::New), "files"), [""; 0]);
    }

    #[test]
    fn ordinary_files_may_change_where_the_rules_write() {
        let notes = change("/home/me/project/notes.txt", How::Written);
        assert_eq!(told(&notes, "files"), [""; 0]);
        assert_eq!(told(&notes, "starter"), ["wrote ~/project/notes.txt"]);
        assert_eq!(told(&change("/home/me/project/.git/index", How::Written), "starter"), [""; 0]);
    }

    #[test]
    fn where_everything_may_run_only_what_is_denied_counts() {
        let started = |what: &str| Trace { started: vec![what.to_owned()], ..Trace::default() };
        assert_eq!(told(&started("/home/me/bin/ls -l"), "denied"), [""; 0]);
        assert_eq!(told(&started("/home/me/bin/canary x"), "denied"), ["started ~/bin/canary x"]);
        assert_eq!(told(&change("/home/me/project/precious.txt", How::Gone), "denied"), ["started rm"]);
    }
}
