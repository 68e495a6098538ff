//! Reads plain files of a bounded size. A device has no end, and a named pipe waits for another program.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

use rustix::fs::OFlags;

/// Why a file is not read that the system would read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// For readers that tell it from [`Unreadable::NotPlain`].
    #[error("it is a directory")]
    Directory,
    /// It is a folder, a device or a pipe.
    #[error("it is not a plain file")]
    NotPlain,
    /// The limit in MiB.
    #[error("it is larger than {0} MiB")]
    TooLarge(u64),
    /// For readers of text.
    #[error("it is not UTF-8")]
    NotUtf8,
}

/// Reads a plain file of at most `limit` bytes, a whole number of MiB. An error that is not the system's is an
/// [`Unreadable`], for a folder with the kind [`ErrorKind::IsADirectory`].
pub fn read_plain(path: &Path, limit: u64) -> io::Result<(Vec<u8>, Metadata)> {
    // `NONBLOCK` keeps the opening of a named pipe from waiting.
    let file = OpenOptions::new().read(true).custom_flags(OFlags::NONBLOCK.bits().cast_signed()).open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        let kind = if metadata.is_dir() { ErrorKind::IsADirectory } else { ErrorKind::Other };
        return Err(io::Error::new(kind, Unreadable::NotPlain));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len().min(limit)).unwrap_or_default() + 1);
    file.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(io::Error::other(Unreadable::TooLarge(limit >> 20)));
    }
    Ok((bytes, metadata))
}

/// Opens a file for [`read_private`]. A symbolic link is not followed.
pub(crate) fn open_private(path: &Path) -> io::Result<File> {
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    OpenOptions::new().read(true).custom_flags(flags).open(path)
}

/// Reads a file up to the first byte beyond a limit. `None` if it is not a plain file of this user's alone (mode 600), so that
/// somebody else may have written it.
pub(crate) fn read_private(file: File, limit: u64) -> io::Result<Option<Vec<u8>>> {
    let metadata = file.metadata()?;
    let ours = metadata.uid() == rustix::process::geteuid().as_raw() && metadata.mode() & 0o077 == 0;
    if !metadata.is_file() || !ours {
        return Ok(None);
    }
    let mut content = Vec::new();
    file.take(limit + 1).read_to_end(&mut content)?;
    Ok(Some(content))
}
