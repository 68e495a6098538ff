//! Replaces files whole: a process that is killed meanwhile leaves the old content or the new one, never a part.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::lock::{beside, open_ours};

/// Replaces a file by one that only this user can read. A power cut, too, leaves the old content or the new one: it is on
/// disk when this returns.
///
/// # Errors
/// Fails if it cannot be written; the file is then as before.
pub fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let (new, file) = written(path, content)?;
    file.sync_all()?;
    fs::rename(new, path)?;
    path.parent().map_or(Ok(()), |folder| File::open(folder)?.sync_all())
}

/// Replaces a file that is written often, and whose last content a power cut may take: the disk is not waited for.
///
/// # Errors
/// As [`replace`].
pub fn replace_soon(path: &Path, content: &[u8]) -> io::Result<()> {
    let (new, _) = written(path, content)?;
    fs::rename(new, path)
}

/// Writes the content beside the file.
fn written(path: &Path, content: &[u8]) -> io::Result<(PathBuf, File)> {
    let new = beside(path, "new");
    let mut file = open_ours(OpenOptions::new().write(true).create(true).truncate(true), &new)?;
    file.write_all(content)?;
    Ok((new, file))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_for_this_user_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list.json");
        for write in [replace, replace_soon] {
            for content in ["a long content", "short"] {
                write(&path, content.as_bytes()).unwrap();
                assert_eq!(fs::read_to_string(&path).unwrap(), content);
            }
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_cannot_be_written_leaves_the_file_and_no_link_is_followed() {
        let folder = tempfile::tempdir().unwrap();
        let (path, elsewhere) = (folder.path().join("list.json"), folder.path().join("elsewhere"));
        replace(&path, b"old").unwrap();
        fs::write(&elsewhere, "theirs").unwrap();
        symlink(&elsewhere, beside(&path, "new")).unwrap();
        assert!(replace(&path, b"new").is_err() && replace_soon(&path, b"new").is_err());
        assert_eq!([&path, &elsewhere].map(|path| fs::read_to_string(path).unwrap()), ["old", "theirs"]);
    }
}
