/// The role of a word, which determines which of its characters are special.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Mode {
    /// A word like any other.
    Word,
    /// A word that may be `NAME=value`.
    Assigning,
    /// The value of an assignment.
    Value,
}
