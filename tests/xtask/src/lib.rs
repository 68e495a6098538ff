//! The tasks of this repository that are more than one command: `cargo xtask <task>`.
//!
//! | task | what it does |
//! |---|---|
//! | [`mod@bench`] | what the hook costs, next to what it may cost |
//! | `canary` | runs what the policy allows in a sandbox full of canaries: `tests/canary` |
//! | [`pictures`] | draws the cards of the documentation from what the components send |
//! | [`tidy`] | rules about files, names and manifests that no compiler checks |
//! | [`wit_check`] | the contract parses and is documented; the bundled components import what they may, nothing else |

pub mod bench;
pub mod pictures;
pub mod tidy;
pub mod wit_check;

use std::path::{Path, PathBuf};

/// A rule that something breaks, as `file:line: what`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// Relative to the root.
    pub file: PathBuf,
    /// From 1; none where the whole file is meant.
    pub line: Option<usize>,
    /// What is wrong, and what to do.
    pub what: String,
}

impl Finding {
    fn new(file: &Path, line: Option<usize>, what: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line, what: what.into() }
    }
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file.display(), self.what),
            None => write!(f, "{}: {}", self.file.display(), self.what),
        }
    }
}

/// The workspace that this crate is a part of.
pub fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here)
}
