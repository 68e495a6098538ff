//! The tokens of the owner's programs. Each is made once and readable by the owner only: `<state>/gateway.token` for
//! everything, and `<state>/metrics.token` for the metrics alone.

use std::io;
use std::path::{Path, PathBuf};

use super::secret::{Secret, SecretHash};
use crate::secret_file::{self, Unusable};

const FILE: &str = "gateway.token";
const METRICS_FILE: &str = "metrics.token";

/// The token that a program sends as `Authorization: Bearer`. Only its hash stays in memory.
#[derive(Debug, Clone)]
pub struct Token(SecretHash);

/// Why the token cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// The file cannot be read or written.
    #[error("the token {0} cannot be used")]
    Io(PathBuf, #[source] io::Error),
    /// Other users could read the file, or it belongs to another user.
    #[error(
        "the token {0} cannot be used: it must be a plain file of ours with mode 0600; delete it and a new one is made"
    )]
    Exposed(PathBuf),
    /// The file does not hold a token in our format.
    #[error(
        "the token {0} cannot be used: it does not hold 64 hexadecimal characters; delete it and a new one is made"
    )]
    Malformed(PathBuf),
}

impl Token {
    /// Reads the token of a state directory, or makes one. Only the gateway that holds the directory's lock calls this.
    pub fn open(state: &Path) -> Result<Self, TokenError> {
        Self::named(state, FILE)
    }

    /// Does the same as [`Self::open`] with the token that only reads the metrics.
    pub fn open_for_metrics(state: &Path) -> Result<Self, TokenError> {
        Self::named(state, METRICS_FILE)
    }

    fn named(state: &Path, file: &str) -> Result<Self, TokenError> {
        let path = state.join(file);
        let failed = |error| TokenError::Io(path.clone(), error);
        match read(&path) {
            Err(TokenError::Io(_, error)) if error.kind() == io::ErrorKind::NotFound => {
                let secret = Secret::random().map_err(failed)?;
                secret_file::write(&path, secret.expose()).map_err(failed)?;
                read(&path)
            }
            found => found,
        }
    }

    pub(super) fn is(&self, shown: &str) -> bool {
        self.0.is(&SecretHash::of(shown))
    }
}

fn read(path: &Path) -> Result<Token, TokenError> {
    let text = secret_file::read(path).map_err(|unusable| match unusable {
        Unusable::Io(error) => TokenError::Io(path.to_owned(), error),
        Unusable::Exposed => TokenError::Exposed(path.to_owned()),
    })?;
    let secret = Secret::parse(&text).ok_or_else(|| TokenError::Malformed(path.to_owned()))?;
    Ok(Token(secret.hash()))
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
            assert!(matches!(Token::open(dir.path()), Err(TokenError::Exposed(_))), "{mode:o}");
        }
        fs::rename(&path, dir.path().join("elsewhere")).unwrap();
        symlink(dir.path().join("elsewhere"), &path).unwrap();
        assert!(matches!(Token::open(dir.path()), Err(TokenError::Exposed(_))));
        fs::remove_file(&path).unwrap();
        for bad in ["", "short", &"g".repeat(64), &"A".repeat(64), &"0".repeat(63), &"0".repeat(65)] {
            fs::write(&path, bad).unwrap();
            fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
            assert!(matches!(Token::open(dir.path()), Err(TokenError::Malformed(_))), "{bad}");
        }
    }
}
