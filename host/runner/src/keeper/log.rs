//! What went over a session's pipes, as frames in two files: the current one and the one before it. Places in it are counted in
//! bytes from the session's start.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use super::frame::{Kind, encode};

const CURRENT: &str = "log";
const OLD: &str = "log.old";

/// A log that is written.
#[derive(Debug)]
pub(super) struct Log {
    folder: PathBuf,
    current: Segment,
    old: Option<Segment>,
    most: u64,
    cut: bool,
}

#[derive(Debug)]
struct Segment {
    file: File,
    begin: u64,
    length: u64,
}

impl Log {
    /// A new log in a folder, whose files take `most` bytes each.
    pub(super) fn create(folder: &Path, most: u64) -> io::Result<Self> {
        let current = Segment::create(folder, 0)?;
        Ok(Self { folder: folder.to_owned(), current, old: None, most, cut: false })
    }

    /// Adds a frame.
    pub(super) fn append(&mut self, kind: Kind, bytes: &[u8]) -> io::Result<()> {
        let frame = encode(kind, bytes);
        if self.current.length > 0 && self.current.length.saturating_add(frame.len() as u64) > self.most {
            fs::rename(self.folder.join(CURRENT), self.folder.join(OLD))?;
            let next = Segment::create(&self.folder, self.end())?;
            self.cut |= self.old.is_some();
            self.old = Some(std::mem::replace(&mut self.current, next));
        }
        self.current.file.write_all_at(&frame, self.current.length)?;
        self.current.length += frame.len() as u64;
        Ok(())
    }

    /// Where the oldest frame that is kept begins.
    pub(super) fn begin(&self) -> u64 {
        self.old.as_ref().unwrap_or(&self.current).begin
    }

    /// Where the next frame will begin.
    pub(super) fn end(&self) -> u64 {
        self.current.begin + self.current.length
    }

    /// Whether older frames were dropped.
    pub(super) fn is_cut(&self) -> bool {
        self.cut
    }

    /// Reads what follows a place, as far as it fits and one file has it; nothing at the end. None where it was dropped.
    pub(super) fn read(&self, at: u64, into: &mut [u8]) -> io::Result<Option<usize>> {
        if at < self.begin() {
            return Ok(None);
        }
        let old = self.old.as_ref().filter(|old| at < old.begin + old.length);
        let segment = old.unwrap_or(&self.current);
        let within = at.saturating_sub(segment.begin);
        let left = usize::try_from(segment.length.saturating_sub(within)).unwrap_or(usize::MAX).min(into.len());
        segment.file.read_at(into.get_mut(..left).unwrap_or_default(), within).map(Some)
    }
}

impl Segment {
    fn create(folder: &Path, begin: u64) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(true).mode(0o600).open(folder.join(CURRENT))?;
        Ok(Self { file, begin, length: 0 })
    }
}

/// What the log of a session holds whose keeper is gone, and whether older frames are missing.
pub(super) fn read(folder: &Path) -> io::Result<(Vec<u8>, bool)> {
    let of = |name: &str| match fs::read(folder.join(name)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        bytes => bytes.map(Some),
    };
    let (old, current) = (of(OLD)?, of(CURRENT)?);
    let cut = old.is_some();
    Ok((old.into_iter().chain(current).flatten().collect(), cut))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(log: &Log) -> Vec<u8> {
        let (mut at, mut all) = (log.begin(), Vec::new());
        loop {
            let mut piece = [0; 7];
            match log.read(at, &mut piece).unwrap() {
                Some(0) => return all,
                Some(count) => {
                    all.extend_from_slice(&piece[..count]);
                    at += count as u64;
                }
                None => panic!("it is there"),
            }
        }
    }

    #[test]
    fn the_log_keeps_the_last_frames_whole() {
        let folder = tempfile::tempdir().unwrap();
        let mut log = Log::create(folder.path(), 20).unwrap();
        assert_eq!((all(&log), log.is_cut()), (Vec::new(), false));
        log.append(Kind::Stdout, b"one").unwrap();
        log.append(Kind::Stdin, b"two").unwrap();
        let first = [encode(Kind::Stdout, b"one"), encode(Kind::Stdin, b"two")].concat();
        assert_eq!((all(&log), log.is_cut()), (first.clone(), false));
        log.append(Kind::Stdout, b"three").unwrap();
        assert_eq!(all(&log), [first.clone(), encode(Kind::Stdout, b"three")].concat());
        log.append(Kind::Stdout, b"a frame longer than a file").unwrap();
        assert_eq!(
            all(&log),
            [encode(Kind::Stdout, b"three"), encode(Kind::Stdout, b"a frame longer than a file")].concat()
        );
        assert!(log.is_cut());
        assert_eq!(log.read(0, &mut [0; 4]).unwrap(), None, "it was dropped");
        assert_eq!(read(folder.path()).unwrap(), (all(&log), true));
    }
}
