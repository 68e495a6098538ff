//! Locks between processes that are held for a moment, and waited for with a time limit.
//!
//! A lock is an exclusive `flock` on a file that is never renamed or removed. The file is opened close-on-exec (as
//! `std` opens everything), so no child process keeps a lock alive.

use std::fs::{File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use fs4::{FileExt, TryLockError};
use rustix::fs::OFlags;

const MODE: u32 = 0o600;

/// A lock, which is held until this is dropped.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

/// Why a file of the state directory cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// Other processes held the file's lock the whole time.
    #[error("{0} cannot be locked: others kept it locked all the time")]
    Busy(PathBuf),
    /// The system refused.
    #[error("{path} cannot be used")]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

impl Lock {
    /// Acquires the lock, waiting at most `wait`. `None` if another process held it the whole time.
    ///
    /// No system call waits for a lock with a time limit. If the lock is not free at once, a thread waits without a
    /// limit. If it acquires the lock too late, nobody receives it, and the lock is released.
    pub(crate) fn take(path: &Path, wait: Duration) -> io::Result<Option<Self>> {
        let file = open_ours(OpenOptions::new().read(true).write(true).create(true), path)?;
        if try_exclusive(&file)? {
            return Ok(Some(Self { _file: file }));
        }
        let (sender, receiver) = mpsc::channel();
        in_background(move || {
            let taken = uninterrupted(|| FileExt::lock(&file)).map(|()| Self { _file: file });
            // After the time limit nobody receives the message, and the lock is released with it.
            drop(sender.send(taken));
        })?;
        receiver.recv_timeout(wait).ok().transpose()
    }

    /// Acquires the lock of a file, which is another file beside it.
    pub(crate) fn beside(file: &Path, wait: Duration) -> Result<Self, FileError> {
        let taken = Self::take(&beside(file, "lock"), wait);
        let taken = taken.map_err(|source| FileError::Io { path: file.to_owned(), source })?;
        taken.ok_or_else(|| FileError::Busy(file.to_owned()))
    }
}

/// Returns the path with something behind the whole name of the file.
pub(crate) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    name.into()
}

/// Opens a file, and makes it readable by this user only. Only plain files are accepted, and no symbolic links, so that
/// nobody who can guess a name can make us write elsewhere.
pub(crate) fn open_ours(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    // `NONBLOCK` has no effect on a plain file, and keeps the opening of a named pipe from waiting.
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    let file = options.mode(MODE).custom_flags(flags).open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a plain file"));
    }
    if metadata.mode() & 0o077 != 0 {
        file.set_permissions(Permissions::from_mode(MODE))?;
    }
    Ok(file)
}

/// Locks the file exclusively if it is free. Returns whether it did.
pub(crate) fn try_exclusive(file: &File) -> io::Result<bool> {
    free(FileExt::try_lock(file))
}

/// Takes a shared lock if nobody holds the file exclusively. Returns whether it did.
pub(crate) fn try_shared(file: &File) -> io::Result<bool> {
    free(FileExt::try_lock_shared(file))
}

/// Waits until nobody holds the file exclusively, and takes a shared lock.
pub(crate) fn wait_shared(file: &File) -> io::Result<()> {
    uninterrupted(|| FileExt::lock_shared(file))
}

/// Runs work that may wait for long on a thread that never keeps the process alive.
pub(crate) fn in_background(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    const STACK_BYTES: usize = 128 * 1024;
    thread::Builder::new().name("waits-for-a-lock".to_owned()).stack_size(STACK_BYTES).spawn(work).map(drop)
}

fn free(result: Result<(), TryLockError>) -> io::Result<bool> {
    match result {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

fn uninterrupted(mut call: impl FnMut() -> io::Result<()>) -> io::Result<()> {
    loop {
        match call() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    const LONG: Duration = Duration::from_secs(20);

    #[test]
    fn a_lock_that_is_held_is_given_up_after_the_limit_and_got_later() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("lock");
        let held = Lock::take(&path, LONG).unwrap().unwrap();
        assert!(matches!(Lock::take(&path, Duration::from_millis(5)), Ok(None)));
        drop(held);
        // The thread that was given up may hold the lock for an instant, but not longer.
        Lock::take(&path, LONG).unwrap().unwrap();
    }

    #[test]
    fn a_lock_passes_on_to_whoever_waits() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("lock");
        let held = Lock::take(&path, LONG).unwrap().unwrap();
        let waiter = thread::spawn({
            let path = path.clone();
            move || Lock::take(&path, LONG).unwrap().map(|_| Instant::now())
        });
        let freed = Instant::now();
        drop(held);
        assert!(waiter.join().unwrap().unwrap() >= freed);
    }

    #[test]
    fn links_directories_and_pipes_are_no_locks() {
        let temp = tempfile::tempdir().unwrap();
        let link = temp.path().join("link");
        std::os::unix::fs::symlink("elsewhere", &link).unwrap();
        let pipe = temp.path().join("pipe");
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
        for path in [link.as_path(), temp.path(), &pipe] {
            assert!(Lock::take(path, LONG).is_err(), "{}", path.display());
        }
        assert!(!temp.path().join("elsewhere").exists());
    }
}
