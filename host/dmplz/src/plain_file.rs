//! Reads files that a person or a repository names: plain files alone, and only up to a size. A device has no end, and a
//! named pipe waits for another program.

use std::io::{self, ErrorKind};
use std::path::Path;

pub(crate) use dmplz_state::Unreadable;
use dmplz_state::read_plain;

/// The maximum size of a file that a person writes, such as settings or a policy, in bytes.
pub(crate) const WRITTEN: u64 = 1 << 20;

/// Reads a plain file of at most `limit` bytes.
pub(crate) fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    match read_plain(path, limit) {
        Err(error) if error.kind() == ErrorKind::IsADirectory => Err(io::Error::other(Unreadable::Directory)),
        read => read.map(|(bytes, _)| bytes),
    }
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
