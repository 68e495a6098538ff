//! Events that wait for the gateway. A hook leaves them here if it cannot connect to the gateway.
//!
//! Each event is a file in `<state>/spool`, written completely or not at all. The gateway takes them in the order of
//! their names, which begin with the time, and removes each once it is stored elsewhere.

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::PathBuf;

use crate::StateDir;
use crate::dir::found;

/// The maximum number of waiting events. Leaving another one is an error, and that event is lost.
pub const SPOOLED: usize = 1_000;
/// The maximum size of an event that is read, in bytes.
const LONGEST: u64 = 4 << 20;

/// The events of one state directory.
#[derive(Debug, Clone)]
pub struct Spool {
    dir: PathBuf,
}

/// An event that waits.
#[derive(Debug)]
pub struct Spooled {
    path: PathBuf,
    /// The text of the event, or the error if the file cannot be read.
    pub text: io::Result<String>,
}

/// Why an event was not left.
#[derive(Debug, thiserror::Error)]
pub enum SpoolError {
    /// The maximum number of events waits already.
    #[error("{SPOOLED} events wait for the gateway already: start dmplz serve")]
    Full,
    /// The directory or the file cannot be written.
    #[error("the event cannot be kept for the gateway in {dir}")]
    Io {
        /// The directory of the events.
        dir: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

impl Spool {
    /// Returns the spool of a state directory.
    pub fn new(state: &StateDir) -> Self {
        Self { dir: state.path().join("spool") }
    }

    /// Leaves an event. `at_ms` is when it happened, in Unix milliseconds. `id` distinguishes events of the same time,
    /// and is part of the file's name: `[A-Za-z0-9-]`.
    pub fn leave(&self, at_ms: u64, id: &str, text: &str) -> Result<(), SpoolError> {
        let written = || -> io::Result<bool> {
            match fs::DirBuilder::new().mode(0o700).create(&self.dir) {
                Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
                _ => {}
            }
            if self.len()? >= SPOOLED {
                return Ok(false);
            }
            let (half, whole) = (self.dir.join(format!(".{id}")), self.dir.join(format!("{at_ms:020}-{id}.json")));
            let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&half)?;
            let left = file.write_all(text.as_bytes()).and_then(|()| file.sync_data());
            let left = left.and_then(|()| fs::rename(&half, whole));
            if left.is_err() {
                // On a full disk each event would leave one, which nobody takes.
                let _ = fs::remove_file(&half);
            }
            left.map(|()| true)
        };
        match written() {
            Ok(true) => Ok(()),
            Ok(false) => Err(SpoolError::Full),
            Err(source) => Err(SpoolError::Io { dir: self.dir.clone(), source }),
        }
    }

    /// Returns the number of waiting events.
    pub fn len(&self) -> io::Result<usize> {
        Ok(self.names()?.len())
    }

    /// Returns whether no event waits.
    pub fn is_empty(&self) -> io::Result<bool> {
        Ok(self.names()?.is_empty())
    }

    /// Returns the waiting events, oldest first.
    pub fn waiting(&self) -> io::Result<Vec<Spooled>> {
        let read = |path: PathBuf| {
            let length = fs::metadata(&path).map(|file| file.len());
            let text = match length {
                Ok(length) if length > LONGEST => Err(ErrorKind::FileTooLarge.into()),
                Ok(_) => fs::read_to_string(&path),
                Err(error) => Err(error),
            };
            Spooled { path, text }
        };
        Ok(self.names()?.into_iter().map(|name| read(self.dir.join(name))).collect())
    }

    fn names(&self) -> io::Result<Vec<String>> {
        let Some(entries) = found(fs::read_dir(&self.dir))? else { return Ok(Vec::new()) };
        let mut names = Vec::new();
        for entry in entries {
            let name = entry?.file_name();
            // Files that begin with a dot are still being written, or were when their process was killed.
            names.extend(
                name.to_str().filter(|name| !name.starts_with('.') && name.ends_with(".json")).map(str::to_owned),
            );
        }
        names.sort_unstable();
        Ok(names)
    }
}

impl Spooled {
    /// Removes the event, which is stored elsewhere or can never be read.
    pub fn remove(self) -> io::Result<()> {
        found(fs::remove_file(&self.path)).map(drop)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    #[test]
    fn events_come_back_in_the_order_of_their_times_and_unfinished_files_do_not() {
        let temp = tempfile::tempdir().unwrap();
        let spool = Spool::new(&StateDir::open(temp.path()).unwrap());
        assert!(spool.is_empty().unwrap());
        for (at, id) in [(20, "b"), (3, "a"), (20, "a")] {
            spool.leave(at, id, &format!("{at}{id}")).unwrap();
        }
        fs::write(temp.path().join("spool/.half"), "x").unwrap();
        let waiting = spool.waiting().unwrap();
        let texts: Vec<_> = waiting.iter().map(|event| event.text.as_ref().unwrap().as_str()).collect();
        assert_eq!(texts, ["3a", "20a", "20b"]);
        waiting.into_iter().for_each(|event| event.remove().unwrap());
        assert!(spool.is_empty().unwrap());
    }

    #[test]
    fn an_event_that_cannot_be_left_leaves_nothing() {
        let temp = tempfile::tempdir().unwrap();
        let (spool, dir) = (Spool::new(&StateDir::open(temp.path()).unwrap()), temp.path().join("spool"));
        let taken = dir.join(format!("{:020}-a.json", 1));
        fs::create_dir_all(&taken).unwrap();
        assert!(matches!(spool.leave(1, "a", "x"), Err(SpoolError::Io { .. })));
        let left: Vec<_> = fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert_eq!(left, [taken]);
    }

    #[test]
    fn one_event_too_many_is_an_error_that_says_what_to_do() {
        let temp = tempfile::tempdir().unwrap();
        let spool = Spool::new(&StateDir::open(temp.path()).unwrap());
        fs::create_dir(temp.path().join("spool")).unwrap();
        (0..SPOOLED).for_each(|at| fs::write(temp.path().join(format!("spool/{at}.json")), "").unwrap());
        let error = spool.leave(1, "a", "x").unwrap_err();
        assert_eq!(error.to_string(), "1000 events wait for the gateway already: start dmplz serve");
    }
}
