//! Why something was not stored or found.

use dmplz_core::request::Incomplete;
use dmplz_state::store::StoreError;

/// Why something was not stored or found. Nothing was stored.
#[derive(Debug, Clone, thiserror::Error)]
pub enum DiskError {
    /// The database could not be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A resolution lacks a field: an allow without the person who gave it.
    #[error(transparent)]
    Incomplete(#[from] Incomplete),
    /// A stored row cannot be read, or a new one cannot be written, as JSON.
    #[error("what is kept of {of} is no JSON of it")]
    Json {
        /// The name of the row.
        of: String,
        /// The JSON error.
        #[source]
        source: std::sync::Arc<serde_json::Error>,
    },
    /// The thread that owns the database ended.
    #[error("the database cannot be reached: its thread has ended")]
    Gone,
}

impl DiskError {
    /// Describes the error without any stored content, which serde's own message would quote.
    pub(crate) fn without_content(&self) -> String {
        match self {
            Self::Json { source, .. } => {
                let what = if source.is_data() { "it is not what this version writes" } else { "it is not JSON" };
                format!("{what} (line {}, column {})", source.line(), source.column())
            }
            other => other.to_string(),
        }
    }

    pub(crate) fn json(of: &str) -> impl FnOnce(serde_json::Error) -> Self + use<> {
        let of = of.to_owned();
        move |source| Self::Json { of, source: source.into() }
    }
}
