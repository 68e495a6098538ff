//! The head of the audit trail, stored beside the database, so that a removed end is detected.
//!
//! The file holds one line, `SEQ:HASH`, of a fixed length, and is overwritten in place after each commit; a disk writes
//! that little completely or not at all. If a process is killed between the two writes, the file is behind the trail,
//! but never ahead.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::StoreError;
use super::head::Head;
use crate::dir::found;
use crate::lock::open_ours;

const FILE: &str = "audit.head";

/// The length of a hash in hex, and of the file, in bytes.
const HEX: usize = 64;
const LINE: usize = 20 + 1 + HEX + 1;

#[derive(Debug)]
pub(super) struct HeadFile {
    path: PathBuf,
    file: Option<File>,
    /// The last entry that the file is known to name.
    written: u64,
}

impl HeadFile {
    pub(super) fn new(dir: &Path) -> Self {
        Self { path: dir.join(FILE), file: None, written: 0 }
    }

    /// Returns the head in the file. `None` if there is no file, or if it is empty.
    pub(super) fn read(&self) -> Result<Option<Head>, StoreError> {
        let failed = |source| StoreError::Open { path: self.path.clone(), source: Arc::new(source) };
        let file = found(open_ours(OpenOptions::new().read(true), &self.path)).map_err(failed)?;
        let Some(file) = file else { return Ok(None) };
        // Another process may be writing. Two equal reads were not interrupted by a write.
        let mut before = line(&file).map_err(failed)?;
        loop {
            let now = line(&file).map_err(failed)?;
            if now == before {
                break;
            }
            before = now;
        }
        if before.is_empty() { Ok(None) } else { Ok(Some(before.trim_end().parse()?)) }
    }

    /// Writes the head. A failed write is no error: the file stays behind the trail, and the next write corrects that.
    pub(super) fn write(&mut self, head: &Head) {
        if self.file.is_none() {
            self.file = open_ours(OpenOptions::new().write(true).create(true), &self.path).ok();
        }
        let Head { seq, hash } = head;
        let line = format!("{seq:020}:{hash}\n");
        match self.file.as_ref().map(|file| file.write_all_at(line.as_bytes(), 0)) {
            Some(Ok(())) => self.written = *seq,
            _ => self.file = None,
        }
    }

    /// Returns the last entry that the file is known to name; 0 if none was written.
    pub(super) fn written(&self) -> u64 {
        self.written
    }
}

fn line(file: &File) -> std::io::Result<String> {
    let mut bytes = [0; LINE];
    let mut read = 0;
    while let Some(rest) = bytes.get_mut(read..).filter(|rest| !rest.is_empty()) {
        match file.read_at(rest, read as u64)? {
            0 => break,
            more => read += more,
        }
    }
    Ok(String::from_utf8_lossy(bytes.get(..read).unwrap_or_default()).into_owned())
}
