//! Files that are written at once and whole: a temporary file beside the place is filled, and then put there.

use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use tempfile::NamedTempFile;

use crate::told::Tell;

/// Writes a file at once and whole, for its owner only: a temporary file is made with mode 0600, and takes the place of the other.
pub(crate) fn replace(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("/"));
    let mut file = NamedTempFile::new_in(folder).map_err(without_name)?;
    file.write_all(text.as_bytes()).map_err(without_name)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Writes a file at once and whole. `new` is the mode of one that is created, before the umask; `mode` is to be its mode whatever the
/// umask is.
pub(crate) fn put(path: &Path, text: &str, new: u32, mode: Option<u32>) -> anyhow::Result<()> {
    draft(path, text, new, mode)?.persist(path).map(drop).not_written(path)
}

/// Writes a whole file beside the place where it is put afterwards, with a mode as for [`put`].
pub(crate) fn draft(path: &Path, text: &str, new: u32, mode: Option<u32>) -> anyhow::Result<NamedTempFile> {
    let folder = path.parent().not_written(path)?;
    fs::create_dir_all(folder).not_written(path)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".dmplz-").permissions(Permissions::from_mode(mode.unwrap_or(new)));
    let mut file = builder.tempfile_in(folder).map_err(without_name).not_written(path)?;
    if let Some(mode) = mode {
        // The mode given at creation goes through the umask.
        file.as_file().set_permissions(Permissions::from_mode(mode)).not_written(path)?;
    }
    file.write_all(text.as_bytes()).and_then(|()| file.as_file().sync_all()).map_err(without_name).not_written(path)?;
    Ok(file)
}

/// Returns the error without the name of the temporary file, which `tempfile` adds and which no person chose.
pub(crate) fn without_name(error: io::Error) -> io::Error {
    match error.to_string().rsplit_once(" at path \"") {
        Some((of_the_system, _)) => io::Error::new(error.kind(), of_the_system),
        None => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_does_not_name_a_temporary_file() {
        let error = without_name(NamedTempFile::new_in("/nonexistent").unwrap_err());
        assert_eq!(error.to_string(), "No such file or directory (os error 2)");
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        assert_eq!(without_name(io::Error::other("disk full")).to_string(), "disk full");
    }
}
