//! The name under which the state of one bot is stored.

use std::fmt;

use sha2::{Digest, Sha256};

/// Names an account in file names: the provider, and a digest of the server and the bot's token. Two bots of one
/// messenger therefore never share a queue, and the name reveals nothing about the token.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct AccountKey(String);

/// A text that is no account key.
#[derive(Debug, thiserror::Error)]
#[error("{0:?} is no account: it must be 1 to 64 of a-z, 0-9 and `-`")]
pub struct InvalidAccountKey(String);

impl AccountKey {
    /// Returns the key of a bot: `<provider>-<16 hex digits>`.
    pub fn new(provider: &str, server: &str, token: &str) -> Result<Self, InvalidAccountKey> {
        let digest = digest(&[server, token]);
        Self::try_from(format!("{provider}-{digest}"))
    }

    /// Returns the key as used in file names.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for AccountKey {
    type Error = InvalidAccountKey;

    fn try_from(key: String) -> Result<Self, InvalidAccountKey> {
        let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        let valid = (1..=64).contains(&key.len()) && key.bytes().all(allowed);
        if valid { Ok(Self(key)) } else { Err(InvalidAccountKey(key)) }
    }
}

impl From<AccountKey> for String {
    fn from(key: AccountKey) -> Self {
        key.0
    }
}

impl fmt::Display for AccountKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Returns 16 hex digits (64 bits) of the SHA-256 of the parts. Each part ends with a zero byte, so that different
/// lists of parts without zero bytes never hash the same input. Makes a file name of arbitrary texts.
pub(crate) fn digest(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part);
        hash.update([0]);
    }
    let mut digits = hex::encode(hash.finalize());
    digits.truncate(16);
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_names_the_provider_and_hides_the_token() {
        let key = AccountKey::new("telegram", "https://api.telegram.org", "123:secret").unwrap();
        insta::assert_snapshot!(key, @"telegram-198ff5d81895b413");
        assert_ne!(key, AccountKey::new("telegram", "https://api.telegram.org", "124:secret").unwrap());
        assert_ne!(key, AccountKey::new("telegram", "http://127.0.0.1:1", "123:secret").unwrap());
    }

    #[test]
    fn a_key_that_is_no_file_name_is_refused() {
        for text in ["", "..", "a/b", "A", &"a".repeat(65)] {
            assert!(AccountKey::try_from(text.to_owned()).is_err(), "{text}");
            assert!(serde_json::from_value::<AccountKey>(text.into()).is_err(), "{text}");
        }
    }
}
