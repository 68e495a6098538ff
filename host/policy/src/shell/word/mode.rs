/// The role of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::shell) enum Mode {
    /// A word like any other.
    Word,
    /// A word that may be `NAME=value`.
    Assigning,
    /// The value of an assignment.
    Value,
}
