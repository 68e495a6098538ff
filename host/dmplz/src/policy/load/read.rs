//! Reads one policy file, or returns a short reason why it cannot be read.

use std::borrow::Cow;
use std::fs::Metadata;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use dmplz_state::read_plain;

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
pub(super) fn listed(folder: &Path) -> Result<Vec<PathBuf>, String> {
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
pub(super) fn read(path: &Path, folder: &Path) -> Result<Option<Content>, String> {
    let (bytes, metadata) = match read_plain(path, MAX_BYTES) {
        Err(error) if is_missing(&error) && !path.is_symlink() => return Ok(None),
        read => read.map_err(|error| cannot(&error))?,
    };
    let text = String::from_utf8_lossy(&bytes);
    let is_utf8 = matches!(text, Cow::Borrowed(_));
    let text = text.into_owned();
    let canonical = path.canonicalize().map_err(|error| cannot(&error))?;
    if !folder.canonicalize().is_ok_and(|folder| canonical.starts_with(folder)) {
        return Err(format!("it is a symbolic link to another place ({})", canonical.display()));
    }
    Ok(Some(Content { text, is_utf8, metadata, canonical }))
}

/// Returns whether the file does not exist. A file in place of a folder counts as a missing folder.
fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

fn cannot(error: &io::Error) -> String {
    // What is not the system's error says all that there is to say.
    error.get_ref().map_or_else(|| format!("it cannot be read: {error}"), ToString::to_string)
}
