//! Replacing a small file as a whole: whoever reads sees the old content or the new one.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::process;

use crate::dir;
use crate::lock::open_ours;

/// Writes the file (0600), and creates its directory where it is missing. One process writes a file at a time; each
/// caller's lock sees to that, so a temporary file of this name can only be our own, left by a failure.
///
/// Not flushed to the disk: after a power cut the file may be old or unreadable, which every reader has to bear anyway.
pub(crate) fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut temporary = path.to_owned().into_os_string();
    temporary.push(format!(".{}.tmp", process::id()));
    let temporary = Path::new(&temporary);
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    let mut file = match open_ours(&mut options, temporary) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            path.parent().map_or(Ok(()), dir::make)?;
            open_ours(&mut options, temporary)?
        }
        file => file?,
    };
    let written = file.write_all(content).and_then(|()| fs::rename(temporary, path));
    if written.is_err() {
        drop(fs::remove_file(temporary));
    }
    written
}

/// The file's content; nothing where there is no file.
pub(crate) fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        content => content.map(Some),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_as_a_whole_and_nothing_else_is_left() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("a/file");
        assert_eq!(read(&path).unwrap(), None);
        write(&path, b"a longer text").unwrap();
        write(&path, b"short").unwrap();
        assert_eq!(read(&path).unwrap().unwrap(), b"short");
        assert_eq!(fs::read_dir(temp.path().join("a")).unwrap().count(), 1);
    }

    #[test]
    fn a_failure_leaves_the_old_content_and_no_temporary_file() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("directory");
        fs::create_dir(&path).unwrap();
        assert!(write(&path, b"text").is_err());
        assert_eq!(fs::read_dir(temp.path()).unwrap().count(), 1);
        assert!(write(&temp.path().join("directory/../directory/a/../../none/\0"), b"text").is_err());
    }
}
