//! How much a notice shows.

use serde::{Deserialize, Serialize};

/// How much a notice shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Detail {
    /// The kind of event, and its place.
    #[default]
    Minimal,
    /// Also the tool, and a line of the error or message.
    Normal,
    /// Also content, such as a tool's input or the agent's last message.
    Verbose,
}

crate::named!(Detail { Minimal = "minimal", Normal = "normal", Verbose = "verbose" });
