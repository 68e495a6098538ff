//! Maintenance of the gateway's store.

use serde::{Deserialize, Serialize};

/// Params of `store.prune`, which removes what exceeds these limits. An absent limit means no limit.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PruneStore {
    /// How long the texts of a request are kept after its end, in milliseconds.
    pub texts_ms: Option<u64>,
    /// How long anything of an ended request is kept, in milliseconds.
    pub all_ms: Option<u64>,
    /// The most bytes that the store may use.
    pub bytes: Option<u64>,
}

/// The result of pruning the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Pruned {
    /// How many requests lost their texts.
    pub texts: usize,
    /// How many requests were removed completely.
    pub requests: usize,
    /// How many entries of the audit trail were removed.
    pub entries: u64,
}
