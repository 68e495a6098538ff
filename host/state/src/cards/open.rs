//! Handles of open cards: of the one who owns it, and of those who see that somebody else does.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::record::{CardRecord, Stage};
use super::{Cards, CardsError};
use crate::account::digest;
use crate::lock;

/// An open card that this process owns. Dropped without [`OpenCard::end`] it becomes an orphan, as when the process
/// dies: that is right where the card could not be brought to its final state.
#[derive(Debug)]
pub struct OpenCard<T> {
    cards: Cards,
    place: Place,
    record: CardRecord<T>,
    /// Locked, and open to append.
    file: File,
}

/// An open card of a living owner, as it was when it was looked at.
#[derive(Debug)]
pub struct AliveCard<T> {
    cards: Cards,
    place: Place,
    record: CardRecord<T>,
}

impl<T> OpenCard<T> {
    /// The card as it is recorded.
    pub fn record(&self) -> &CardRecord<T> {
        &self.record
    }

    /// The file that is there once another process saw that the request was answered elsewhere. One `stat`, to be asked
    /// a few times a second, also by somebody who does not hold the card.
    pub fn answered_marker(&self) -> PathBuf {
        self.place.answered()
    }

    pub(super) fn claimed(cards: Cards, place: Place, file: File, record: CardRecord<T>) -> Self {
        Self { cards, place, record, file }
    }
}

impl<T: Serialize> OpenCard<T> {
    /// Changes the record. When it cannot be written the change is kept in memory, so the next one writes it too.
    pub fn update(&mut self, change: impl FnOnce(&mut CardRecord<T>)) -> Result<(), CardsError> {
        change(&mut self.record);
        self.cards.write(&self.file, &self.record)
    }

    /// Ends the card, which shows its final state by now: moves its record to the ended ones, and removes those that
    /// are too old or too many. When that fails the card stays as an orphan.
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

    pub(super) fn open(cards: Cards, place: Place, file: File, record: CardRecord<T>) -> Result<Self, CardsError> {
        match cards.write(&file, &record) {
            Ok(()) => Ok(Self { cards, place, record, file }),
            Err(error) => {
                place.remove();
                Err(error)
            }
        }
    }
}

impl<T> AliveCard<T> {
    pub(super) fn new(cards: Cards, place: Place, record: CardRecord<T>) -> Self {
        Self { cards, place, record }
    }

    /// The card as it is recorded.
    pub fn record(&self) -> &CardRecord<T> {
        &self.record
    }

    /// Tells the owner that the request was answered elsewhere. Whether the card was still open to be told.
    pub fn mark_answered_elsewhere(&self) -> Result<bool, CardsError> {
        let _gate = self.cards.gate()?;
        if !self.place.record().exists() {
            return Ok(false);
        }
        let marker = lock::open_ours(OpenOptions::new().write(true).create(true), &self.place.answered());
        marker.map(|_| true).map_err(|source| self.cards.io(source))
    }
}

/// Where the files of one open card are.
#[derive(Debug)]
pub(super) struct Place {
    dir: PathBuf,
    /// `<session>-<request>`.
    name: String,
}

impl Place {
    pub(super) fn new(dir: &Path, session_id: &str, request_id: &str) -> Self {
        Self { dir: dir.to_owned(), name: Self::prefix(session_id) + &digest(&[request_id]) }
    }

    /// What the names of a session's cards begin with.
    pub(super) fn prefix(session_id: &str) -> String {
        digest(&[session_id]) + "-"
    }

    /// All places whose names begin so; none where there is no directory.
    pub(super) fn all(dir: &Path, prefix: &str) -> io::Result<Vec<Self>> {
        let entries = match fs::read_dir(dir) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut names = BTreeSet::new();
        for entry in entries {
            let file = entry?.file_name();
            let name = file.to_str().and_then(|file| Some(file.split_once('.')?.0));
            names.extend(name.filter(|name| name.starts_with(prefix)).map(str::to_owned));
        }
        Ok(names.into_iter().map(|name| Self { dir: dir.to_owned(), name }).collect())
    }

    /// The file of the record, locked, where there is no living owner; it is made where there is none. Only under the
    /// gate, so that looking at a card never makes it seem alive to somebody else.
    pub(super) fn claim(&self) -> io::Result<Option<File>> {
        let file = lock::open_ours(OpenOptions::new().append(true).create(true), &self.record())?;
        Ok(lock::try_exclusive(&file)?.then_some(file))
    }

    /// Removes what there is of the card. Only by its owner under the gate.
    pub(super) fn remove(&self) {
        // What cannot be removed is found again as an orphan.
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
