//! The syntax tree of a script. Its words ([`Text`]) are already parsed, with the scripts inside their substitutions
//! ([`Nested`]).

mod text;

use std::cell::RefCell;
use std::rc::Rc;

use super::command::Unclear;
pub(super) use text::Class;
pub(crate) use text::Text;

/// A whole script, or one inside a word.
#[derive(Debug, Default)]
pub(crate) struct Program {
    /// The part that could be parsed. bash runs the lines before an error.
    pub(crate) list: List,
    /// Why the script could not be parsed as a whole, or differs between shells.
    pub(crate) unclear: Option<Unclear>,
}

impl Program {
    /// Returns whether all that it prints is the name of a commit: `git merge-base main HEAD`, `git rev-parse HEAD~2`. What
    /// it cannot find it prints as it is written, so that no other name counts.
    pub(super) fn prints_commit(&self) -> bool {
        let [AndOr { pipelines, background: false }] = self.list.as_slice() else { return false };
        let [(_, Pipeline { negated: false, commands })] = pipelines.as_slice() else { return false };
        let [Node::Simple(simple)] = commands.as_slice() else { return false };
        let silent = |redirect: &Redirect| {
            let target = redirect.word.borrow();
            redirect.descriptor == Some(2) && redirect.operator == ">" && target.word.text() == Some("/dev/null")
        };
        if self.unclear.is_some() || !simple.assignments.is_empty() || !simple.redirects.iter().all(silent) {
            return false;
        }
        let words: Option<Vec<&str>> = simple.words.iter().map(|text| text.word.text()).collect();
        match words.as_deref() {
            Some(["git", "merge-base", names @ ..]) => {
                !names.is_empty() && names.iter().all(|name| !name.starts_with('-'))
            }
            Some(["git", "rev-parse", options @ .., name]) => {
                let is_plain = |option: &&str| matches!(*option, "--verify" | "--short" | "-q" | "--quiet");
                let rest = name.strip_prefix("HEAD");
                options.iter().all(is_plain)
                    && rest.is_some_and(|rest| rest.chars().all(|sign| sign.is_ascii_digit() || "~^".contains(sign)))
            }
            _ => false,
        }
    }
}

/// The commands between `;`, `&` and newlines.
pub(crate) type List = Vec<AndOr>;

/// Pipelines connected by `&&` and `||`.
#[derive(Debug)]
pub(crate) struct AndOr {
    /// Each pipeline with the operator before it; `&&` before the first one.
    pub(crate) pipelines: Vec<(Link, Pipeline)>,
    /// Whether it ends with `&`.
    pub(crate) background: bool,
}

/// The condition under which a pipeline runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Link {
    /// The previous one succeeded: `&&`.
    And,
    /// The previous one failed: `||`.
    Or,
}

/// Commands connected by `|`; none behind a lone `!` or `time`.
#[derive(Debug)]
pub(crate) struct Pipeline {
    /// Whether an odd number of `!` precedes it.
    pub(crate) negated: bool,
    pub(crate) commands: Vec<Node>,
}

/// A command.
#[derive(Debug)]
pub(crate) enum Node {
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
pub(crate) struct Simple {
    pub(crate) assignments: Vec<(String, Text)>,
    pub(crate) words: Vec<Text>,
    pub(crate) redirects: Vec<Redirect>,
}

/// A compound command.
#[derive(Debug)]
pub(crate) enum Compound {
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
pub(crate) enum Loop {
    /// A variable, and its values. Without any it takes the arguments.
    Words(String, Vec<Text>),
    /// An arithmetic loop: `(( ; ; ))`.
    Arithmetic(Box<Text>),
}

/// A redirection.
#[derive(Debug)]
pub(crate) struct Redirect {
    pub(crate) descriptor: Option<u32>,
    pub(crate) operator: &'static str,
    /// The word behind it. For a heredoc it is the body, which is read when the line ends.
    pub(crate) word: Rc<RefCell<Text>>,
}

/// A script inside a word.
#[derive(Debug)]
pub(crate) struct Nested {
    pub(crate) program: Program,
    /// Whether it reads the text that is written to it: `>( )`.
    pub(crate) piped: bool,
    /// The nesting depth of the script.
    pub(crate) depth: usize,
}
