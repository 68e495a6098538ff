//! Reads a command line as bash would, as far as it can be read without running it.
//!
//! [`read`] lists every simple command that a line may start: on both sides of `;` `&&` `||` `|` `&` and newlines, in
//! subshells, groups, loops, conditions, functions, `$( )`, backticks, `<( )`, and in the heredocs and strings that a
//! shell gets as its script. A command that starts another one (`sudo`, `xargs`, `sh -c`, ...: [`programs`](crate::programs)) is listed, and
//! so is what it starts.
//!
//! What cannot be known before it runs (`$x`, a glob, the output of a command) is an inexact [`Word`]. What cannot be read
//! at all is [`Unclear`], and no rule allows it.

mod command;
mod guess;
mod lexer;
pub(crate) mod local;
pub(crate) mod name;
mod parser;
mod shape;
mod shown;
mod syntax;
mod values;
pub(crate) mod variable;
mod walk;
mod word;

#[cfg(test)]
mod tests;

use std::cell::Cell;

pub use command::{Assignment, Command, MAX_CHARS, Redirect, RedirectKind, Script, Stdin, Unclear, Word};
use lexer::Dialect;
pub(crate) use shape::{Part, Shape};
pub(crate) use shown::quote;
use walk::{Place, Walk};

/// How many bytes may be looked at. Some are looked at more than once: a `$((` that turns out to be no arithmetic, the
/// script of an `eval`.
const FUEL: usize = 30 * MAX_CHARS;

/// The shell that an agent's lines are run by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Shell {
    /// bash.
    Bash,
    /// zsh.
    Zsh,
    /// Either of them.
    #[default]
    Unknown,
}

/// Reads a command line that bash or zsh may run.
pub fn read(script: &str) -> Script {
    read_as(script, Shell::Unknown)
}

/// Reads a command line as the shell does that will run it. Where zsh may run it and would read it otherwise than bash, it
/// is [`Unclear::Zsh`].
pub fn read_as(script: &str, shell: Shell) -> Script {
    let dialect = if shell == Shell::Bash { Dialect::Bash } else { Dialect::Zsh };
    if script.len() > MAX_CHARS && script.chars().count() > MAX_CHARS {
        return Script { commands: Vec::new(), unclear: Some(Unclear::TooLong) };
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
