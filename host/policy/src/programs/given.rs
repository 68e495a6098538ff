//! The options and operands of a call, which its row tells apart.

use super::options::Known;
use crate::shell::Word;

/// A call's words, told apart by the row of its program or subcommand.
pub(super) struct Given<'a> {
    /// All words of the call.
    pub(super) words: &'a [Word],
    /// The index of the word behind the name of the program or subcommand.
    pub(super) from: usize,
    pub(super) options: Vec<Known>,
    /// The indices of the operands.
    pub(super) operands: Vec<usize>,
}

impl Given<'_> {
    /// Returns the first word if it is an operand, otherwise nothing. Some programs take a mode without a dash there:
    /// `tar xf`.
    pub(super) fn mode(&self) -> &str {
        let mode = self.operands.first().filter(|at| **at == self.from).and_then(|at| self.words.get(*at));
        mode.map_or("", |word| &word.known)
    }

    /// Returns whether one of these options is given.
    pub(super) fn has(&self, names: &[&str]) -> bool {
        self.options.iter().any(|known| names.contains(&known.name.as_str()))
    }
}
