//! Open cards, and cards that ended recently. They let a later process finish the cards of a dead one, and answer a
//! late press once.
//!
//! ```text
//! cards/lock                               held while cards are opened, listed, claimed or ended
//! cards/open/<session>-<request>.json      the record, locked by the card's owner while the owner lives
//!                               .answered  exists once a process saw that the request was answered elsewhere
//! cards/ended/<account>/<time>-<tag>.json  records of ended cards
//! ```
//!
//! `<session>`, `<request>` and `<tag>` are digests, because the names come from outside. Few cards are open at a time,
//! so one look into a usually empty directory shows that a session has none. (A directory per session would cost more:
//! ext4 takes milliseconds to remove one.)
//!
//! A record's file only grows: each change appends the whole record as a line, and the last complete line counts. A
//! process may therefore be killed at any point, a reader needs no lock, and a change costs one `write`. Replacing the
//! file would make ext4 write to the disk, which takes milliseconds. Because the file is never replaced, it also
//! carries the lock that shows whether its owner lives: the card is **alive** while the lock is held, and an **orphan**
//! otherwise.
//!
//! `cards/lock` orders every operation that creates, moves, removes or claims files. Nobody sees a half-made card, and
//! an orphan is claimed exactly once. An owner changes its record without this lock.

mod ended;
mod open;
mod record;

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

pub use open::{AliveCard, OpenCard};
pub use record::{CardRecord, CorruptCard, Stage};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::lock::Lock;
use crate::{AccountKey, StateDir, dir};
use open::Place;

/// How long to wait for `cards/lock`. It is held for less than a millisecond.
const GATE_WAIT: Duration = Duration::from_secs(2);

/// The cards of all sessions and accounts.
#[derive(Debug, Clone)]
pub struct Cards {
    dir: PathBuf,
}

/// An open card that was found.
#[derive(Debug)]
pub enum Found<T> {
    /// The owner lives and will end the card.
    Alive(AliveCard<T>),
    /// The owner is gone. This process owns the card now, until the handle is dropped.
    Orphan(OpenCard<T>),
    /// The record is unreadable. It was removed.
    Corrupt(CorruptCard),
}

/// Why cards could not be stored or found.
#[derive(Debug, thiserror::Error)]
pub enum CardsError {
    /// A living process has a card for this request.
    #[error("request {0} has a card already")]
    AlreadyOpen(String),
    /// The record cannot be written as JSON.
    #[error("a card record cannot be written as JSON")]
    Encode(#[source] serde_json::Error),
    /// The files cannot be used.
    #[error("the card records in {path} cannot be used")]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

impl Cards {
    /// Opens the cards of a state directory. No file is touched yet.
    pub fn new(state: &StateDir) -> Self {
        Self { dir: state.path().join("cards") }
    }

    /// Records a card before it is posted, and owns it. Replaces what a dead owner left for the same request.
    pub fn open_card<T: Serialize>(&self, record: CardRecord<T>) -> Result<OpenCard<T>, CardsError> {
        let open = self.open_dir();
        let place = Place::new(&open, &record.session_id, &record.request_id);
        let _gate = dir::within(&open, || self.lock()).map_err(|source| self.io(source))?;
        let Some(file) = place.claim().map_err(|source| self.io(source))? else {
            return Err(CardsError::AlreadyOpen(record.request_id));
        };
        drop(fs::remove_file(place.answered()));
        let card = OpenCard { cards: self.clone(), place, record, file };
        self.write(&card.file, &card.record).inspect_err(|_| card.place.remove())?;
        Ok(card)
    }

    /// Returns the open cards of a session. Without any, this costs one look into a directory.
    pub fn of_session<T: DeserializeOwned>(&self, session_id: &str) -> Result<Vec<Found<T>>, CardsError> {
        self.look_through(&Place::prefix(session_id), |_| true)
    }

    /// Returns how many cards are open, of all sessions and accounts, whose owners live.
    pub fn alive(&self) -> Result<usize, CardsError> {
        let found = self.look_through::<serde::de::IgnoredAny>("", |_| false)?;
        Ok(found.iter().filter(|found| matches!(found, Found::Alive(_))).count())
    }

    /// Claims the cards of an account whose owners are gone. Unreadable records are returned too.
    pub fn orphans<T: DeserializeOwned>(&self, account: &AccountKey) -> Result<Vec<Found<T>>, CardsError> {
        let mut orphans = self.look_through("", |record| record.account == *account)?;
        orphans.retain(|found| !matches!(found, Found::Alive(_)));
        Ok(orphans)
    }

    /// Visits every card whose file name begins with `prefix`, and claims the orphans for which `wanted` is true.
    fn look_through<T: DeserializeOwned>(
        &self,
        prefix: &str,
        wanted: impl Fn(&CardRecord<T>) -> bool,
    ) -> Result<Vec<Found<T>>, CardsError> {
        let places = || Place::all(&self.open_dir(), prefix).map_err(|source| self.io(source));
        let mut found = Vec::new();
        if places()?.is_empty() {
            return Ok(found);
        }
        let _gate = self.gate()?;
        for place in places()? {
            let file = place.claim().map_err(|source| self.io(source))?;
            let record = record::read(&place.record()).map_err(|source| self.io(source))?;
            match (file, record) {
                (None, Some(Ok(record))) => {
                    found.push(Found::Alive(AliveCard { cards: self.clone(), place, record }));
                }
                (Some(file), Some(Ok(record))) if wanted(&record) => {
                    found.push(Found::Orphan(OpenCard { cards: self.clone(), place, record, file }));
                }
                (Some(_), Some(Err(corrupt))) => {
                    place.remove();
                    found.push(Found::Corrupt(corrupt));
                }
                // A process died before it wrote the record.
                (Some(_), None) => place.remove(),
                _ => {}
            }
        }
        Ok(found)
    }

    /// Appends the record's present state to its file.
    fn write<T: Serialize>(&self, mut file: &File, record: &CardRecord<T>) -> Result<(), CardsError> {
        let line = record::line(record).map_err(CardsError::Encode)?;
        file.write_all(&line).map_err(|source| self.io(source))
    }

    fn open_dir(&self) -> PathBuf {
        self.dir.join("open")
    }

    fn gate(&self) -> Result<Lock, CardsError> {
        self.lock().map_err(|source| self.io(source))
    }

    fn lock(&self) -> io::Result<Lock> {
        let taken = Lock::take(&self.dir.join("lock"), GATE_WAIT)?;
        taken.ok_or_else(|| io::Error::new(io::ErrorKind::TimedOut, "their lock was not free in time"))
    }

    fn io(&self, source: io::Error) -> CardsError {
        CardsError::Io { path: self.dir.clone(), source }
    }
}

#[cfg(test)]
mod tests;
