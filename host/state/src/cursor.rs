//! The cursor from which a provider receives events. It is stored so that the next process neither misses a press nor
//! sees it twice.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::PathBuf;

use crate::dir::{found, within};
use crate::lock::{FileError, open_ours};
use crate::{AccountKey, StateDir};

/// The longest cursor in bytes, as in `wit/types.wit`.
pub const MAX_CURSOR: usize = 1024;

/// The stored cursor of one account. Only the first in the account's queue reads and writes it.
#[derive(Debug, Clone)]
pub struct Cursor {
    path: PathBuf,
}

/// Why a cursor was not stored or found. The events since the last stored one are then received again.
#[derive(Debug, thiserror::Error)]
pub enum CursorError {
    /// The provider's cursor is longer than the contract allows.
    #[error("a cursor of {0} bytes cannot be kept: at most {MAX_CURSOR} are allowed")]
    TooLong(usize),
    /// The file cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
}

impl Cursor {
    /// Opens the cursor of an account. No file is touched yet.
    pub fn new(state: &StateDir, account: &AccountKey) -> Self {
        Self { path: state.path().join("cursors").join(account.as_str()) }
    }

    /// Returns the last cursor that was stored. Empty, which means the first time, if there is no readable one.
    pub fn load(&self) -> Result<String, CursorError> {
        let content = found(fs::read(&self.path)).map_err(|source| self.io(source))?;
        let Some(content) = content else { return Ok(String::new()) };
        // The cursor is quoted as JSON, so that a truncated or zero-filled file is recognised as invalid.
        let cursor = serde_json::from_slice::<String>(&content).ok();
        Ok(cursor.filter(|cursor| cursor.len() <= MAX_CURSOR).unwrap_or_default())
    }

    /// Stores a cursor in place of the last one.
    pub fn store(&self, cursor: &str) -> Result<(), CursorError> {
        if cursor.len() > MAX_CURSOR {
            return Err(CursorError::TooLong(cursor.len()));
        }
        self.overwrite(cursor).map_err(|source| self.io(source))
    }

    /// Overwrites the content in one `write`, padded with blanks to the old length: a killed process leaves the old or
    /// the new cursor. Replacing the file would make ext4 write to the disk, which takes milliseconds.
    fn overwrite(&self, cursor: &str) -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        let dir = self.path.parent().unwrap_or(&self.path);
        let mut file = within(dir, || open_ours(&mut options, &self.path))?;
        let mut content = serde_json::Value::from(cursor).to_string().into_bytes();
        let length = usize::try_from(file.metadata()?.len()).unwrap_or(usize::MAX);
        if length <= 8 * MAX_CURSOR {
            content.resize(content.len().max(length), b' ');
        } else {
            // The content was not written by this program.
            file.set_len(0)?;
        }
        file.write_all(&content)
    }

    fn io(&self, source: io::Error) -> CursorError {
        FileError::Io { path: self.path.clone(), source }.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cursor() -> (tempfile::TempDir, Cursor) {
        let temp = tempfile::tempdir().unwrap();
        let state = StateDir::open(temp.path().join("state")).unwrap();
        let cursor = Cursor::new(&state, &AccountKey::new("telegram", "", "token").unwrap());
        (temp, cursor)
    }

    #[test]
    fn what_was_stored_last_is_loaded() {
        let (_temp, cursor) = cursor();
        assert_eq!(cursor.load().unwrap(), "");
        for text in ["1", "{\"offset\": 12}\n\"…\"", "", &"x".repeat(MAX_CURSOR)] {
            cursor.store(text).unwrap();
            assert_eq!(cursor.load().unwrap(), text);
        }
    }

    #[test]
    fn a_cursor_that_is_too_long_is_refused_and_the_old_one_stays() {
        let (_temp, cursor) = cursor();
        cursor.store("old").unwrap();
        assert!(matches!(cursor.store(&"x".repeat(MAX_CURSOR + 1)), Err(CursorError::TooLong(1025))));
        assert_eq!(cursor.load().unwrap(), "old");
    }

    #[test]
    fn a_corrupt_file_is_as_good_as_none() {
        let (_temp, cursor) = cursor();
        cursor.store("old").unwrap();
        let too_long = format!("\"{}\"", "x".repeat(MAX_CURSOR + 1));
        for garbage in [&b""[..], b"\"cut", b"\0\0\0\0", b"\xff\xfe", b"12", too_long.as_bytes(), &[b' '; 9000]] {
            fs::write(&cursor.path, garbage).unwrap();
            assert_eq!(cursor.load().unwrap(), "");
        }
        cursor.store("new").unwrap();
        assert_eq!(cursor.load().unwrap(), "new");
    }

    #[test]
    fn a_file_that_cannot_be_used_is_an_error() {
        let (temp, cursor) = cursor();
        fs::write(temp.path().join("state/cursors"), "a file").unwrap();
        assert!(matches!(cursor.store("x"), Err(CursorError::File(FileError::Io { .. }))));
        assert!(matches!(cursor.load(), Err(CursorError::File(FileError::Io { .. }))));
    }
}
