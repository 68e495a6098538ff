//! Reads the lines of a journal.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Take};
use std::path::PathBuf;
use std::vec;

use crate::dir::found;

/// The lines of a journal without their terminators, the oldest first. A line may be no record: a crash may have cut
/// it.
#[derive(Debug)]
pub struct Lines {
    files: vec::IntoIter<BufReader<Take<File>>>,
    current: Option<BufReader<Take<File>>>,
}

impl Lines {
    pub(super) fn none() -> Self {
        Self { files: Vec::new().into_iter(), current: None }
    }

    /// Opens all files at once, at their present length: later appends and renames have no effect.
    pub(super) fn open(paths: Vec<PathBuf>) -> io::Result<Self> {
        let mut files = Vec::new();
        for path in paths {
            if let Some(file) = found(File::open(path))? {
                let length = file.metadata()?.len();
                files.push(BufReader::new(file.take(length)));
            }
        }
        Ok(Self { files: files.into_iter(), current: None })
    }
}

impl Iterator for Lines {
    type Item = io::Result<Vec<u8>>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let file = match &mut self.current {
                Some(file) => file,
                None => self.current.insert(self.files.next()?),
            };
            let mut line = Vec::new();
            match file.read_until(b'\n', &mut line) {
                Ok(0) => self.current = None,
                Ok(_) => {
                    line.pop_if(|last| *last == b'\n');
                    return Some(Ok(line));
                }
                Err(error) => {
                    // Gives up the rest of an unreadable file, so that the iterator ends.
                    self.current = None;
                    return Some(Err(error));
                }
            }
        }
    }
}
