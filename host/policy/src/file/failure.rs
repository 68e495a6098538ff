//! An example that fails: [`crate::authoring::examples`] finds it.

use std::fmt;

use crate::why::Why;

/// An example that does not have the result that its rule states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The line of the example in the file, from 1.
    pub line: u32,
    /// The column of the example, from 1, in characters.
    pub column: u32,
    /// The example as it was written, or as JSON.
    pub example: String,
    /// Whether it should match.
    pub should_match: bool,
    /// The reason for the other result, if the rule alone does not explain it.
    pub because: Option<Because>,
}

/// Why an example has another result than its rule states.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Because {
    /// Its text may have several meanings.
    #[error("what it stands for is not certain; write the whole input as a table")]
    Uncertain,
    /// The judge's reason.
    #[error("{0}")]
    Judged(Why),
}

impl serde::Serialize for Because {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { example, should_match, because, .. } = self;
        let fails = if *should_match { "should match and does not" } else { "should not match and does" };
        write!(formatter, "the example `{example}` {fails}")?;
        because.iter().try_for_each(|because| write!(formatter, ": {because}"))
    }
}
