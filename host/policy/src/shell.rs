//! Parses a command line as bash does, as far as that is possible without running it.
//!
//! `parser` makes a tree (`syntax`) of a line; [`commands`](crate::commands) lists the simple commands that the tree
//! may start, each a [`Command`].
//!
//! A word that is known only at run time (`$x`, a glob, the output of a command) is an inexact [`Word`]. A line that
//! cannot be parsed is [`Unclear`], and no rule allows it.

mod command;
pub(crate) mod local;
pub(crate) mod name;
pub(crate) mod parser;
pub(crate) mod shape;
mod shown;
pub(crate) mod syntax;
pub(crate) mod variable;

pub use command::{Assignment, Command, MAX_CHARS, Redirect, RedirectKind, Stdin, Unclear, Word};
pub(crate) use shape::{Part, Shape};
pub(crate) use shown::{quote, quoted};

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
