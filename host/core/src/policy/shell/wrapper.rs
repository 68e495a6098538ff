//! Commands that start other commands.
//!
//! [`unwrap`] says what a command starts, from its words alone. What it needs to know about each wrapper is a row of
//! [`table`]: how its options look, how many words it takes before the command, and what the rest is. The few whose words
//! are not of that shape have a function of their own.
//!
//! * A *transparent* wrapper (`timeout`, `env`, `sh -c`, ...) does nothing of its own: rules can stop it, and what it starts
//!   decides. It **stands aside**.
//! * A *guarded* one (`sudo`, `xargs`, `ssh`, `find -exec`, ...) changes who runs it, where, or with which words: a rule must
//!   allow the wrapper, and what it starts as well.
//!
//! A command that is not in the table starts nothing but itself. An option that is not in its row, or a word before the
//! inner command that is not exact, makes the wrapper [`Unclear::Options`]: no rule allows it, and the two most likely inner
//! commands are listed all the same, so that a rule can deny them.

mod find;
mod inputs;
mod read;
mod shells;
mod table;
mod users;
mod xargs;

use super::{Command, Unclear, Word, name};
use read::Read;
use table::{Rest, Row};

/// What a command starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unwrapped {
    /// Whether it does nothing of its own.
    pub(super) stands_aside: bool,
    /// What it starts; more than one when it starts several, or when it is not certain which.
    pub(super) inner: Vec<Inner>,
    /// Whether that runs in another folder; the commands of [`Inner::Command`] know it already.
    pub(super) moved: bool,
    /// Why no rule may allow it.
    pub(super) unclear: Option<Unclear>,
}

/// Something that is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Inner {
    /// A command whose words are known as a list. What the wrapper's variables, redirections and input mean to it is in it.
    Command(Command),
    /// Text that a shell reads again. Where it is not exact, only its beginning is known.
    Script(Word),
}

/// What a command starts. None when it starts nothing but itself.
pub(super) fn unwrap(command: &Command) -> Option<Unwrapped> {
    let name = name::bare(command.name()?);
    start(command, table::find(&name)?, 1)
}

/// What a command starts by a row of the table; its options begin at a word.
fn start(command: &Command, row: &Row, at: usize) -> Option<Unwrapped> {
    let read = Read::of(command, row, at)?;
    match row.rest {
        Rest::Sub => {
            let sub = name::bare(command.words.get(read.rest)?.text()?);
            start(command, table::find(&format!("{} {sub}", row.name()))?, read.rest + 1)
        }
        Rest::By(function) => function(&read),
        _ if read.has_script() => Some(read.starts(read.scripts())),
        Rest::Words => read.words(read.rest),
        Rest::Dashes => {
            let dashes = command.words.iter().skip(at).position(|word| word.text() == Some("--"));
            read.words(dashes.map_or(read.rest, |before| at + before + 1))
        }
        Rest::Shell => read.words_or_shell(read.rest),
        Rest::Joined => read.joined(read.rest),
        Rest::First => read.first(),
        Rest::Nothing => None,
    }
}

#[cfg(test)]
mod tests;
