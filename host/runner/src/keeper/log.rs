//! The log of everything that went over a session's pipes, as frames in two files: the current one and the previous
//! one. A place in the log is a number of bytes from the session's start.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use super::frame::{Decoder, HEAD, Kind, encode};

const CURRENT: &str = "log";
const OLD: &str = "log.old";

/// The length in bytes of the first frame of a file, a [`Kind::Place`].
const PLACE: u64 = HEAD as u64 + 8;

/// An open log.
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
    /// Opens the log in a folder, whose files may have about `most` bytes each. An existing log is continued; an
    /// incomplete frame at its end is dropped. A crash or a full disk may have left the previous file alone, which is then
    /// gone on with, or without its end, and then it is of no use.
    pub(super) fn open(folder: &Path, most: u64) -> io::Result<Self> {
        let old = Segment::open(folder, OLD)?;
        let current = match Segment::open(folder, CURRENT)? {
            Some(current) => current,
            None => Segment::create(folder, old.as_ref().map_or(0, Segment::end))?,
        };
        let old = old.filter(|old| old.end() == current.begin);
        let cut = old.as_ref().unwrap_or(&current).begin > 0;
        Ok(Self { folder: folder.to_owned(), current, old, most, cut })
    }

    /// Adds a frame.
    pub(super) fn append(&mut self, kind: Kind, bytes: &[u8]) -> io::Result<()> {
        let frame = encode(kind, bytes);
        if self.current.length > PLACE && self.current.length.saturating_add(frame.len() as u64) > self.most {
            fs::rename(self.folder.join(CURRENT), self.folder.join(OLD))?;
            let next = Segment::create(&self.folder, self.end())?;
            self.cut |= self.old.is_some();
            self.old = Some(std::mem::replace(&mut self.current, next));
        }
        self.current.file.write_all_at(&frame, self.current.length)?;
        self.current.length += frame.len() as u64;
        Ok(())
    }

    /// Returns the place of the oldest frame.
    pub(super) fn begin(&self) -> u64 {
        self.old.as_ref().unwrap_or(&self.current).begin
    }

    /// Returns the place of the next frame.
    pub(super) fn end(&self) -> u64 {
        self.current.end()
    }

    /// Returns whether older frames were dropped.
    pub(super) fn is_cut(&self) -> bool {
        self.cut
    }

    /// Reads the bytes from a place on, as many as fit and are in one file; none at the end. Returns `None` if the
    /// place was dropped.
    pub(super) fn read(&self, at: u64, into: &mut [u8]) -> io::Result<Option<usize>> {
        if at < self.begin() {
            return Ok(None);
        }
        let old = self.old.as_ref().filter(|old| at < old.end());
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
        file.write_all_at(&encode(Kind::Place, &begin.to_le_bytes()), 0)?;
        Ok(Self { file, begin, length: PLACE })
    }

    /// Opens an existing file. Returns `None` if it does not exist, or does not begin with its place in the session.
    fn open(folder: &Path, name: &str) -> io::Result<Option<Self>> {
        let file = match OpenOptions::new().read(true).write(true).open(folder.join(name)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file?,
        };
        let end = file.metadata()?.len();
        let mut head = [0; HEAD];
        let mut length = 0;
        while length + HEAD as u64 <= end {
            file.read_exact_at(&mut head, length)?;
            let [_, size @ ..] = head;
            let next = length + HEAD as u64 + u64::from(u32::from_le_bytes(size));
            if next > end {
                break;
            }
            length = next;
        }
        file.set_len(length)?;
        let mut place = vec![0; usize::try_from(PLACE.min(length)).unwrap_or_default()];
        file.read_exact_at(&mut place, 0)?;
        Ok(begin(&place).map(|begin| Self { file, begin, length }))
    }

    /// Returns the place behind its last frame.
    fn end(&self) -> u64 {
        self.begin.saturating_add(self.length)
    }
}

/// Returns the place of a file that begins with these bytes.
fn begin(bytes: &[u8]) -> Option<u64> {
    let mut decoder = Decoder::default();
    decoder.feed(bytes.get(..usize::try_from(PLACE).ok()?)?);
    decoder.take_frame().ok()??.number()
}

/// Returns the log of a session whose keeper has ended, and whether older frames are missing.
pub(super) fn read(folder: &Path) -> io::Result<(Vec<u8>, bool)> {
    let of = |name: &str| match fs::read(folder.join(name)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        bytes => bytes.map(Some),
    };
    let (old, current) = (of(OLD)?, of(CURRENT)?);
    let had_old = old.is_some();
    let all: Vec<u8> = old.into_iter().chain(current).flatten().collect();
    let cut = begin(&all).map_or(had_old, |begin| begin > 0);
    Ok((all, cut))
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

    fn place(begin: u64) -> Vec<u8> {
        encode(Kind::Place, &begin.to_le_bytes())
    }

    #[test]
    fn the_log_keeps_the_last_frames_whole() {
        let folder = tempfile::tempdir().unwrap();
        let mut log = Log::open(folder.path(), 33).unwrap();
        assert_eq!((all(&log), log.is_cut()), (place(0), false));
        log.append(Kind::Stdout, b"one").unwrap();
        log.append(Kind::Stdin, b"two").unwrap();
        let first = [place(0), encode(Kind::Stdout, b"one"), encode(Kind::Stdin, b"two")].concat();
        assert_eq!((all(&log), log.is_cut()), (first.clone(), false));
        log.append(Kind::Stdout, b"three").unwrap();
        let second = [place(first.len() as u64), encode(Kind::Stdout, b"three")].concat();
        assert_eq!(all(&log), [first.clone(), second.clone()].concat());
        log.append(Kind::Stdout, b"a frame longer than a file").unwrap();
        let third = [place((first.len() + second.len()) as u64), encode(Kind::Stdout, b"a frame longer than a file")];
        assert_eq!(all(&log), [second, third.concat()].concat());
        assert!(log.is_cut());
        assert_eq!(log.read(0, &mut [0; 4]).unwrap(), None, "it was dropped");
        assert_eq!(read(folder.path()).unwrap(), (all(&log), true));
    }

    #[test]
    fn a_log_is_gone_on_with_behind_its_last_whole_frame() {
        let folder = tempfile::tempdir().unwrap();
        let mut log = Log::open(folder.path(), 100).unwrap();
        log.append(Kind::Stdout, b"one").unwrap();
        let before = all(&log);
        let end = log.end();
        let torn = encode(Kind::Stdout, b"torn");
        log.current.file.write_all_at(&torn[..torn.len() - 1], log.current.length).unwrap();
        drop(log);
        let mut log = Log::open(folder.path(), 100).unwrap();
        assert_eq!((all(&log), log.end(), log.is_cut()), (before.clone(), end, false));
        log.append(Kind::Begin, &1_u32.to_le_bytes()).unwrap();
        assert_eq!(all(&log), [before, encode(Kind::Begin, &1_u32.to_le_bytes())].concat());
        assert_eq!(read(folder.path()).unwrap(), (all(&log), false));
    }

    #[test]
    fn a_log_whose_next_file_was_not_begun_is_gone_on_with_behind_the_previous_one() {
        for next in [None, Some("")] {
            let folder = tempfile::tempdir().unwrap();
            let mut log = Log::open(folder.path(), 100).unwrap();
            log.append(Kind::Stdout, b"one").unwrap();
            let (before, end) = (all(&log), log.end());
            drop(log);
            fs::rename(folder.path().join(CURRENT), folder.path().join(OLD)).unwrap();
            next.into_iter().for_each(|content| fs::write(folder.path().join(CURRENT), content).unwrap());
            let mut log = Log::open(folder.path(), 100).unwrap();
            log.append(Kind::Stdout, b"two").unwrap();
            assert_eq!(all(&log), [before, place(end), encode(Kind::Stdout, b"two")].concat());
            assert!(!log.is_cut());
        }
    }

    #[test]
    fn a_log_whose_previous_file_has_lost_its_end_is_gone_on_with_without_it() {
        let folder = tempfile::tempdir().unwrap();
        let mut log = Log::open(folder.path(), 25).unwrap();
        log.append(Kind::Stdout, b"one").unwrap();
        let end = log.end();
        log.append(Kind::Stdout, b"two").unwrap();
        drop(log);
        let old = OpenOptions::new().write(true).open(folder.path().join(OLD)).unwrap();
        old.set_len(PLACE).unwrap();
        let log = Log::open(folder.path(), 25).unwrap();
        assert_eq!(all(&log), [place(end), encode(Kind::Stdout, b"two")].concat());
        assert!(log.is_cut());
    }
}
