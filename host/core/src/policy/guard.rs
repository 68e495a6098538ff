//! Files that a command touches, seen by the rules that deny files or ask for them.
//!
//! A redirection is a write (or a read) of its file, so a rule that denies that file to file tools denies the redirection.
//! A word that names such a file makes the command asked: whether it reads or writes the file is not known, but an allow
//! of `cat` is not an allow of `.env`.

use std::path::{Component, Path, PathBuf};

use serde_json::{Map, Value};

use super::call::Call;
use super::decision::{Decision, Match};
use super::index::Shelf;
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
    guards: &Shelf,
    rules: &'p [Rule],
    call: &Call<'_>,
    command: &Command,
) -> Option<(&'p Rule, Decision)> {
    if guards.is_empty() {
        return None;
    }
    let redirected = command.redirects.iter().filter_map(|redirect| {
        let tool = if redirect.kind == RedirectKind::Write { WRITE } else { READ };
        match redirect.target.text() {
            Some(path) => touched(guards, rules, call, tool, path, Match::Maybe),
            None => Some((rules.get(guards.find(|| None).next()? as usize)?, Decision::AskUser)),
        }
    });
    let words = command.words.iter().skip(1).filter_map(|word| word.text()).flat_map(paths_in);
    let named = words.flat_map(|path| [(READ, path), (WRITE, path)]).filter_map(|(tool, path)| {
        touched(guards, rules, call, tool, path, Match::Yes).map(|(rule, _)| (rule, Decision::AskUser))
    });
    redirected.chain(named).reduce(|so_far, other| if other.1 > so_far.1 { other } else { so_far })
}

/// The strictest rule that is about a file tool's use of a path, at least as sure as `enough`. One that only may be asks.
fn touched<'p>(
    guards: &Shelf,
    rules: &'p [Rule],
    call: &Call<'_>,
    tool: &str,
    path: &str,
    enough: Match,
) -> Option<(&'p Rule, Decision)> {
    let input = Map::from_iter([("file_path".to_owned(), Value::String(path.to_owned()))]);
    let call = Call { tool, input: &input, server: None, annotations: None, ..*call };
    let tool = ToolName::of(&call);
    let unit = Unit::new(&call, &tool, None);
    let said = guards.find(|| unit.clues()).filter_map(|rank| {
        let rule = rules.get(rank as usize)?;
        match rule.holds(&unit, None).held {
            Match::Yes => Some((rule, rule.decision)),
            Match::Maybe if enough == Match::Maybe => Some((rule, Decision::AskUser)),
            Match::Maybe | Match::No => None,
        }
    });
    said.reduce(|so_far, other| if other.1 > so_far.1 { other } else { so_far })
}

/// A word may be a path, or hold one as the value of an option.
fn paths_in(word: &str) -> impl Iterator<Item = &str> {
    let value = word.split_once('=').map(|(_, value)| value);
    [Some(word).filter(|word| !word.starts_with('-')), value].into_iter().flatten().filter(|path| !path.is_empty())
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
