//! New lines of files that grow, are rotated and are pruned meanwhile.

use std::collections::HashSet;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use dmplz_state::found;

use super::Source;
use super::entry::Entry;

/// How often the files are looked at.
const OFTEN: Duration = Duration::from_millis(250);

/// The end of one file.
#[derive(Debug)]
pub(super) struct Tail {
    path: PathBuf,
    file: Option<File>,
    /// The beginning of a line whose end is not written yet.
    begun: Vec<u8>,
    /// Lines that were shown and may be met again: of the first look, or in a file that pruning wrote anew.
    seen: HashSet<Vec<u8>>,
}

impl Tail {
    /// No file is touched yet.
    pub(super) fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), file: None, begun: Vec::new(), seen: HashSet::new() }
    }

    /// From now on every line is new, unless [`Tail::seen`] is told of it.
    pub(super) fn start(&mut self) {
        self.file = File::open(&self.path).ok().filter(|mut file| file.seek(SeekFrom::End(0)).is_ok());
    }

    /// A line was shown.
    pub(super) fn seen(&mut self, line: &[u8]) {
        self.seen.insert(line.to_vec());
    }

    /// The lines that are new since the last call.
    fn lines(&mut self) -> std::io::Result<Vec<Vec<u8>>> {
        let mut bytes = std::mem::take(&mut self.begun);
        if let Some(file) = &mut self.file {
            file.read_to_end(&mut bytes)?;
        }
        if self.is_replaced()
            && let Some(mut file) = found(File::open(&self.path))?
        {
            file.read_to_end(&mut bytes)?;
            self.file = Some(file);
        }
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        self.begun = bytes.split_off(whole);
        let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).map(<[u8]>::to_vec);
        Ok(lines.filter(|line| self.seen.insert(line.clone())).collect())
    }

    /// Whether the path leads to another file than the one that is read.
    fn is_replaced(&self) -> bool {
        let Ok(now) = std::fs::metadata(&self.path) else { return false };
        let read = self.file.as_ref().and_then(|file| file.metadata().ok());
        read.is_none_or(|read| (read.dev(), read.ino()) != (now.dev(), now.ino()))
    }
}

/// Tells of new lines until `tell` says that nobody reads them any more.
pub(super) fn follow(sources: &mut [Source], tell: impl Fn(&Entry) -> bool) -> anyhow::Result<()> {
    loop {
        for (read, _, tail) in &mut *sources {
            for line in tail.lines()? {
                if read(&line).is_some_and(|entry| !tell(&entry)) {
                    return Ok(());
                }
            }
        }
        std::thread::sleep(OFTEN);
    }
}

/// Writes on stdout; false once nobody reads it.
pub(super) fn write(text: &str) -> bool {
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn append(path: &Path, text: &str) {
        let mut file = File::options().create(true).append(true).open(path).unwrap();
        file.write_all(text.as_bytes()).unwrap();
    }

    fn new(tail: &mut Tail) -> Vec<String> {
        tail.lines().unwrap().into_iter().map(|line| String::from_utf8(line).unwrap()).collect()
    }

    #[test]
    fn lines_are_told_once_through_rotation_and_pruning() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log.jsonl");
        let mut tail = Tail::new(&path);
        tail.start();
        assert!(new(&mut tail).is_empty(), "there is no file yet");
        append(&path, "1\n2\nhalf");
        assert_eq!(new(&mut tail), ["1", "2"]);
        append(&path, " a line\n");
        assert_eq!(new(&mut tail), ["half a line"]);
        append(&path, "3\n");
        std::fs::rename(&path, dir.path().join("log.jsonl.1")).unwrap();
        append(&path, "4\n");
        assert_eq!(new(&mut tail), ["3", "4"], "rotated in between");
        std::fs::write(dir.path().join("new"), "4\n5\n").unwrap();
        std::fs::rename(dir.path().join("new"), &path).unwrap();
        assert_eq!(new(&mut tail), ["5"], "written anew by pruning");
    }

    #[test]
    fn what_was_there_before_is_not_told_again() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log.jsonl");
        append(&path, "1\n");
        let mut tail = Tail::new(&path);
        tail.start();
        append(&path, "2\n");
        tail.seen(b"1");
        tail.seen(b"2");
        append(&path, "3\n");
        assert_eq!(new(&mut tail), ["3"]);
    }
}
