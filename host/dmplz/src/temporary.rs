//! Temporary files: a file that is written at once and whole, and their errors.

use std::io::{self, Write};
use std::path::Path;

/// Writes a file at once and whole, for its owner only: a temporary file is made with mode 0600, and takes the place of the other.
pub(crate) fn replace(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("/"));
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(without_name)?;
    file.write_all(text.as_bytes()).map_err(without_name)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
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
        let error = without_name(tempfile::NamedTempFile::new_in("/nonexistent").unwrap_err());
        assert_eq!(error.to_string(), "No such file or directory (os error 2)");
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        assert_eq!(without_name(io::Error::other("disk full")).to_string(), "disk full");
    }
}
