//! Reads files that a person or a repository names: plain files alone, and only up to a size. A device has no end, and a
//! named pipe waits for another program.

use std::fs::OpenOptions;
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::OFlags;

/// The maximum size of a file that a person writes, such as settings or a policy, in bytes.
pub(crate) const WRITTEN: u64 = 1 << 20;

/// Why a file is not read that the system would read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unreadable {
    #[error("it is a directory")]
    Directory,
    #[error("it is not a plain file")]
    NotPlain,
    /// The limit in MiB.
    #[error("it is larger than {0} MiB")]
    TooLarge(u64),
    #[error("it is not UTF-8")]
    NotUtf8,
}

/// Reads a plain file of at most `limit` bytes.
pub(crate) fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    // `NONBLOCK` keeps the opening of a named pipe from waiting.
    let file = OpenOptions::new().read(true).custom_flags(OFlags::NONBLOCK.bits().cast_signed()).open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(io::Error::other(Unreadable::Directory));
    }
    if !metadata.is_file() {
        return Err(io::Error::other(Unreadable::NotPlain));
    }
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(io::Error::other(Unreadable::TooLarge(limit >> 20)));
    }
    Ok(bytes)
}

/// Reads a plain file of text that is at most [`WRITTEN`] bytes long.
pub(crate) fn text(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path, WRITTEN)?).map_err(|_| io::Error::new(ErrorKind::InvalidData, Unreadable::NotUtf8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_plain_file_of_text_up_to_the_limit_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        std::fs::write(path("text"), " ".repeat(1 << 20)).unwrap();
        assert_eq!(text(&path("text")).unwrap().len(), 1 << 20);
        assert_eq!(text(&path("missing")).unwrap_err().kind(), ErrorKind::NotFound);

        std::fs::write(path("large"), " ".repeat((1 << 20) + 1)).unwrap();
        std::fs::write(path("latin"), b"\xe9").unwrap();
        std::os::unix::fs::symlink("/dev/zero", path("device")).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(path("pipe")).status().unwrap().success());
        let why = |name: &str| text(&path(name)).unwrap_err().to_string();
        assert_eq!(why("large"), "it is larger than 1 MiB");
        assert_eq!(why("latin"), "it is not UTF-8");
        assert_eq!(why("device"), "it is not a plain file");
        assert_eq!(why("pipe"), "it is not a plain file");
        assert_eq!(text(dir.path()).unwrap_err().to_string(), "it is a directory");
    }
}
