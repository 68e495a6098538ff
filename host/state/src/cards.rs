//! Cards that are open, and cards that ended lately: so that a later process can finish what a dead one left, and a
//! late press is answered, once.
//!
//! ```text
//! cards/lock                               held while cards are opened, looked through, claimed or ended
//! cards/open/<session>-<request>.json      the record, locked by the card's owner as long as the owner lives
//!                               .answered  there once somebody saw that the request was answered elsewhere
//! cards/ended/<account>/<time>-<tag>.json  records of ended cards
//! ```
//!
//! `<session>`, `<request>` and `<tag>` are digests, since what they stand for comes from outside. Few cards are open at a
//! time, so to learn that a session has none costs one look into a directory that is usually empty. (A directory for
//! each session would cost more: to remove one takes ext4 milliseconds.)
//!
//! A record is a file that only grows: each change adds the whole record as a line, and the last whole line counts. So
//! a process may be killed at any point, a reader needs no lock, and a change costs one `write`; replacing the file
//! instead makes ext4 write to the disk, which takes milliseconds. And as the file is never replaced, it can carry the
//! lock that says whether its owner lives: the card is **alive** while it is held, and an **orphan** otherwise.
//!
//! `cards/lock` orders everything that makes, moves, removes or takes files, so nobody sees a card half made, and an
//! orphan is claimed exactly once. An owner changes its record without it.

mod ended;
mod open;
mod record;

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use open::{AliveCard, OpenCard};
pub use record::{CardRecord, CorruptCard, Stage};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::lock::{Lock, LockError};
use crate::{AccountKey, StateDir, dir};
use open::Place;
use record::WriteError;

/// How long `cards/lock` is waited for. It is held for less than a millisecond.
const GATE_WAIT: Duration = Duration::from_secs(2);

/// The cards of all sessions and accounts.
#[derive(Debug, Clone)]
pub struct Cards {
    dir: PathBuf,
}

/// An open card that was found.
#[derive(Debug)]
pub enum Found<T> {
    /// Its owner lives and will end it.
    Alive(AliveCard<T>),
    /// Its owner is gone. It is ours now, and nobody else's, until the handle is dropped.
    Orphan(OpenCard<T>),
    /// Nobody can read it. It was removed.
    Corrupt(CorruptCard),
}

/// Why cards could not be kept or found.
#[derive(Debug, thiserror::Error)]
pub enum CardsError {
    /// A living process has a card for this request.
    #[error("request {0} has a card already")]
    AlreadyOpen(String),
    /// The record is no JSON.
    #[error("a card record cannot be written as JSON")]
    Encode(#[source] serde_json::Error),
    /// The files cannot be used.
    #[error("the card records in {path} cannot be used")]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl Cards {
    /// The cards in a state directory. Touches nothing yet.
    pub fn new(state: &StateDir) -> Self {
        Self { dir: state.path().join("cards") }
    }

    /// Records a card before it is posted, and owns it. What a dead owner left for the same request is replaced.
    pub fn open_card<T: Serialize>(&self, record: CardRecord<T>) -> Result<OpenCard<T>, CardsError> {
        let place = Place::new(&self.open_dir(), &record.session_id, &record.request_id);
        let _gate = match self.gate() {
            Err(CardsError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                self.make(&self.open_dir())?;
                self.gate()?
            }
            gate => gate?,
        };
        let Some(file) = place.claim().map_err(|source| self.io(source))? else {
            return Err(CardsError::AlreadyOpen(record.request_id));
        };
        drop(fs::remove_file(place.answered()));
        OpenCard::open(self.clone(), place, file, record)
    }

    /// The open cards of a session. A look into one directory where there are none.
    pub fn of_session<T: DeserializeOwned>(&self, session_id: &str) -> Result<Vec<Found<T>>, CardsError> {
        self.look_through(&Place::prefix(session_id), |_| true)
    }

    /// How many cards are open, of all sessions and accounts, whose owners live.
    pub fn alive(&self) -> Result<usize, CardsError> {
        let found = self.look_through::<serde::de::IgnoredAny>("", |_| false)?;
        Ok(found.iter().filter(|found| matches!(found, Found::Alive(_))).count())
    }

    /// Claims the cards of an account whose owners are gone. Those that nobody can read are found too.
    pub fn orphans<T: DeserializeOwned>(&self, account: &AccountKey) -> Result<Vec<Found<T>>, CardsError> {
        let mut orphans = self.look_through("", |record| record.account == *account)?;
        orphans.retain(|found| !matches!(found, Found::Alive(_)));
        Ok(orphans)
    }

    /// Looks at every card whose file's name begins so, and claims those orphans that are wanted.
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
                (None, Some(Ok(record))) => found.push(Found::Alive(AliveCard::new(self.clone(), place, record))),
                (Some(file), Some(Ok(record))) if wanted(&record) => {
                    found.push(Found::Orphan(OpenCard::claimed(self.clone(), place, file, record)));
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

    fn write<T: Serialize>(&self, file: &File, record: &CardRecord<T>) -> Result<(), CardsError> {
        record::write(file, record).map_err(|error| match error {
            WriteError::Encode(source) => CardsError::Encode(source),
            WriteError::Io(source) => self.io(source),
        })
    }

    fn open_dir(&self) -> PathBuf {
        self.dir.join("open")
    }

    fn gate(&self) -> Result<Lock, CardsError> {
        Lock::take(&self.dir.join("lock"), GATE_WAIT).map_err(|error| match error {
            LockError::Busy => self.io(io::Error::new(io::ErrorKind::TimedOut, "their lock was not free in time")),
            LockError::Io(source) => self.io(source),
        })
    }

    fn make(&self, path: &Path) -> Result<(), CardsError> {
        dir::make(path).map_err(|source| self.io(source))
    }

    fn io(&self, source: io::Error) -> CardsError {
        CardsError::Io { path: self.dir.clone(), source }
    }
}

#[cfg(test)]
mod tests;
