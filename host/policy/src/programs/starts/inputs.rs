//! Commands that run what they read, or what they are told to run later.

use super::super::mark;
use super::read::Read;
use super::shells::{input, is_input};
use super::{Inner, Unwrapped};
use crate::shell::{Stdin, Unclear, Word};

/// An interpreter without a file, or with `-` for one. With code in its options it is [`escape`](mod@super::super::escape)'s.
pub(in super::super) fn code(read: &Read<'_>) -> Option<Unwrapped> {
    if read.has(mark::CODE) {
        return None;
    }
    let file = read.after(read.rest).first();
    let reads = file.is_none_or(|file| is_input(&file.known));
    reads.then(|| read.starts_unclear(Vec::new(), Some(Unclear::Code)))
}

/// A program that reads commands from its input, whatever its arguments are.
pub(in super::super) fn commands(read: &Read<'_>) -> Option<Unwrapped> {
    (read.command.stdin != Stdin::Inherited).then(|| read.starts_unclear(Vec::new(), Some(Unclear::Code)))
}

/// A database's shell: its input is SQL, in which some lines are commands.
pub(in super::super) fn statements(read: &Read<'_>) -> Option<Unwrapped> {
    let is_command = |text: &str| {
        let lower = text.to_ascii_lowercase();
        let words = ["\\", "system", "source", "program", "outfile", "load_extension", "writefile", "edit("];
        words.iter().any(|word| lower.contains(word)) || lower.lines().any(|line| line.trim_start().starts_with('.'))
    };
    match &read.command.stdin {
        Stdin::Text(text) if text.exact && !is_command(&text.known) => None,
        _ => commands(read),
    }
}

/// `trap SCRIPT SIGNAL`; with one word it is a signal, and `-` takes the script away.
pub(in super::super) fn trap(read: &Read<'_>) -> Option<Unwrapped> {
    match read.after(read.rest) {
        [script, _, ..] if script.text() != Some("-") => read.first(),
        [script] if !script.exact => read.first(),
        _ => None,
    }
}

/// `alias NAME=SCRIPT`: from then on NAME is something else than it says, so that no rule can allow what follows.
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

/// `source FILE`, where FILE is what the command was handed open.
pub(in super::super) fn source(read: &Read<'_>) -> Option<Unwrapped> {
    let file = read.after(read.rest).first()?;
    (!file.exact || is_input(&file.known)).then(|| input(read))
}

/// `at TIME`: the script is the input.
pub(in super::super) fn queued(read: &Read<'_>) -> Option<Unwrapped> {
    if read.has(mark::UNCLEAR) {
        return Some(read.starts_unclear(Vec::new(), Some(Unclear::Script)));
    }
    Some(input(read))
}

/// `crontab FILE`: a table of commands.
pub(in super::super) fn crontab(read: &Read<'_>) -> Option<Unwrapped> {
    Some(read.starts_unclear(Vec::new(), Some(Unclear::Script)))
}

/// Every operand is a script.
pub(in super::super) fn each(read: &Read<'_>) -> Option<Unwrapped> {
    let operands = read.operands.iter().filter_map(|at| read.command.words.get(*at));
    let inner: Vec<Inner> = read.scripts().into_iter().chain(operands.cloned().map(Inner::Script)).collect();
    (!inner.is_empty()).then(|| read.starts(inner))
}
