//! The tasks of this repository that are more than one command: `cargo xtask <task>`.
//!
//! | task | what it does |
//! |---|---|
//! | [`mod@bench`] | measures what the hook costs, and compares it with its goals |
//! | `canary` | runs what the policy allows in a sandbox that detects damage: `tests/canary` |
//! | [`mod@dist`] | makes archives, packages, installer and checksums of a release |
//! | [`pictures`] | draws the cards in the documentation from what the components send |
//! | [`tidy`] | checks rules about files, names and manifests that the compiler does not check |
//! | [`wit_check`] | checks that the contract parses and is documented, and that the bundled components import exactly what they may |

pub mod bench;
pub mod dist;
pub mod pictures;
pub mod tidy;
pub mod wit_check;

use std::path::{Path, PathBuf};

/// A violation of a rule, shown as `file:line: what`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// The path relative to the root.
    pub file: PathBuf,
    /// The line, from 1; `None` if the finding is about the whole file.
    pub line: Option<usize>,
    /// States what is wrong, and what to do.
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

/// Returns the root directory of the workspace.
pub fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here)
}
