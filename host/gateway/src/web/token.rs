//! The tokens of the owner's programs. Each is made once and readable by the owner only: `<state>/gateway.token` for
//! everything, and `<state>/metrics.token` for the metrics alone.

use std::fmt;
use std::path::Path;

use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use super::secret;
use crate::secret_file::{self, SecretError};

/// The file of the token for everything.
pub(super) const FILE: &str = "gateway.token";
/// The file of the token for the metrics.
pub(super) const METRICS_FILE: &str = "metrics.token";

/// The token that a program sends as `Authorization: Bearer`. Only its SHA-256 stays in memory: 256 random bits
/// need no slower hash, because nobody can try them all.
#[derive(Clone)]
pub struct Token([u8; 32]);

impl Token {
    /// Reads the token of a state directory, or makes one. Only the gateway that holds the directory's lock calls this.
    pub fn open(state: &Path) -> Result<Self, SecretError> {
        Self::named(state, FILE)
    }

    /// Does the same as [`Self::open`] with the token that only reads the metrics.
    pub fn open_for_metrics(state: &Path) -> Result<Self, SecretError> {
        Self::named(state, METRICS_FILE)
    }

    fn named(state: &Path, file: &str) -> Result<Self, SecretError> {
        let path = state.join(file);
        let failed = |error| SecretError::Io(format!("the token {}", path.display()), error);
        let make = || secret::random().map_err(failed);
        let parse = |text: &str| secret::is_one(text).then(|| Self(hash(text)));
        secret_file::open(&path, "the token", parse, "it does not hold 64 hexadecimal characters", make)
    }

    /// Compares in constant time.
    pub(super) fn is(&self, shown: &str) -> bool {
        self.0.ct_eq(&hash(shown)).into()
    }
}

fn hash(text: &str) -> [u8; 32] {
    Sha256::digest(text.as_bytes()).into()
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(..)")
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    use super::*;

    #[test]
    fn a_token_is_made_once_and_only_for_us() {
        let dir = tempfile::tempdir().unwrap();
        let made = Token::open(dir.path()).unwrap();
        let path = dir.path().join(FILE);
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!((text.len(), fs::metadata(&path).unwrap().mode() & 0o777), (65, 0o600));
        assert!(made.is(text.trim_end()) && Token::open(dir.path()).unwrap().is(text.trim_end()));
        assert!(!made.is("") && !made.is(&text) && !made.is(&text[..63]));
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
        assert!(!format!("{made:?}").contains(&text[..8]));
    }

    #[test]
    fn a_token_that_others_could_know_is_not_used() {
        let dir = tempfile::tempdir().unwrap();
        Token::open(dir.path()).unwrap();
        let path = dir.path().join(FILE);
        for mode in [0o640, 0o604, 0o644, 0o660] {
            fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
            assert!(matches!(Token::open(dir.path()), Err(SecretError::Exposed(_))), "{mode:o}");
        }
        fs::rename(&path, dir.path().join("elsewhere")).unwrap();
        symlink(dir.path().join("elsewhere"), &path).unwrap();
        assert!(matches!(Token::open(dir.path()), Err(SecretError::Exposed(_))));
        fs::remove_file(&path).unwrap();
        for bad in ["", "short", &"g".repeat(64), &"A".repeat(64), &"0".repeat(63), &"0".repeat(65)] {
            fs::write(&path, bad).unwrap();
            fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
            assert!(matches!(Token::open(dir.path()), Err(SecretError::Malformed(..))), "{bad}");
        }
    }
}
