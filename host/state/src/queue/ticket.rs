//! One place in the queue.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak, mpsc};
use std::time::Instant;

use super::{GATEWAY, QueueError, gate, numbers, place};
use crate::dir::found;
use crate::lock;

/// A place in a queue, kept until this is dropped or its process ends.
#[derive(Debug)]
pub struct Ticket {
    // An `Arc`, so that a waiting thread can notice that its ticket is gone.
    place: Arc<Place>,
    _alive: File,
}

#[derive(Debug)]
struct Place {
    dir: PathBuf,
    number: u64,
    /// Once true, it stays true: new places are added at the end.
    first: AtomicBool,
}

impl Ticket {
    pub(super) fn new(dir: PathBuf, number: u64, alive: File, first: bool) -> Self {
        Self { place: Arc::new(Place { dir, number, first: AtomicBool::new(first) }), _alive: alive }
    }

    /// Returns how many living places are before this one.
    pub fn position(&self) -> Result<usize, QueueError> {
        if self.place.first.load(Ordering::Relaxed) {
            return Ok(0);
        }
        self.place.named(self.place.count_ahead())
    }

    /// Returns the process id of a living gateway with a place before this one. The gateway keeps that place while it
    /// runs.
    pub fn gateway_ahead(&self) -> Result<Option<u32>, QueueError> {
        self.place.named(self.place.gateway_ahead())
    }

    /// Returns whether this is the first place. Does not wait.
    pub fn try_first(&self) -> Result<bool, QueueError> {
        Ok(self.place.ahead()?.is_none())
    }

    /// Waits until this is the first place, at most until the deadline. After the deadline the place is still kept.
    pub fn wait(&self, deadline: Instant) -> Result<(), QueueError> {
        if self.try_first()? {
            return Ok(());
        }
        let (sender, receiver) = mpsc::channel();
        self.when_first(move |first| drop(sender.send(first)))?;
        let left = deadline.saturating_duration_since(Instant::now());
        receiver.recv_timeout(left).unwrap_or(Err(QueueError::Deadline))
    }

    /// Calls `then` from a new thread once this is the first place. Asynchronous programs await their turn with it.
    /// There is no deadline. If the ticket is dropped first, the callback is dropped without being called.
    pub fn when_first(&self, then: impl FnOnce(Result<(), QueueError>) + Send + 'static) -> Result<(), QueueError> {
        let place = Arc::downgrade(&self.place);
        self.place.named(lock::in_background(move || {
            if let Some(first) = wait_for_turn(&place) {
                then(first);
            }
        }))
    }
}

impl Drop for Ticket {
    /// Frees the place. This needs no lock on the directory: while the place is held nobody else removes it, and nobody
    /// can use its number again before it is gone. A file that cannot be removed is dead, and is removed later.
    fn drop(&mut self) {
        drop(fs::remove_file(place(&self.place.dir, self.place.number)));
    }
}

/// Waits until the place is first. `None` once the ticket is gone.
fn wait_for_turn(place: &Weak<Place>) -> Option<Result<(), QueueError>> {
    loop {
        let ahead = match place.upgrade()?.ahead() {
            Ok(Some(ahead)) => ahead,
            Ok(None) => return Some(Ok(())),
            Err(error) => return Some(Err(error)),
        };
        if let Err(error) = lock::wait_shared(&ahead) {
            let place = place.upgrade()?;
            return Some(place.named(Err(error)));
        }
    }
}

impl Place {
    /// Returns the file of the nearest living place before this one.
    fn ahead(&self) -> Result<Option<File>, QueueError> {
        if self.first.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let ahead = self.named(self.nearest_ahead())?;
        self.first.store(ahead.is_none(), Ordering::Relaxed);
        Ok(ahead)
    }

    fn nearest_ahead(&self) -> io::Result<Option<File>> {
        let _gate = gate(&self.dir)?;
        for number in self.numbers_ahead()?.rev() {
            if let Some(living) = living(&place(&self.dir, number))? {
                return Ok(Some(living));
            }
        }
        Ok(None)
    }

    fn count_ahead(&self) -> io::Result<usize> {
        let _gate = gate(&self.dir)?;
        let mut count = 0;
        for number in self.numbers_ahead()? {
            count += usize::from(living(&place(&self.dir, number))?.is_some());
        }
        Ok(count)
    }

    fn gateway_ahead(&self) -> io::Result<Option<u32>> {
        let _gate = gate(&self.dir)?;
        for number in self.numbers_ahead()? {
            let Some(mut file) = living(&place(&self.dir, number))? else { continue };
            let mut text = String::new();
            let read = Read::by_ref(&mut file).take(64).read_to_string(&mut text);
            let process = text.trim_end().strip_prefix(GATEWAY).and_then(|process| process.parse().ok());
            if let (Ok(_), Some(process)) = (read, process) {
                return Ok(Some(process));
            }
        }
        Ok(None)
    }

    fn numbers_ahead(&self) -> io::Result<impl DoubleEndedIterator<Item = u64>> {
        Ok(numbers(&self.dir)?.into_iter().filter(|number| *number < self.number))
    }

    fn named<T>(&self, result: io::Result<T>) -> Result<T, QueueError> {
        result.map_err(|source| QueueError::Io { dir: self.dir.clone(), source })
    }
}

/// Returns the file of a place if its owner lives. Removes a dead place; the caller must hold the directory's lock.
fn living(path: &Path) -> io::Result<Option<File>> {
    let Some(file) = found(File::open(path))? else { return Ok(None) };
    if !lock::try_shared(&file)? {
        return Ok(Some(file));
    }
    // The place has no owner. If it cannot be removed, it blocks nobody.
    drop(fs::remove_file(path));
    Ok(None)
}

#[cfg(test)]
impl Ticket {
    /// Ends like a killed process: the lock is released and the file stays.
    pub(super) fn die(self) {
        let path = place(&self.place.dir, self.place.number);
        let aside = path.with_extension("aside");
        fs::rename(&path, &aside).unwrap();
        drop(self);
        fs::rename(aside, path).unwrap();
    }
}
