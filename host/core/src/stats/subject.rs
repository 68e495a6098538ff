//! What a call was about, as a log keeps it.

use serde::{Deserialize, Serialize};

use crate::redact::mask;

/// The longest subject that is kept, in characters.
pub const MAX_SUBJECT_CHARS: usize = 2_000;

/// Every mask of [`mask`] ends so.
const MASK: &str = "****";
const CUT: char = '…';

/// What a call was about: no more than [`MAX_SUBJECT_CHARS`], secrets masked. Only [`Subject::masked`] makes one of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Subject(String);

impl Subject {
    /// Masks a text, and cuts it then, so that no half of a secret is left.
    pub fn masked(text: &str) -> Self {
        let masked = mask(text);
        let mut kept = masked.as_str().to_owned();
        if let Some((end, _)) = kept.char_indices().nth(MAX_SUBJECT_CHARS) {
            kept.truncate(end);
            kept.push(CUT);
        }
        Self(kept)
    }

    /// As people may read it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text of the call itself. None where something in it was masked or cut, or may have been.
    pub fn whole(&self) -> Option<&str> {
        (!self.0.contains(MASK) && !self.0.ends_with(CUT)).then_some(self.0.as_str())
    }
}
