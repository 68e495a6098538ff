//! What a script is made of. Its words are already read, with the programs inside their substitutions.

use std::cell::RefCell;
use std::rc::Rc;

use super::command::Unclear;
use super::word::Text;

/// A whole script, or one inside a word.
#[derive(Debug, Default)]
pub(super) struct Program {
    /// What could be read. bash runs what stands on the lines before an error.
    pub(super) list: List,
    /// Why that is not all of it, or not what every shell reads.
    pub(super) unclear: Option<Unclear>,
}

/// What stands between `;`, `&` and newlines.
pub(super) type List = Vec<AndOr>;

/// Pipelines with `&&` and `||` between them.
#[derive(Debug)]
pub(super) struct AndOr {
    /// Each with the operator before it; `&&` before the first one.
    pub(super) pipelines: Vec<(Link, Pipeline)>,
    /// It ends with `&`.
    pub(super) background: bool,
}

/// When a pipeline runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Link {
    /// What is before it succeeded: `&&`.
    And,
    /// What is before it failed: `||`.
    Or,
}

/// Commands with `|` between them: none behind a lonely `!` or `time`.
#[derive(Debug)]
pub(super) struct Pipeline {
    /// An odd number of `!` is before it.
    pub(super) negated: bool,
    pub(super) commands: Vec<Node>,
}

/// A command.
#[derive(Debug)]
pub(super) enum Node {
    Simple(Simple),
    Compound(Compound, Vec<Redirect>),
    /// A name and a body. zsh expands the name.
    Function(Text, Box<Node>),
    /// `coproc`
    Coprocess(Box<Node>),
    /// `(( ))` or `[[ ]]`
    Expression(Text, Vec<Redirect>),
}

/// A program with its arguments.
#[derive(Debug, Default)]
pub(super) struct Simple {
    pub(super) assignments: Vec<(String, Text)>,
    pub(super) words: Vec<Text>,
    pub(super) redirects: Vec<Redirect>,
}

/// A command that holds others.
#[derive(Debug)]
pub(super) enum Compound {
    Group(List),
    Subshell(List),
    For(Loop, List),
    /// `while` or `until`: what is tested, and what is done.
    While(List, List),
    /// Every condition with what it leads to, and what is behind `else`.
    If(Vec<(List, List)>, Option<List>),
    /// What is looked at, and every item: its patterns and its commands.
    Case(Box<Text>, Vec<(Vec<Text>, List)>),
}

/// What a `for` or `select` goes through.
#[derive(Debug)]
pub(super) enum Loop {
    /// A variable, and the words that it becomes. Without any it becomes the arguments.
    Words(String, Vec<Text>),
    /// `(( ; ; ))`
    Arithmetic(Box<Text>),
}

/// A redirection.
#[derive(Debug)]
pub(super) struct Redirect {
    pub(super) descriptor: Option<u32>,
    pub(super) operator: &'static str,
    /// The word behind it. Of a heredoc it is the body, which is read when the line ends.
    pub(super) word: Rc<RefCell<Text>>,
}
