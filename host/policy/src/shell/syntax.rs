//! The syntax tree of a script. Its words ([`Text`]) are already parsed, with the scripts inside their substitutions
//! ([`Nested`]).

mod text;

use std::cell::RefCell;
use std::rc::Rc;

use super::command::Unclear;
pub(super) use text::{Class, Text};

/// A whole script, or one inside a word.
#[derive(Debug, Default)]
pub(super) struct Program {
    /// The part that could be parsed. bash runs the lines before an error.
    pub(super) list: List,
    /// Why the script could not be parsed as a whole, or differs between shells.
    pub(super) unclear: Option<Unclear>,
}

/// The commands between `;`, `&` and newlines.
pub(super) type List = Vec<AndOr>;

/// Pipelines connected by `&&` and `||`.
#[derive(Debug)]
pub(super) struct AndOr {
    /// Each pipeline with the operator before it; `&&` before the first one.
    pub(super) pipelines: Vec<(Link, Pipeline)>,
    /// Whether it ends with `&`.
    pub(super) background: bool,
}

/// The condition under which a pipeline runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Link {
    /// The previous one succeeded: `&&`.
    And,
    /// The previous one failed: `||`.
    Or,
}

/// Commands connected by `|`; none behind a lone `!` or `time`.
#[derive(Debug)]
pub(super) struct Pipeline {
    /// Whether an odd number of `!` precedes it.
    pub(super) negated: bool,
    pub(super) commands: Vec<Node>,
}

/// A command.
#[derive(Debug)]
pub(super) enum Node {
    Simple(Simple),
    Compound(Compound, Vec<Redirect>),
    /// A function: its name and body. zsh expands the name.
    Function(Text, Box<Node>),
    /// A coprocess: `coproc`.
    Coprocess(Box<Node>),
    /// A condition: `(( ))` or `[[ ]]`.
    Expression(Text, Vec<Redirect>),
}

/// A program with its arguments.
#[derive(Debug, Default)]
pub(super) struct Simple {
    pub(super) assignments: Vec<(String, Text)>,
    pub(super) words: Vec<Text>,
    pub(super) redirects: Vec<Redirect>,
}

/// A compound command.
#[derive(Debug)]
pub(super) enum Compound {
    Group(List),
    Subshell(List),
    For(Loop, List),
    /// `while` or `until`: the condition and the body.
    While(List, List),
    /// Every condition with its body, and the body of `else`.
    If(Vec<(List, List)>, Option<List>),
    /// The subject, and every item: its patterns and its commands.
    Case(Box<Text>, Vec<(Vec<Text>, List)>),
}

/// The values of a `for` or `select`.
#[derive(Debug)]
pub(super) enum Loop {
    /// A variable, and its values. Without any it takes the arguments.
    Words(String, Vec<Text>),
    /// An arithmetic loop: `(( ; ; ))`.
    Arithmetic(Box<Text>),
}

/// A redirection.
#[derive(Debug)]
pub(super) struct Redirect {
    pub(super) descriptor: Option<u32>,
    pub(super) operator: &'static str,
    /// The word behind it. For a heredoc it is the body, which is read when the line ends.
    pub(super) word: Rc<RefCell<Text>>,
}

/// A script inside a word.
#[derive(Debug)]
pub(super) struct Nested {
    pub(super) program: Program,
    /// Whether it reads the text that is written to it: `>( )`.
    pub(super) piped: bool,
    /// The nesting depth of the script.
    pub(super) depth: usize,
}
