//! A word of the tree.

use super::{Nested, Program};
use crate::shell::command::{Unclear, Word};
use crate::shell::shape::Piece;

/// A word after it was parsed.
#[derive(Debug, Default)]
pub(crate) struct Text {
    /// The known text of the word; for an assignment, that of its value.
    pub(crate) word: Word,
    /// The variable, if the word is an assignment.
    pub(in crate::shell) assigns: Option<String>,
    /// Whether the assignment changes only a part of the variable's value: `x+=y`, `x[1]=y`.
    pub(crate) partial: bool,
    /// Whether the shell does not split it, because it is the value of an assignment.
    pub(in crate::shell) whole: bool,
    /// Whether something in it is quoted or expanded.
    pub(in crate::shell) altered: bool,
    /// The scripts in its substitutions.
    pub(crate) nested: Vec<Nested>,
    /// Whether an expansion in it may itself run something.
    pub(crate) hazard: bool,
    /// Whether it has an expansion that is not certainly a number.
    pub(crate) risky: bool,
    /// The variables that it sets: `${x:=y}`.
    pub(crate) sets: Vec<String>,
    /// The word if its expansions are empty and `$IFS` is a space.
    pub(crate) emptied: Option<String>,
    /// Whether it may become more than one word, of which only the first has the known beginning: `a$x`, `"a$@"`.
    pub(crate) spreads: bool,
    /// The number of its unknown parts, and the number of those inside double quotes.
    pub(in crate::shell) unknown: (usize, usize),
    /// Whether it is split at an `$IFS` in it.
    pub(crate) splits: bool,
    /// Whether it is `<( )` or `>( )`, and so not the name of a file.
    pub(crate) process: bool,
    pub(in crate::shell) brace: Option<usize>,
    pub(in crate::shell) brace_parts: bool,
    pub(in crate::shell) bracket: Option<usize>,
    pub(in crate::shell) cut: Option<usize>,
    /// Its pieces, from which its shapes are computed.
    pub(in crate::shell) pieces: Vec<Piece>,
    /// The bracket expression that was opened last.
    pub(in crate::shell) class: Option<Class>,
    /// The number of open unquoted `{`.
    pub(in crate::shell) braces: usize,
    /// Whether the text after an expansion changes its value, so that its shapes are unknown.
    pub(in crate::shell) shapeless: bool,
}

/// A bracket expression of a glob, which begins with an unquoted `[`.
#[derive(Debug, Clone, Copy)]
pub(in crate::shell) struct Class {
    /// The index of the piece with the `[`.
    pub(in crate::shell) at: usize,
    /// Whether a `]` followed.
    pub(in crate::shell) closed: bool,
    /// Whether a later `]` may be its end: `[]a]`, `[[:alpha:]]`.
    pub(in crate::shell) longer: bool,
}

impl Text {
    /// Creates text that is literal.
    pub(in crate::shell) fn of(word: Word) -> Self {
        Self { word, altered: true, ..Self::default() }
    }

    /// Creates text that cannot be parsed.
    pub(in crate::shell) fn unread(unclear: Unclear) -> Self {
        let program = Program { list: Vec::new(), unclear: Some(unclear) };
        Self { nested: vec![Nested { program, piped: false, depth: 0 }], ..Self::of(Word::beginning("")) }
    }
}
