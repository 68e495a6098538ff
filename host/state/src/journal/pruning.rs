//! Removes old records. The caller must hold the journal's lock.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom};
use std::path::Path;

use jiff::Timestamp;
use serde::Deserialize;

use super::rotation;
use crate::dir::found;
use crate::lock::{beside, open_ours};

/// The field that every record of ours has.
#[derive(Deserialize)]
struct Timed {
    #[serde(deserialize_with = "dmplz_core::stats::stamp::deserialize")]
    timestamp: Timestamp,
}

/// Removes the records from before a time, beginning with the oldest, up to the first younger one. A line without a
/// readable time is removed with the line after it. Returns the number of removed lines.
pub(super) fn prune(path: &Path, before: Timestamp) -> io::Result<usize> {
    let mut files = rotation::rotated(path)?;
    files.reverse();
    files.push(path.to_owned());
    let mut lines = 0;
    for path in files {
        let Some(mut file) = found(File::open(&path))? else { continue };
        let old = old(&mut file, before)?;
        lines += old.lines;
        if old.bytes == 0 || !old.is_all {
            if old.bytes > 0 {
                cut(&path, file, old.bytes)?;
            }
            return Ok(lines);
        }
        fs::remove_file(&path)?;
    }
    Ok(lines)
}

/// The old records at the beginning of a file.
#[derive(Default)]
struct Old {
    bytes: u64,
    lines: usize,
    /// Whether the file holds nothing else.
    is_all: bool,
}

fn old(file: &mut File, before: Timestamp) -> io::Result<Old> {
    let mut reader = BufReader::new(file);
    let (mut old, mut at, mut lines, mut line) = (Old::default(), 0, 0, Vec::new());
    loop {
        line.clear();
        let length = reader.read_until(b'\n', &mut line)?;
        if length == 0 {
            return Ok(Old { is_all: old.bytes == at, ..old });
        }
        at += length as u64;
        lines += 1;
        match serde_json::from_slice::<Timed>(&line) {
            Ok(Timed { timestamp }) if timestamp < before => old = Old { bytes: at, lines, is_all: false },
            Ok(_) => return Ok(old),
            Err(_) => {}
        }
    }
}

/// Replaces a file by its content after the first `bytes` bytes.
fn cut(path: &Path, mut file: File, bytes: u64) -> io::Result<()> {
    let new = beside(path, "pruning");
    let mut rest = open_ours(OpenOptions::new().write(true).create(true).truncate(true), &new)?;
    file.seek(SeekFrom::Start(bytes))?;
    let put = io::copy(&mut file, &mut rest).and_then(|_| fs::rename(&new, path));
    if put.is_err() {
        let _ = fs::remove_file(&new);
    }
    put
}
