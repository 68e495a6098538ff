//! Where a provider goes on receiving events: kept so that the next process neither misses a press nor sees it again.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::PathBuf;

use crate::lock::open_ours;
use crate::{AccountKey, StateDir, dir};

/// Bytes of a cursor at most, as in `wit/types.wit`.
pub const MAX_CURSOR: usize = 1024;

/// The kept cursor of one account. Only the first in the account's queue reads and writes it.
#[derive(Debug, Clone)]
pub struct Cursor {
    path: PathBuf,
}

/// Why a cursor was not kept or found. The events since the last one kept are then seen again.
#[derive(Debug, thiserror::Error)]
pub enum CursorError {
    /// The provider made it longer than the contract allows.
    #[error("a cursor of {0} bytes cannot be kept: at most {MAX_CURSOR} are allowed")]
    TooLong(usize),
    /// The file cannot be used.
    #[error("{path} cannot be used")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl Cursor {
    /// The cursor of an account. Touches nothing yet.
    pub fn new(state: &StateDir, account: &AccountKey) -> Self {
        Self { path: state.path().join("cursors").join(account.as_str()) }
    }

    /// The last cursor that was stored; empty, which means the very first time, where there is none that can be read.
    pub fn load(&self) -> Result<String, CursorError> {
        let content = match fs::read(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(String::new()),
            content => content.map_err(|source| self.io(source))?,
        };
        // Quoted as JSON, so that a file that was cut or filled with zeros is seen to be no cursor.
        let cursor = serde_json::from_slice::<String>(&content).ok();
        Ok(cursor.filter(|cursor| cursor.len() <= MAX_CURSOR).unwrap_or_default())
    }

    /// Keeps a cursor in place of the last one.
    pub fn store(&self, cursor: &str) -> Result<(), CursorError> {
        if cursor.len() > MAX_CURSOR {
            return Err(CursorError::TooLong(cursor.len()));
        }
        self.overwrite(cursor).map_err(|source| self.io(source))
    }

    /// One `write` over the old content, filled up with blanks to its length: a killed process leaves the old cursor or
    /// the new one. Replacing the file instead makes ext4 write to the disk, which takes milliseconds.
    fn overwrite(&self, cursor: &str) -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        let mut file = match open_ours(&mut options, &self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.path.parent().map_or(Ok(()), dir::make)?;
                open_ours(&mut options, &self.path)?
            }
            file => file?,
        };
        let mut content = serde_json::Value::from(cursor).to_string().into_bytes();
        let length = usize::try_from(file.metadata()?.len()).unwrap_or(usize::MAX);
        if length <= 8 * MAX_CURSOR {
            content.resize(content.len().max(length), b' ');
        } else {
            // Nothing that we wrote.
            file.set_len(0)?;
        }
        file.write_all(&content)
    }

    fn io(&self, source: io::Error) -> CursorError {
        CursorError::Io { path: self.path.clone(), source }
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
        assert!(matches!(cursor.store("x"), Err(CursorError::Io { .. })));
        assert!(matches!(cursor.load(), Err(CursorError::Io { .. })));
    }
}
