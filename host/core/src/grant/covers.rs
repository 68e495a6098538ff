//! What a grant covers: the table of [`super`].

use serde::{Deserialize, Serialize};

/// Exactly one thing that a tool does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Covers {
    /// A command of a shell.
    Command {
        /// The tool.
        tool: String,
        /// The digest of the whole input without its description: [`input_digest`](crate::claude::input_digest).
        digest: String,
        /// The command as people see it: secrets masked, on one line, shortened.
        shown: String,
    },
    /// One file, by one tool.
    File {
        /// The tool.
        tool: String,
        /// The file's absolute path, as the agent writes it.
        path: String,
        /// The path after following links, if that is a different one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        leads: Option<String>,
    },
    /// The pages of one server on the web.
    Site {
        /// The tool.
        tool: String,
        /// The scheme, the host, and the port unless it is the scheme's default: `https://example.org`.
        origin: String,
    },
    /// One whole input of a tool.
    Input {
        /// The tool.
        tool: String,
        /// The MCP server, if the agent names it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        server: Option<String>,
        /// The digest of the whole input: [`input_digest`](crate::claude::input_digest).
        digest: String,
        /// The input as people see it: secrets masked, on one line, shortened.
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

    /// Returns whether both cover the same thing. The text shown to people does not matter.
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
