//! The shells that run the lines.

use serde::{Deserialize, Serialize};

/// A shell that Claude Code may run a line with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shell {
    /// bash
    Bash,
    /// zsh
    Zsh,
}

impl Shell {
    /// Both of the shells.
    pub const ALL: [Self; 2] = [Self::Bash, Self::Zsh];

    /// Returns the path of its program.
    pub fn program(self) -> &'static str {
        match self {
            Self::Bash => "/bin/bash",
            Self::Zsh => "/usr/bin/zsh",
        }
    }

    /// Returns the name that the report shows.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bash => "bash",
            Self::Zsh => "zsh",
        }
    }
}
