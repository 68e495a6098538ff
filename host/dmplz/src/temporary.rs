//! Errors of temporary files.

use std::io;

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
