//! What a grant is about: the table of [`super`].

use serde::{Deserialize, Serialize};

/// Exactly one thing that a tool does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Covers {
    /// A command of a shell.
    Command {
        /// The tool.
        tool: String,
        /// Of the whole input without its description: [`input_digest`](crate::claude::input_digest).
        digest: String,
        /// The command as people see it: secrets masked, on one line, cut.
        shown: String,
    },
    /// One file, by one tool.
    File {
        /// The tool.
        tool: String,
        /// Its absolute path, as the agent writes it.
        path: String,
        /// Where that led when links were followed, where that was elsewhere.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        leads: Option<String>,
    },
    /// What a server on the web has.
    Site {
        /// The tool.
        tool: String,
        /// Scheme, host, and a port that is not the scheme's own: `https://example.org`.
        origin: String,
    },
    /// One whole input of a tool.
    Input {
        /// The tool.
        tool: String,
        /// The MCP server, where the agent names it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        server: Option<String>,
        /// Of the whole input: [`input_digest`](crate::claude::input_digest).
        digest: String,
        /// The input as people see it: secrets masked, on one line, cut.
        shown: String,
    },
}

impl Covers {
    /// The tool whose calls the grant covers.
    pub fn tool(&self) -> &str {
        match self {
            Self::Command { tool, .. }
            | Self::File { tool, .. }
            | Self::Site { tool, .. }
            | Self::Input { tool, .. } => tool,
        }
    }

    /// Whether it is the same thing. What is shown of it to people does not matter.
    pub fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Command { tool, digest, .. }, Self::Command { tool: tool_2, digest: digest_2, .. }) => {
                tool == tool_2 && digest == digest_2
            }
            (
                Self::Input { tool, server, digest, .. },
                Self::Input { tool: tool_2, server: server_2, digest: digest_2, .. },
            ) => tool == tool_2 && server == server_2 && digest == digest_2,
            (one, other) => one == other,
        }
    }
}
