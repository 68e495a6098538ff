//! Why something was not kept or found.

use dmplz_core::request::Incomplete;
use dmplz_state::store::StoreError;

/// Why something was not kept or found. What was to be kept is not there.
#[derive(Debug, Clone, thiserror::Error)]
pub enum DiskError {
    /// The database could not be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An end says too little to be one: an allow without the person who gave it.
    #[error(transparent)]
    Incomplete(#[from] Incomplete),
    /// What is kept cannot be read, or what is to be kept cannot be written, as JSON.
    #[error("what is kept of {of} is no JSON of it")]
    Json {
        /// Of what.
        of: String,
        /// What is wrong with it.
        #[source]
        source: std::sync::Arc<serde_json::Error>,
    },
    /// The thread that owns the database ended.
    #[error("the database cannot be reached: its thread has ended")]
    Gone,
}

impl DiskError {
    /// What is wrong, without anything of what is kept: serde's own words quote it.
    pub(super) fn without_content(&self) -> String {
        match self {
            Self::Json { source, .. } => {
                let what = if source.is_data() { "it is not what this version writes" } else { "it is not JSON" };
                format!("{what} (line {}, column {})", source.line(), source.column())
            }
            other => other.to_string(),
        }
    }

    pub(super) fn json(of: &str) -> impl FnOnce(serde_json::Error) -> Self + use<> {
        let of = of.to_owned();
        move |source| Self::Json { of, source: source.into() }
    }
}
