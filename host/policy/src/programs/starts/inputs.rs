//! Parses commands that run their input, or register a script to run later.

use super::super::escape::code::reaches_files;
use super::super::mark;
use super::read::Read;
use super::shells::{input, is_input};
use super::{Inner, Unwrapped};
use crate::shell::{Command, Stdin, Unclear, Word};

/// Parses an interpreter: without a file, or with `-` or a pipe as its file, it runs what it reads. Code in its options is
/// the concern of [`escape`](mod@super::super::escape).
pub(in super::super) fn code(read: &Read<'_>) -> Option<Unwrapped> {
    if read.has(mark::CODE) {
        return None;
    }
    match read.after(read.rest).first() {
        Some(file) if !is_input(&file.known) && !file.names_no_file() => read.file(read.rest),
        _ => Some(read.starts_unclear(Vec::new(), Some(Unclear::Code))),
    }
}

/// Parses Python in the same way. A module that it runs may be a program as well, which rules stop by that name: `python
/// -m pip`.
pub(in super::super) fn python(read: &Read<'_>) -> Option<Unwrapped> {
    let Some(known) = read.marked.iter().find(|known| known.name == "-m") else { return code(read) };
    let module = known.value.as_ref().filter(|module| module.exact)?;
    let is_apart = read.command.words.get(known.at + 1) == Some(module);
    let arguments = read.after(known.at + 1 + usize::from(is_apart));
    let words = std::iter::once(module).chain(arguments).cloned().collect();
    let inner = match read.inner(words) {
        Inner::Command(command) => Inner::Command(Command { possible: true, ..command }),
        script @ Inner::Script(_) => script,
    };
    Some(read.starts_unclear(vec![inner], None))
}

/// Parses a program that reads commands from its input, whatever its arguments are.
pub(in super::super) fn commands(read: &Read<'_>) -> Option<Unwrapped> {
    (read.command.stdin != Stdin::Inherited).then(|| read.starts_unclear(Vec::new(), Some(Unclear::Code)))
}

/// Parses a database's shell: its input is SQL, in which some lines are commands.
pub(in super::super) fn statements(read: &Read<'_>) -> Option<Unwrapped> {
    let is_command = |text: &str| {
        let lower = text.to_ascii_lowercase();
        let words = ["\\", "system", "source", "program", "outfile"];
        words.iter().any(|word| lower.contains(word))
            || reaches_files(&lower)
            || lower.lines().any(|line| line.trim_start().starts_with('.'))
    };
    match &read.command.stdin {
        Stdin::Text(text) if text.exact && !is_command(&text.known) => None,
        _ => commands(read),
    }
}

/// Parses `trap SCRIPT SIGNAL`; a single word is a signal, and `-` removes the script.
pub(in super::super) fn trap(read: &Read<'_>) -> Option<Unwrapped> {
    match read.after(read.rest) {
        [script, _, ..] if script.text() != Some("-") => read.first(),
        [script] if !script.exact => read.first(),
        _ => None,
    }
}

/// Parses `alias NAME=SCRIPT`: NAME then means another command, so no rule can allow the commands after it.
pub(in super::super) fn alias(read: &Read<'_>) -> Option<Unwrapped> {
    let value = |word: &Word| {
        let (_, value) = word.known.split_once('=')?;
        Some(Inner::Script(word.with(value)))
    };
    let words = read.after(read.rest);
    let inner: Vec<Inner> = words.iter().filter_map(value).collect();
    let sets = !inner.is_empty() || words.iter().any(|word| !word.exact);
    sets.then(|| read.starts_unclear(inner, Some(Unclear::Script)))
}

/// Parses `source FILE`, where FILE may be unknown or an open descriptor of the command.
pub(in super::super) fn source(read: &Read<'_>) -> Option<Unwrapped> {
    let file = read.after(read.rest).first()?;
    if !file.exact || is_input(&file.known) { Some(input(read)) } else { read.file(read.rest) }
}

/// Parses `at TIME`, whose script is its input.
pub(in super::super) fn queued(read: &Read<'_>) -> Option<Unwrapped> {
    if read.has(mark::UNCLEAR) {
        return Some(read.starts_unclear(Vec::new(), Some(Unclear::Script)));
    }
    Some(input(read))
}

/// Parses `crontab FILE`, a table of commands.
pub(in super::super) fn crontab(read: &Read<'_>) -> Option<Unwrapped> {
    Some(read.starts_unclear(Vec::new(), Some(Unclear::Script)))
}

/// Parses a command of which every operand is a script.
pub(in super::super) fn each(read: &Read<'_>) -> Option<Unwrapped> {
    let operands = read.operands.iter().filter_map(|at| read.command.words.get(*at));
    let inner: Vec<Inner> = read.scripts().into_iter().chain(operands.cloned().map(Inner::Script)).collect();
    (!inner.is_empty()).then(|| read.starts(inner))
}
