//! Parses a command line as bash does, as far as that is possible without running it.
//!
//! [`read`] lists every simple command that a line may start: on both sides of `;` `&&` `||` `|` `&` and newlines, in
//! subshells, groups, loops, conditions, functions, `$( )`, backticks, `<( )`, and in heredocs and strings that are
//! scripts for a shell. A command that starts another one (`sudo`, `xargs`, `sh -c`, ...:
//! [`programs`](crate::programs)) is listed, and so is the command that it starts.
//!
//! A word that is known only at run time (`$x`, a glob, the output of a command) is an inexact [`Word`]. A line that
//! cannot be parsed is [`Unclear`], and no rule allows it.

mod command;
mod guess;
pub(crate) mod local;
pub(crate) mod name;
mod parser;
mod shape;
mod shown;
mod syntax;
mod values;
pub(crate) mod variable;
mod walk;

#[cfg(test)]
mod tests;

use std::cell::Cell;

pub use command::{Assignment, Command, MAX_CHARS, Redirect, RedirectKind, Script, Stdin, Unclear, Word};
use parser::Dialect;
pub(crate) use shape::{Part, Shape};
pub(crate) use shown::{quote, quoted};
use walk::{Place, Walk};

/// The most bytes that are read. Some are read more than once: a `$((` that turns out not to be arithmetic, the
/// script of an `eval`.
const FUEL: usize = 30 * MAX_CHARS;

/// The shell that runs the agent's command lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Shell {
    /// The shell is bash.
    Bash,
    /// The shell is zsh.
    Zsh,
    /// The shell is bash or zsh.
    #[default]
    Unknown,
}

/// Parses a command line that bash or zsh may run.
pub fn read(script: &str) -> Script {
    read_as(script, Shell::Unknown)
}

/// Returns the words of a line that is exactly one command, besides what that starts. `None` if a word is not exact, or
/// if the command has variables or redirections.
pub(crate) fn only_command(line: &str) -> Option<Vec<String>> {
    let script = read(line);
    let (command, inner) = script.commands.split_first()?;
    let alone = script.unclear.is_none() && inner.iter().all(|inner| inner.within.is_some());
    let plain = command.assignments.is_empty() && command.redirects.is_empty();
    command.texts().filter(|words| alone && plain && !words.is_empty())
}

/// Parses a command line as the given shell does. If zsh may run it and would parse it differently from bash, it is
/// [`Unclear::Zsh`].
pub fn read_as(script: &str, shell: Shell) -> Script {
    let dialect = if shell == Shell::Bash { Dialect::Bash } else { Dialect::Zsh };
    if script.len() > MAX_CHARS && script.chars().count() > MAX_CHARS {
        return Script { unclear: Some(Unclear::TooLong), ..Script::default() };
    }
    let fuel = Cell::new(FUEL);
    let mut walk = Walk::new(&fuel);
    if script.contains('\0') {
        walk.unread(Unclear::Syntax);
    } else {
        walk.read(script, &Place::top(dialect));
    }
    if walk.unread {
        walk.restart();
        for command in guess::commands(script) {
            walk.command(command, &Place { possible: true, ..Place::top(dialect) });
        }
    }
    walk.finish()
}
