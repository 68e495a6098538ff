//! Looking after what the gateway keeps.

use serde::{Deserialize, Serialize};

/// Removes what is older, or more, than this. What is not said is kept for ever, and all of it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PruneStore {
    /// How long what was asked is kept after its end, in milliseconds.
    pub texts_ms: Option<u64>,
    /// How long anything of an ended request is kept, in milliseconds.
    pub all_ms: Option<u64>,
    /// How large the store may be, in bytes.
    pub bytes: Option<u64>,
}

/// What a pruning removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Pruned {
    /// Requests of which what was asked was dropped.
    pub texts: usize,
    /// Requests of which nothing is left.
    pub requests: usize,
    /// Entries of the audit trail.
    pub entries: u64,
}
