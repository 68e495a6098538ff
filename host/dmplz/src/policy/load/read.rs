//! Reads one policy file, or returns why it cannot be read.

use std::fs::Metadata;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use dmplz_policy::file::Loading;
use dmplz_state::{Unreadable, read_plain};

/// The maximum size of a policy file in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// A file that was read.
pub(super) struct Content {
    /// Its text, with U+FFFD for what is not UTF-8.
    pub(super) text: String,
    pub(super) is_utf8: bool,
    pub(super) metadata: Metadata,
    /// The canonical path of the file.
    pub(super) canonical: PathBuf,
}

/// Returns the `*.toml` files of a folder in the order of their names; an empty list if the folder does not exist.
/// Hidden files are left out, because editors store drafts under such names.
pub(super) fn listed(folder: &Path) -> Result<Vec<PathBuf>, Loading> {
    let entries = match std::fs::read_dir(folder) {
        Err(error) if is_missing(&error) => return Ok(Vec::new()),
        entries => entries.map_err(|error| cannot(&error))?,
    };
    let is_policy = |path: &PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        name.ends_with(".toml") && !name.starts_with('.')
    };
    let paths: io::Result<Vec<_>> = entries.map(|entry| Ok(entry?.path())).collect();
    let mut paths: Vec<_> = paths.map_err(|error| cannot(&error))?.into_iter().filter(is_policy).collect();
    paths.sort();
    Ok(paths)
}

/// Reads a file that must be in `folder`; `None` if it does not exist.
pub(super) fn read(path: &Path, folder: &Path) -> Result<Option<Content>, Loading> {
    let (bytes, metadata) = match read_plain(path, MAX_BYTES) {
        Err(error) if is_missing(&error) && !path.is_symlink() => return Ok(None),
        read => read.map_err(|error| cannot(&error))?,
    };
    let (text, is_utf8) = match String::from_utf8(bytes) {
        Ok(text) => (text, true),
        Err(error) => (String::from_utf8_lossy(error.as_bytes()).into_owned(), false),
    };
    let canonical = path.canonicalize().map_err(|error| cannot(&error))?;
    if !folder.canonicalize().is_ok_and(|folder| canonical.starts_with(folder)) {
        return Err(Loading::Link(canonical));
    }
    Ok(Some(Content { text, is_utf8, metadata, canonical }))
}

/// Returns whether the file does not exist. A file in place of a folder counts as a missing folder.
fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

fn cannot(error: &io::Error) -> Loading {
    match error.get_ref().and_then(|inner| inner.downcast_ref::<Unreadable>()) {
        Some(Unreadable::Directory | Unreadable::NotPlain) => Loading::NotPlain,
        Some(Unreadable::TooLarge(limit)) => Loading::TooLarge(*limit),
        Some(Unreadable::NotUtf8) => Loading::NotUtf8,
        None => Loading::Unreadable(error.to_string()),
    }
}
