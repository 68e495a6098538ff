//! Commands that start other commands.
//!
//! [`unwrap`] returns what a command starts, from its words alone. A row of [`super::table`] describes each wrapper:
//! its options, the number of words before the command, and the meaning of the rest. The few whose words have another
//! form have a function of their own.
//!
//! * A *transparent* wrapper (`timeout`, `env`, `sh -c`, ...) does nothing of its own: rules can stop it, and the
//!   decision is that of the command that it starts.
//! * A *guarded* one (`sudo`, `xargs`, `ssh`, `find -exec`, ...) changes who runs the command, where, or with which
//!   words: a rule must allow the wrapper and the command.
//!
//! A command without a row starts nothing but itself. An option that is not in the row, or an inexact word before the
//! inner command, makes the wrapper [`Unclear::Options`]: no rule allows it, and the two most likely inner commands
//! are listed anyway, so that a rule can deny them.

pub(super) mod after;
pub(super) mod chains;
pub(super) mod find;
pub(super) mod git;
pub(super) mod inputs;
pub(super) mod parallel;
mod read;
pub(super) mod shells;
pub(super) mod users;
pub(super) mod xargs;

use super::mark;
use super::row::{Row, Starts};
use super::table;
use crate::shell::{Command, Stdin, Unclear, Word, name};
pub(super) use read::Read;

/// Programs before whose other words the name of a toolchain may stand.
const TOOLCHAINS: [&str; 9] = [
    "cargo", "cargo-clippy", "cargo-fmt", "cargo-miri", "clippy-driver", "rust-analyzer", "rustc", "rustdoc", "rustfmt",
];

/// The commands that a command starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unwrapped {
    /// Whether it does nothing of its own.
    pub(crate) is_transparent: bool,
    /// What it starts; more than one if it starts several, or if it is not certain which.
    pub(crate) inner: Vec<Inner>,
    /// Whether they run in an unknown folder; a command of [`Inner::Command`] records that itself.
    pub(crate) moved: bool,
    /// Why no rule may allow it.
    pub(crate) unclear: Option<Unclear>,
}

/// A command that is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Inner {
    /// A command whose words are known as a list. It includes the effects of the wrapper's variables, redirections
    /// and input.
    Command(Command),
    /// A text that a shell parses again. If it is not exact, only its beginning is known.
    Script(Word),
}

impl Unwrapped {
    /// Marks it as running in an unknown folder.
    fn move_away(&mut self) {
        self.moved = true;
        self.inner.iter_mut().for_each(Inner::move_away);
    }
}

impl Inner {
    /// Marks a command as running in an unknown folder.
    fn move_away(&mut self) {
        if let Self::Command(command) = self {
            command.moved = true;
            command.folders.clear();
        }
    }
}

/// Returns what a command starts. `None` if it starts nothing but itself.
pub(crate) fn unwrap(command: &Command) -> Option<Unwrapped> {
    let word = command.name()?;
    let name = name::bare(word);
    let plain = without_toolchain(command, &name);
    let found = table::find(&name).and_then(|row| start(command, row, if plain.is_some() { 2 } else { 1 }));
    let mut unwrapped = match (found, dashed(command, &name).or(plain)) {
        (Some(mut found), reading) => {
            found.inner.extend(reading);
            found
        }
        (None, reading) => Unwrapped { is_transparent: false, inner: vec![reading?], moved: false, unclear: None },
    };
    // `./sh` and `SH` are other programs, which may do more than start a command.
    unwrapped.is_transparent &= name::narrow(word) == name;
    Some(unwrapped)
}

/// Returns `git-push` as `git push`, and `docker-compose down` as `docker compose down`: a rule about that stops it, and
/// need not allow it.
fn dashed(command: &Command, name: &str) -> Option<Inner> {
    let (program, sub) = name.split_once('-').filter(|(_, sub)| !sub.is_empty())?;
    table::find(program).filter(|row| row.has_subcommands())?;
    let words = [program, sub].into_iter().map(Word::exact).chain(command.words.iter().skip(1).cloned()).collect();
    Some(Inner::Command(Command { words, possible: true, ..command.clone() }))
}

/// Returns `cargo +nightly publish` as `cargo publish`: a rule about that stops it, and need not allow it.
fn without_toolchain(command: &Command, name: &str) -> Option<Inner> {
    let [program, toolchain, rest @ ..] = command.words.as_slice() else { return None };
    if !TOOLCHAINS.contains(&name) || !toolchain.known.starts_with('+') {
        return None;
    }
    let words = std::iter::once(program).chain(rest).cloned().collect();
    Some(Inner::Command(Command { words, possible: true, ..command.clone() }))
}

/// Returns what a command starts by a row of the table, whose options begin at a word.
fn start(command: &Command, row: &'static Row, at: usize) -> Option<Unwrapped> {
    let read = Read::of(command, row, at)?;
    match row.starts {
        Starts::Sub => subcommand(&read),
        Starts::By(function) => function(&read),
        _ if read.has_script() => Some(read.starts(read.scripts())),
        _ if read.has(mark::FIRST) => read.first(),
        Starts::Words => read.words(read.rest),
        Starts::Dashes => {
            let dashes = command.words.iter().skip(at).position(|word| word.text() == Some("--"));
            // Unless something precedes it, the first word that is not an option is the program: `npm x rm -- x`.
            let behind = dashes.filter(|_| read.doubtful || row.skip > 0).map(|before| at + before + 1);
            read.words(behind.unwrap_or(read.rest))
        }
        Starts::Shell => read.words_or_shell(read.rest),
        Starts::Joined => read.joined(read.rest),
        Starts::Either => read.either(read.rest),
        Starts::First => read.first(),
        Starts::Nothing => None,
    }
}

/// Returns what a subcommand starts. Behind an unknown option, the first word that is a subcommand counts.
fn subcommand(read: &Read<'_>) -> Option<Unwrapped> {
    let Some(first) = read.after(read.rest).first() else {
        // Without any operands, some are an interpreter.
        return (read.command.stdin != Stdin::Inherited).then(|| read.starts_unclear(Vec::new(), Some(Unclear::Code)));
    };
    if first.text() == Some("-") {
        return Some(read.starts_unclear(Vec::new(), Some(Unclear::Code)));
    }
    let doubtful = read.doubtful || !first.exact;
    let row = |at: usize| {
        let sub = name::bare(read.command.words.get(at)?.text()?);
        table::find(&format!("{} {sub}", read.row.name()))
    };
    let last = if doubtful { read.command.words.len() } else { read.rest + 1 };
    let found = (read.rest..last).find_map(|at| start(read.command, row(at)?, at + 1));
    let unclear = doubtful.then_some(Unclear::Options);
    match found {
        Some(mut found) => {
            found.unclear = found.unclear.or(unclear);
            if read.has(mark::MOVES) {
                found.move_away();
            }
            Some(found)
        }
        None => (!first.exact).then(|| read.starts_unclear(Vec::new(), unclear)),
    }
}

#[cfg(test)]
mod tests;
