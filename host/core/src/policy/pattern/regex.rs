//! Regular expressions in linear time.

use std::fmt;
use std::sync::{Arc, OnceLock};

use regex_automata::meta::Regex;

/// A regular expression that was checked when it was read, and is compiled when it is first asked.
#[derive(Clone)]
pub struct Pattern {
    source: Arc<str>,
    compiled: Arc<OnceLock<Option<Regex>>>,
}

/// Why a regular expression cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("read the regular expression: {what}")]
pub struct PatternError {
    /// What is wrong.
    pub what: String,
    /// Where, in bytes from its beginning.
    pub offset: usize,
}

impl fmt::Debug for Pattern {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Pattern({:?})", self.source)
    }
}
