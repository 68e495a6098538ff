//! The subject of a call in a log.

use serde::{Deserialize, Serialize};

use crate::redact::mask;

/// The longest subject, in characters.
pub const MAX_SUBJECT_CHARS: usize = 2_000;

/// The end of every mask of [`mask`].
const MASK: &str = "****";
const CUT: char = '…';

/// The subject of a call: at most [`MAX_SUBJECT_CHARS`], with secrets masked. Only [`Subject::masked`] makes one from
/// a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Subject(String);

impl Subject {
    /// Masks a text and then truncates it, so that no half of a secret remains.
    pub fn masked(text: &str) -> Self {
        let masked = mask(text);
        let mut kept = masked.as_str().to_owned();
        if let Some((end, _)) = kept.char_indices().nth(MAX_SUBJECT_CHARS) {
            kept.truncate(end);
            kept.push(CUT);
        }
        Self(kept)
    }

    /// Returns the text for people.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the original text of the call. `None` if part of it was masked or truncated, or may have been.
    pub fn whole(&self) -> Option<&str> {
        (!self.0.contains(MASK) && !self.0.ends_with(CUT)).then_some(self.0.as_str())
    }
}
