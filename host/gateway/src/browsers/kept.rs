//! The file of the paired browsers: `<state>/browsers.json`, mode 0600. It also holds the gateway's private key, and
//! the addresses at which push services reach the browsers.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use dmplz_protocol::push::SubscribePush;
use serde::{Deserialize, Serialize};

use crate::secret_file::{self, Unusable};

const FILE: &str = "browsers.json";
const VERSION: u32 = 1;
/// The most bytes that are read. The most browsers with the longest subscriptions take a quarter of it.
const LONGEST: u64 = 1 << 20;

/// What the file holds.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Kept {
    version: u32,
    /// The gateway's private key (PKCS #8) in hex.
    pub(super) key: String,
    /// When the gateway last had its port, in Unix milliseconds.
    pub(super) held_ms: u64,
    pub(super) browsers: Vec<Paired>,
}

/// One paired browser. Times are in Unix milliseconds.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Paired {
    /// The public key of its page, in hex.
    pub(super) key: String,
    pub(super) name: String,
    pub(super) paired_ms: u64,
    pub(super) seen_ms: u64,
    pub(super) ends_ms: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) push: Option<SubscribePush>,
}

/// Why the paired browsers cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BrowsersError {
    /// The file cannot be read or written.
    #[error("the paired browsers {0} cannot be read or written")]
    Io(PathBuf, #[source] io::Error),
    /// Other users could read the file, or it belongs to another user.
    #[error(
        "the paired browsers {0} cannot be used: it must be a plain file of ours with mode 0600; delete it and pair again"
    )]
    Exposed(PathBuf),
    /// The file does not hold what this version writes.
    #[error("the paired browsers {0} cannot be used: it is damaged, or of another version; delete it and pair again")]
    Malformed(PathBuf),
    /// The gateway has no key.
    #[error("the gateway's key cannot be made")]
    Key(#[source] io::Error),
}

impl Kept {
    pub(super) fn of(key: String, held_ms: u64, browsers: Vec<Paired>) -> Self {
        Self { version: VERSION, key, held_ms, browsers }
    }
}

/// Returns the path of the file.
pub(super) fn path(state: &Path) -> PathBuf {
    state.join(FILE)
}

/// Reads the file. `None` if there is none.
pub(super) fn read(path: &Path) -> Result<Option<Kept>, BrowsersError> {
    let text = match secret_file::read_at_most(path, LONGEST) {
        Ok(text) => text,
        Err(Unusable::Io(error)) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(Unusable::Io(error)) => return Err(BrowsersError::Io(path.to_owned(), error)),
        Err(Unusable::Exposed) => return Err(BrowsersError::Exposed(path.to_owned())),
    };
    let kept = serde_json::from_str::<Kept>(&text).ok().filter(|kept| kept.version == VERSION);
    kept.map(Some).ok_or_else(|| BrowsersError::Malformed(path.to_owned()))
}

/// Replaces the file with what is paired now.
pub(super) fn write(path: &Path, kept: &Kept) -> Result<(), BrowsersError> {
    let failed = |error| BrowsersError::Io(path.to_owned(), error);
    let text = serde_json::to_string(kept).map_err(|error| failed(error.into()))?;
    secret_file::write(path, &text).map_err(failed)
}

/// Removes the file, if there is one.
pub(super) fn remove(path: &Path) -> Result<(), BrowsersError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(BrowsersError::Io(path.to_owned(), error)),
        _ => Ok(()),
    }
}
