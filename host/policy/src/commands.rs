//! Lists the simple commands that a command line may start.
//!
//! [`read`] lists every one: on both sides of `;` `&&` `||` `|` `&` and newlines, in subshells, groups, loops,
//! conditions, functions, `$( )`, backticks, `<( )`, and in heredocs and strings that are scripts for a shell. A command
//! that starts another one (`sudo`, `xargs`, `sh -c`, ...: [`programs`](crate::programs)) is listed, and so is the
//! command that it starts.
//!
//! A line that cannot be parsed is [`Unclear`], and no rule allows it.

mod guess;
mod values;
mod walk;

#[cfg(test)]
mod tests;

use std::cell::Cell;

use crate::shell::parser::Dialect;
use crate::shell::{Command, MAX_CHARS, Shell, Unclear};
use walk::{Place, Walk};

/// The most bytes that are read. Some are read more than once: a `$((` that turns out not to be arithmetic, the
/// script of an `eval`.
const FUEL: usize = 30 * MAX_CHARS;

/// Every simple command of a command line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Script {
    /// The commands in the order in which they are written; what a wrapper starts follows it.
    pub commands: Vec<Command>,
    /// Why the line as a whole cannot be parsed. The commands that were parsed can then only make the decision
    /// stricter.
    pub unclear: Option<Unclear>,
    /// Whether it contains more commands than are listed, because they are nested too deeply.
    pub incomplete: bool,
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
