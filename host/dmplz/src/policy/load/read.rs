//! Reads one policy file, or says in a few words why not.

use std::fs::{Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;

/// Larger than anybody writes or reads.
const MAX_BYTES: u64 = 1 << 20;

/// A file that was read.
pub(super) struct Content {
    pub(super) text: String,
    pub(super) metadata: Metadata,
    /// Where it really is.
    pub(super) canonical: PathBuf,
}

/// The `*.toml` of a folder in the order of their names; none where there is no such folder. Hidden files are left out:
/// editors keep their drafts so.
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

/// Reads a file that must lie in `folder`; None where there is none.
pub(super) fn read(path: &Path, folder: &Path) -> Result<Option<Content>, String> {
    // `NONBLOCK` keeps the opening of a named pipe from waiting.
    let opened = OpenOptions::new().read(true).custom_flags(OFlags::NONBLOCK.bits().cast_signed()).open(path);
    let file = match opened {
        Err(error) if is_missing(&error) && !path.is_symlink() => return Ok(None),
        file => file.map_err(|error| cannot(&error))?,
    };
    let metadata = file.metadata().map_err(|error| cannot(&error))?;
    if !metadata.is_file() {
        return Err("it is not a plain file".to_owned());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len().min(MAX_BYTES)).unwrap_or_default() + 1);
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(|error| cannot(&error))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err("it is larger than 1 MiB".to_owned());
    }
    let text = String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
    let canonical = path.canonicalize().map_err(|error| cannot(&error))?;
    if !folder.canonicalize().is_ok_and(|folder| canonical.starts_with(folder)) {
        return Err(format!("it is a symbolic link to another place ({})", canonical.display()));
    }
    Ok(Some(Content { text, metadata, canonical }))
}

/// A file where a folder should be is as good as no folder.
fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

fn cannot(error: &io::Error) -> String {
    format!("it cannot be read: {error}")
}
