//! Files that a command touches, seen by the rules that deny files or ask for them.
//!
//! A redirection is a write (or a read) of its file, so a rule that denies that file to file tools denies the redirection.
//! A word that names such a file makes the command asked: whether it reads or writes the file is not known, but an allow
//! of `cat` is not an allow of `.env`.

use std::path::{Component, Path, PathBuf};

use serde_json::{Map, Value};

use super::call::Call;
use super::decision::{Decision, Match};
use super::names::ToolName;
use super::rule::Rule;
use super::shell::{Command, RedirectKind};
use super::unit::Unit;

/// The tools that a redirection stands for.
const READ: &str = "Read";
const WRITE: &str = "Write";

/// Tools that change nothing.
const READERS: [&str; 6] = ["Read", "NotebookRead", "Glob", "Grep", "LS", "read_many_files"];

/// The strictest of what rules about files say of a command's files, and the rule that says it.
pub(super) fn strictest<'p>(
    guards: impl Iterator<Item = &'p Rule>,
    call: &Call<'_>,
    command: &Command,
) -> Option<(&'p Rule, Decision)> {
    let mut strictest: Option<(&Rule, Decision)> = None;
    for rule in guards {
        let said = redirected(rule, call, command).max(named(rule, call, command));
        if said.is_some_and(|said| strictest.is_none_or(|(_, so_far)| so_far < said)) {
            strictest = said.map(|said| (rule, said));
        }
    }
    strictest
}

fn redirected(rule: &Rule, call: &Call<'_>, command: &Command) -> Option<Decision> {
    let said = command.redirects.iter().filter_map(|redirect| {
        let tool = if redirect.kind == RedirectKind::Write { WRITE } else { READ };
        match redirect.target.text() {
            Some(path) => match touches(rule, call, tool, path) {
                Match::Yes => Some(rule.decision),
                Match::Maybe => Some(Decision::AskUser),
                Match::No => None,
            },
            None => Some(Decision::AskUser),
        }
    });
    said.max()
}

fn named(rule: &Rule, call: &Call<'_>, command: &Command) -> Option<Decision> {
    let files = command.words.iter().skip(1).filter_map(|word| word.text()).flat_map(paths_in);
    let touched = |path| [READ, WRITE].map(|tool| touches(rule, call, tool, path)).contains(&Match::Yes);
    files.into_iter().any(touched).then_some(Decision::AskUser)
}

/// A word may be a path, or hold one as the value of an option.
fn paths_in(word: &str) -> impl Iterator<Item = &str> {
    let value = word.split_once('=').map(|(_, value)| value);
    [Some(word).filter(|word| !word.starts_with('-')), value].into_iter().flatten().filter(|path| !path.is_empty())
}

/// Whether a rule is about a file tool's use of this path.
fn touches(rule: &Rule, call: &Call<'_>, tool: &str, path: &str) -> Match {
    let input = Map::from_iter([("file_path".to_owned(), Value::String(path.to_owned()))]);
    let call = Call { tool, input: &input, server: None, annotations: None, ..*call };
    rule.holds(&Unit::new(&call, &ToolName::of(&call), None), None).held
}

/// The protected place that a tool would reach. Reading there is harmless.
pub(super) fn protected_file(unit: &Unit<'_>) -> Option<String> {
    let reads = READERS.contains(&unit.tool.canonical());
    let reached = |path: &PathBuf| is_protected(unit.call, path);
    if reads || unit.call.protected.is_empty() {
        return None;
    }
    unit.files().places(unit.call).iter().find(|path| reached(path)).map(|path| path.display().to_string())
}

/// The protected place that a command names.
pub(super) fn protected_word(call: &Call<'_>, command: &Command) -> Option<String> {
    if call.protected.is_empty() {
        return None;
    }
    let targets = command.redirects.iter().filter_map(|redirect| redirect.target.text());
    let words = command.words.iter().skip(1).filter_map(|word| word.text()).flat_map(paths_in);
    let reached = |path: &&str| {
        let at_home = path.strip_prefix("~/").and_then(|rest| Some(call.home?.join(rest)));
        at_home.or_else(|| Some(call.cwd?.join(path))).is_some_and(|path| is_protected(call, &path))
    };
    targets.chain(words).find(reached).map(str::to_owned)
}

fn is_protected(call: &Call<'_>, path: &Path) -> bool {
    let inside = |path: &Path| call.protected.iter().any(|place| path.starts_with(place));
    inside(&without_dots(path)) || (call.real_path)(path).is_some_and(|real| inside(&real))
}

/// A path without `.` and `..`, as far as text can tell.
fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}
