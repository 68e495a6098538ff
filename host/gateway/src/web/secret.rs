//! Random secrets, and their hashes, which are all that is kept in memory.

use std::fmt;
use std::io;

use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

const BYTES: usize = 32;

/// 256 random bits as 64 hexadecimal characters. Its `Debug` shows nothing.
#[derive(Clone)]
pub(super) struct Secret(String);

/// The SHA-256 of a secret. 256 random bits need no slower hash: nobody can try them all.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct SecretHash([u8; BYTES]);

impl Secret {
    pub(super) fn random() -> io::Result<Self> {
        let mut bytes = [0_u8; BYTES];
        getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
        Ok(Self(hex::encode(bytes)))
    }

    /// Parses a stored secret.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        (text.len() == 2 * BYTES && text.bytes().all(hex)).then(|| Self(text.to_owned()))
    }

    pub(super) fn expose(&self) -> &str {
        &self.0
    }

    pub(super) fn hash(&self) -> SecretHash {
        SecretHash::of(&self.0)
    }
}

impl SecretHash {
    /// Returns the hash of a text from a client.
    pub(super) fn of(shown: &str) -> Self {
        Self(Sha256::digest(shown.as_bytes()).into())
    }

    /// Compares two hashes in constant time.
    pub(super) fn is(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

impl fmt::Debug for SecretHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretHash(..)")
    }
}
