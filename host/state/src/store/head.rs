//! The head of the audit trail: its last entry.

use std::fmt;
use std::str::FromStr;

use super::hash::Hash;

/// An entry of the audit trail: its number and its hash. The default is the empty trail's head.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Head {
    /// The entry's number; 0 before the first entry.
    pub seq: u64,
    /// The entry's hash; zeros before the first entry.
    pub hash: Hash,
}

/// A text that is no head. A head is `SEQ:HASH` with a hash of 64 hex digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("this is no head of an audit trail: it takes SEQ:HASH with a hash of 64 hex digits")]
pub struct InvalidHead;

impl fmt::Display for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.seq, self.hash)
    }
}

impl FromStr for Head {
    type Err = InvalidHead;

    fn from_str(text: &str) -> Result<Self, InvalidHead> {
        let (seq, hash) = text.split_once(':').ok_or(InvalidHead)?;
        if !seq.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(InvalidHead);
        }
        Ok(Self { seq: seq.parse().map_err(|_| InvalidHead)?, hash: hash.parse().map_err(|_| InvalidHead)? })
    }
}
