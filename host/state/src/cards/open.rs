//! Handles of open cards: for the owner, and for other processes that look at the card.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::record::{CardRecord, Stage};
use super::{Cards, CardsError};
use crate::account::digest;
use crate::dir::found;
use crate::lock;

/// An open card that this process owns. Dropping it without [`OpenCard::end`] makes it an orphan, as if the process had
/// died. That is right for a card that could not be brought to its final state.
#[derive(Debug)]
pub struct OpenCard<T> {
    pub(super) cards: Cards,
    pub(super) place: Place,
    pub(super) record: CardRecord<T>,
    /// Locked, and open for appending.
    pub(super) file: File,
}

/// An open card of a living owner, in the state in which it was read.
#[derive(Debug)]
pub struct AliveCard<T> {
    pub(super) cards: Cards,
    pub(super) place: Place,
    pub(super) record: CardRecord<T>,
}

impl<T> OpenCard<T> {
    /// Returns the card's record.
    pub fn record(&self) -> &CardRecord<T> {
        &self.record
    }

    /// Returns the file that exists once another process saw that the request was answered elsewhere. Checking it costs
    /// one `stat`, so it can be polled a few times a second, also by a process that does not own the card.
    pub fn answered_marker(&self) -> PathBuf {
        self.place.answered()
    }
}

impl<T: Serialize> OpenCard<T> {
    /// Changes the record. If it cannot be written, the change stays in memory, and the next write includes it.
    pub fn update(&mut self, change: impl FnOnce(&mut CardRecord<T>)) -> Result<(), CardsError> {
        change(&mut self.record);
        self.cards.write(&self.file, &self.record)
    }

    /// Ends the card, which shows its final state already: moves its record to the ended ones, and removes those that
    /// are too old or too many. If that fails, the card stays as an orphan.
    pub fn end(mut self, now_ms: u64) -> Result<(), CardsError> {
        self.update(|record| {
            record.stage = Stage::Ended;
            record.ended_ms = Some(now_ms);
        })?;
        let _gate = self.cards.gate()?;
        self.cards.keep_ended(&self.place.record(), &self.record.account, &self.record.tag, now_ms)?;
        self.place.remove();
        Ok(())
    }
}

impl<T> AliveCard<T> {
    /// Returns the card's record.
    pub fn record(&self) -> &CardRecord<T> {
        &self.record
    }

    /// Tells the owner that the request was answered elsewhere. Returns whether the card was still open.
    pub fn mark_answered_elsewhere(&self) -> Result<bool, CardsError> {
        let _gate = self.cards.gate()?;
        if !self.place.record().exists() {
            return Ok(false);
        }
        let marker = lock::open_ours(OpenOptions::new().write(true).create(true), &self.place.answered());
        marker.map(|_| true).map_err(|source| self.cards.io(source))
    }
}

/// The paths of one open card's files.
#[derive(Debug)]
pub(super) struct Place {
    dir: PathBuf,
    /// The common part of the names: `<session>-<request>`.
    name: String,
}

impl Place {
    pub(super) fn new(dir: &Path, session_id: &str, request_id: &str) -> Self {
        Self { dir: dir.to_owned(), name: Self::prefix(session_id) + &digest(&[request_id]) }
    }

    /// Returns the prefix of the names of a session's cards.
    pub(super) fn prefix(session_id: &str) -> String {
        digest(&[session_id]) + "-"
    }

    /// Returns all places whose names begin with `prefix`; none if there is no directory.
    pub(super) fn all(dir: &Path, prefix: &str) -> io::Result<Vec<Self>> {
        let Some(entries) = found(fs::read_dir(dir))? else { return Ok(Vec::new()) };
        let mut names = BTreeSet::new();
        for entry in entries {
            let file = entry?.file_name();
            let name = file.to_str().and_then(|file| Some(file.split_once('.')?.0));
            names.extend(name.filter(|name| name.starts_with(prefix)).map(str::to_owned));
        }
        Ok(names.into_iter().map(|name| Self { dir: dir.to_owned(), name }).collect())
    }

    /// Opens and locks the record's file, creating it if needed. `None` if a living owner holds it. The caller must
    /// hold the gate, so that a lock taken for looking never makes a card seem alive to another process.
    pub(super) fn claim(&self) -> io::Result<Option<File>> {
        let file = lock::open_ours(OpenOptions::new().append(true).create(true), &self.record())?;
        Ok(lock::try_exclusive(&file)?.then_some(file))
    }

    /// Removes the card's files. Only the owner calls this, holding the gate.
    pub(super) fn remove(&self) {
        // A file that cannot be removed is found again as an orphan.
        drop(fs::remove_file(self.record()));
        drop(fs::remove_file(self.answered()));
    }

    pub(super) fn record(&self) -> PathBuf {
        self.dir.join(format!("{}.json", self.name))
    }

    pub(super) fn answered(&self) -> PathBuf {
        self.dir.join(format!("{}.answered", self.name))
    }
}
