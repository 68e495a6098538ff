//! The evidence of the history.

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde_json::{Map, Value};

use crate::authoring::history::Asked;
use crate::shell::{self, Command, name};
use crate::tools::{self, Kind};

/// A request that a person answered.
pub(super) struct Case<'h> {
    pub(super) asked: &'h Asked,
    /// The tool, in the first of its spellings.
    pub(super) tool: String,
    pub(super) kind: Kind,
    /// The part of the input that was kept.
    pub(super) input: Map<String, Value>,
    /// Whether the policy leaves the request to a person.
    pub(super) open: bool,
    /// Whether it counts for a rule: it is open, and nothing of it was masked or truncated.
    pub(super) speaks: bool,
    /// The commands that the request may run, without wrappers. `None` if they are not known.
    names: Option<BTreeSet<String>>,
}

/// Returns the requests of the history that are evidence. `is_open` decides which of them the policy leaves to a
/// person.
pub(super) fn cases<'h>(
    history: impl IntoIterator<Item = &'h Asked>,
    is_open: impl Fn(&Case<'h>) -> bool,
) -> Vec<Case<'h>> {
    let read = |asked: &'h Asked| {
        let tool = tools::canonical(&asked.tool).into_owned();
        let kind = tools::kind(&tool);
        if kind == Kind::Question {
            return None;
        }
        let key = input_key(&tool);
        let subject = asked.subject.as_ref();
        // A line written before subjects were kept is no evidence for a tool that has subjects.
        if key.is_some() && subject.is_none() {
            return None;
        }
        let input = key.zip(subject).map(|(key, subject)| (key.to_owned(), subject.as_str().into()));
        let input = input.into_iter().collect();
        let names = subject.filter(|_| kind == Kind::Shell).and_then(|line| commands_of(line.as_str()));
        let mut case = Case { asked, tool, kind, input, open: false, speaks: false, names };
        case.open = is_open(&case);
        case.speaks = case.open && subject.is_none_or(|subject| subject.whole().is_some());
        Some(case)
    };
    history.into_iter().filter_map(read).collect()
}

impl Case<'_> {
    /// Returns the text of the request's subject.
    pub(super) fn subject(&self) -> Option<&str> {
        self.asked.subject.as_ref().map(|subject| subject.as_str())
    }

    /// Returns whether the request may run this command.
    pub(super) fn may_run(&self, command: &str) -> bool {
        self.names.as_ref().is_none_or(|names| names.contains(&*name::bare(command)))
    }

    /// Returns the agent's working directory.
    pub(super) fn cwd(&self) -> Option<PathBuf> {
        self.asked.cwd.as_ref().map(PathBuf::from)
    }

    /// Returns the commands of the request's line that a rule would have to decide. `None` if it has no line, or one
    /// that cannot be parsed.
    pub(super) fn commands(&self) -> Option<Vec<Command>> {
        let script = shell::read(self.subject().filter(|_| self.kind == Kind::Shell)?);
        let counts = |command: &Command| !command.is_transparent && !command.possible && !command.words.is_empty();
        script.unclear.is_none().then(|| script.commands.into_iter().filter(counts).collect())
    }
}

/// Returns the key of a tool's input that a rule can be about.
pub(super) fn input_key(tool: &str) -> Option<&'static str> {
    match tools::kind(tool) {
        Kind::Shell => Some("command"),
        Kind::File | Kind::Search => tools::find(tool).and_then(|tool| tool.paths.first()).copied(),
        Kind::Web => Some("url"),
        Kind::Question | Kind::Other => None,
    }
}

/// Returns the commands of a line, without wrappers. `None` if they are not all known.
fn commands_of(line: &str) -> Option<BTreeSet<String>> {
    let script = shell::read(line);
    let words = script.commands.iter().filter_map(|command| command.words.first());
    let names: Option<BTreeSet<String>> = words.map(|word| Some(name::bare(word.text()?).into_owned())).collect();
    names.filter(|_| script.unclear.is_none())
}
