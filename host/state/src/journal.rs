//! Records that are kept, one JSON object a line: seed 0, section 9.
//!
//! | file | what |
//! |---|---|
//! | `x.jsonl` | the newest records |
//! | `x.jsonl.1` ... `x.jsonl.N` | rotated files, `.1` the newest |
//! | `x.jsonl.lock` | held while a record is appended, files are rotated, or files are opened to be read |
//!
//! Before a record would make `x.jsonl` larger than the retention allows, the file becomes `.1`, what was `.1` becomes
//! `.2` and so on, and the oldest beyond the retention goes. So no file exceeds the limit, except by a single record
//! that is itself larger. A record is one `write` in append mode. A part of it that a full disk let through is cut off
//! again; one that a crash left stays as a line of its own, and the next record starts on a new line. Nothing is
//! flushed to the disk: a record outlives the process, not a power cut. Old records are removed from the oldest on; what is
//! left of a file is written anew and takes its place.

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
use crate::lock::{Lock, LockError, open_ours};

/// How much is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    /// Bytes that a file holds at most.
    pub rotate_bytes: u64,
    /// Rotated files that are kept besides the one that is written. With 0, what would be rotated is removed.
    pub max_files: u32,
}

/// A file of records, and the older files that it was rotated into.
#[derive(Debug, Clone)]
pub struct Journal {
    path: PathBuf,
    retention: Retention,
    lock_wait: Duration,
}

/// Why a journal could not be written or read. A decision never depends on it (seed 0, 11.1).
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// Others kept it locked all the time.
    #[error("{0} cannot be locked: others kept it locked all the time")]
    Busy(PathBuf),
    /// The record is no JSON.
    #[error("a record cannot be written as JSON")]
    Encode(#[source] serde_json::Error),
    /// The record was appended to a file that should have been rotated first.
    #[error("{path} has grown over its limit and cannot be set aside")]
    Rotate {
        /// The journal.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file cannot be used. A record is not in it.
    #[error("{path} cannot be used")]
    Io {
        /// The journal.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl Journal {
    /// The journal at a path. Touches nothing yet. Other processes are waited for at most `lock_wait` at each call.
    pub fn new(path: impl Into<PathBuf>, retention: Retention, lock_wait: Duration) -> Self {
        Self { path: path.into(), retention, lock_wait }
    }

    /// Where the newest records are.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a record, and creates the file (0600) and its directory (0700) where they are missing.
    pub fn append(&self, record: &impl Serialize) -> Result<(), JournalError> {
        let mut line = serde_json::to_vec(record).map_err(JournalError::Encode)?;
        line.push(b'\n');
        let _lock = match self.lock() {
            Err(LockError::Io(error)) if error.kind() == io::ErrorKind::NotFound => {
                self.make_parent()?;
                self.lock()
            }
            lock => lock,
        }
        .map_err(|error| self.lock_error(error))?;
        self.append_locked(&line)
    }

    /// Removes the records of before a moment. A record says when it was made in its field `timestamp`. Returns how many
    /// lines were removed.
    pub fn prune(&self, before: Timestamp) -> Result<usize, JournalError> {
        let _lock = match self.lock() {
            // No directory, no records.
            Err(LockError::Io(error)) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
            lock => lock.map_err(|error| self.lock_error(error))?,
        };
        pruning::prune(&self.path, before).map_err(|source| self.io(source))
    }

    /// All records, the oldest first, as they are when this is called. Records that come later are not seen, and a
    /// rotation meanwhile loses and doubles nothing.
    pub fn lines(&self) -> Result<Lines, JournalError> {
        let _lock = match self.lock() {
            // No directory, no records.
            Err(LockError::Io(error)) if error.kind() == io::ErrorKind::NotFound => return Ok(Lines::none()),
            lock => lock.map_err(|error| self.lock_error(error))?,
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
            // Where rotation fails the record still counts more than the limit.
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

    fn lock(&self) -> Result<Lock, LockError> {
        let mut path = self.path.clone().into_os_string();
        path.push(".lock");
        Lock::take(Path::new(&path), self.lock_wait)
    }

    fn make_parent(&self) -> Result<(), JournalError> {
        self.path.parent().map_or(Ok(()), dir::make).map_err(|source| self.io(source))
    }

    fn lock_error(&self, error: LockError) -> JournalError {
        match error {
            LockError::Busy => JournalError::Busy(self.path.clone()),
            LockError::Io(source) => self.io(source),
        }
    }

    fn io(&self, source: io::Error) -> JournalError {
        JournalError::Io { path: self.path.clone(), source }
    }
}

/// Whether the last line was never finished.
fn is_torn(file: &File, length: u64) -> io::Result<bool> {
    let mut last = [b'\n'];
    if let Some(offset) = length.checked_sub(1) {
        file.read_exact_at(&mut last, offset)?;
    }
    Ok(last != [b'\n'])
}

/// Writes all or nothing. When even the cut fails, the next record starts on a line of its own.
fn write_whole(file: &mut File, length: u64, line: &[u8]) -> io::Result<()> {
    let written = file.write_all(line);
    if written.is_err() {
        drop(file.set_len(length));
    }
    written
}

#[cfg(test)]
mod tests;
