//! Journals: append-only files of records, one JSON object per line.
//!
//! | file | content |
//! |---|---|
//! | `x.jsonl` | the newest records |
//! | `x.jsonl.1` ... `x.jsonl.N` | rotated files, `.1` the newest |
//! | `x.jsonl.lock` | held while a record is appended, files are rotated, or files are opened to be read |
//!
//! If a record would make `x.jsonl` larger than the limit, the file first becomes `.1`, the old `.1` becomes `.2` and
//! so on, and files beyond the retention are removed. No file exceeds the limit, unless a single record does. A record
//! is one `write` in append mode. A partial record on a full disk is cut off again; one that a crash left stays as a
//! line of its own, and the next record starts on a new line. Nothing is synced to the disk: a record survives the
//! process, but not a power cut. Pruning removes the oldest records; the rest of a file is written anew and replaces
//! it.

mod lines;
mod pruning;
mod rotation;

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
pub use lines::Lines;
use serde::Serialize;

use crate::dir;
use crate::lock::{FileError, Lock, open_ours};

/// How many records are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    /// The most bytes that a file holds.
    pub rotate_bytes: u64,
    /// How many rotated files are kept besides the current one. With 0, a full file is removed.
    pub max_files: u32,
}

/// A journal file, and the older files that it was rotated into.
#[derive(Debug, Clone)]
pub struct Journal {
    path: PathBuf,
    retention: Retention,
    lock_wait: Duration,
}

/// Why a journal could not be written or read. No decision depends on it.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The record cannot be written as JSON.
    #[error("a record cannot be written as JSON")]
    Encode(#[source] serde_json::Error),
    /// The record was appended, but its file should have been rotated first.
    #[error("{path} has grown over its limit and cannot be set aside")]
    Rotate {
        /// The journal.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The file cannot be used. The record was not written.
    #[error(transparent)]
    File(#[from] FileError),
}

impl Journal {
    /// Opens the journal at a path. No file is touched yet. Each call waits at most `lock_wait` for other processes.
    pub fn new(path: impl Into<PathBuf>, retention: Retention, lock_wait: Duration) -> Self {
        Self { path: path.into(), retention, lock_wait }
    }

    /// Returns the path of the newest records.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends a record. Creates the file (0600) and its directory (0700) if they are missing.
    pub fn append(&self, record: &impl Serialize) -> Result<(), JournalError> {
        let mut line = serde_json::to_vec(record).map_err(JournalError::Encode)?;
        line.push(b'\n');
        let _lock = match self.lock()? {
            Some(lock) => lock,
            None => {
                self.path.parent().map_or(Ok(()), dir::make).map_err(|source| self.io(source))?;
                Lock::beside(&self.path, self.lock_wait)?
            }
        };
        self.append_locked(&line)
    }

    /// Removes the records from before a time, which is in each record's field `timestamp`. Returns the number of
    /// removed lines.
    pub fn prune(&self, before: Timestamp) -> Result<usize, JournalError> {
        let Some(_lock) = self.lock()? else { return Ok(0) };
        pruning::prune(&self.path, before).map_err(|source| self.io(source))
    }

    /// Returns all records, the oldest first, as of this call. Later records are not included, and a rotation during
    /// the iteration neither loses nor repeats a record.
    pub fn lines(&self) -> Result<Lines, JournalError> {
        let _lock = match self.lock() {
            Ok(None) => return Ok(Lines::none()),
            // Where no lock can be made, no file is rotated either.
            Err(FileError::Io { source, .. }) if is_read_only(&source) => None,
            lock => lock?,
        };
        let mut paths = rotation::rotated(&self.path).map_err(|source| self.io(source))?;
        paths.reverse();
        paths.push(self.path.clone());
        Lines::open(paths).map_err(|source| self.io(source))
    }

    fn append_locked(&self, line: &[u8]) -> Result<(), JournalError> {
        let (mut file, mut length) = self.open()?;
        let mut torn = is_torn(&file, length).map_err(|source| self.io(source))?;
        let grown = length.saturating_add(u64::from(torn)).saturating_add(line.len() as u64);
        let mut rotated = Ok(());
        if length > 0 && grown > self.retention.rotate_bytes {
            // If rotation fails, the record is appended nevertheless: it is worth more than the limit.
            rotated = rotation::rotate(&self.path, self.retention.max_files);
            if rotated.is_ok() {
                (file, length) = self.open()?;
                torn = false;
            }
        }
        let written = if torn {
            write_whole(&mut file, length, &[b"\n", line].concat())
        } else {
            write_whole(&mut file, length, line)
        };
        written.map_err(|source| self.io(source))?;
        rotated.map_err(|source| JournalError::Rotate { path: self.path.clone(), source })
    }

    fn open(&self) -> Result<(File, u64), JournalError> {
        let open = || {
            let file = open_ours(OpenOptions::new().read(true).append(true).create(true), &self.path)?;
            let length = file.metadata()?.len();
            Ok((file, length))
        };
        open().map_err(|source| self.io(source))
    }

    /// Acquires the lock. `None` if the directory does not exist, so that there are no records.
    fn lock(&self) -> Result<Option<Lock>, FileError> {
        match Lock::beside(&self.path, self.lock_wait) {
            Err(FileError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => Ok(None),
            lock => lock.map(Some),
        }
    }

    fn io(&self, source: io::Error) -> JournalError {
        FileError::Io { path: self.path.clone(), source }.into()
    }
}

/// Returns whether the system says that nothing can be written there.
fn is_read_only(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem)
}

/// Returns whether the last line is incomplete.
fn is_torn(file: &File, length: u64) -> io::Result<bool> {
    let mut last = [b'\n'];
    if let Some(offset) = length.checked_sub(1) {
        file.read_exact_at(&mut last, offset)?;
    }
    Ok(last != [b'\n'])
}

/// Writes all of the line or nothing. If even the truncation fails, the next record starts on a line of its own.
fn write_whole(file: &mut File, length: u64, line: &[u8]) -> io::Result<()> {
    let written = file.write_all(line);
    if written.is_err() {
        drop(file.set_len(length));
    }
    written
}

#[cfg(test)]
mod tests;
