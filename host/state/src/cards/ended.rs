//! Cards that ended recently, for late presses.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use super::record::{self, CardRecord, CorruptCard};
use super::{Cards, CardsError};
use crate::AccountKey;
use crate::account::digest;
use crate::dir::{found, within};
use crate::lock::open_ours;

/// How long an ended card is remembered, in milliseconds.
const KEPT_MS: u64 = 24 * 60 * 60 * 1000;

/// How many ended cards of an account are remembered.
const KEPT: usize = 50;

impl Cards {
    /// Returns the cards of an account that ended within the last 24 hours, the newest first, at most 50; and the
    /// unreadable records.
    pub fn recent<T: DeserializeOwned>(
        &self,
        account: &AccountKey,
    ) -> Result<(Vec<CardRecord<T>>, Vec<CorruptCard>), CardsError> {
        let (mut records, mut corrupt) = (Vec::new(), Vec::new());
        for ended in self.ended(account)?.iter().rev() {
            // A missing record was removed as too old since the directory was listed.
            match record::read(&ended.path).map_err(|source| self.io(source))? {
                Some(Ok(record)) => records.push(record),
                Some(Err(error)) => {
                    drop(fs::remove_file(&ended.path));
                    corrupt.push(error);
                }
                None => {}
            }
        }
        Ok((records, corrupt))
    }

    /// Notes that a person who pressed an ended card gets a notice. Returns true only the first time for each person,
    /// across all processes; false for a card that is not remembered, and after [`CardRecord::TOLD`] people.
    pub fn mark_told(&self, account: &AccountKey, tag: &str, person: &str) -> Result<bool, CardsError> {
        let ended = self.ended(account)?;
        if ended.is_empty() {
            return Ok(false);
        }
        let _gate = self.gate()?;
        let tag = digest(&[tag]);
        for ended in ended.iter().filter(|ended| ended.tag == tag) {
            let record = record::read::<serde_json::Value>(&ended.path).map_err(|source| self.io(source))?;
            let Some(Ok(mut record)) = record else { continue };
            if record.told.len() < CardRecord::<()>::TOLD && !record.told.iter().any(|told| told == person) {
                record.told.push(person.to_owned());
                let file = open_ours(OpenOptions::new().append(true), &ended.path).map_err(|source| self.io(source))?;
                self.write(&file, &record)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Moves a card's record to the ended ones, and removes those that are too old or too many. The caller must hold
    /// the gate.
    pub(super) fn keep_ended(
        &self,
        record: &Path,
        account: &AccountKey,
        tag: &str,
        now_ms: u64,
    ) -> Result<(), CardsError> {
        let tag = digest(&[tag]);
        let dir = self.ended_dir(account);
        let path = dir.join(format!("{now_ms:013}-{tag}.json"));
        let before = self.ended(account)?;
        within(&dir, || fs::rename(record, &path)).map_err(|source| self.io(source))?;
        // The same request may have been asked and ended before.
        let (twice, others): (Vec<_>, Vec<_>) =
            before.into_iter().filter(|ended| ended.path != path).partition(|ended| ended.tag == tag);
        let too_many = (others.len() + 1).saturating_sub(KEPT);
        let forgotten = others
            .into_iter()
            .enumerate()
            .filter(|(index, ended)| *index < too_many || ended.time_ms < now_ms.saturating_sub(KEPT_MS));
        for ended in twice.into_iter().chain(forgotten.map(|(_, ended)| ended)) {
            drop(fs::remove_file(ended.path));
        }
        Ok(())
    }

    fn ended_dir(&self, account: &AccountKey) -> PathBuf {
        self.dir.join("ended").join(account.as_str())
    }

    /// Returns the ended cards of an account, the oldest first.
    fn ended(&self, account: &AccountKey) -> Result<Vec<Ended>, CardsError> {
        let dir = self.ended_dir(account);
        let mut ended = found(list(&dir)).map_err(|source| self.io(source))?.unwrap_or_default();
        ended.sort_unstable_by(|a, b| (a.time_ms, &a.tag).cmp(&(b.time_ms, &b.tag)));
        Ok(ended)
    }
}

/// The parts of an ended card's file name.
struct Ended {
    time_ms: u64,
    tag: String,
    path: PathBuf,
}

fn list(dir: &Path) -> io::Result<Vec<Ended>> {
    let mut ended = Vec::new();
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()?.strip_suffix(".json")?.split_once('-'));
        if let Some((Ok(time_ms), tag)) = name.map(|(time, tag)| (time.parse(), tag.to_owned())) {
            ended.push(Ended { time_ms, tag, path });
        }
    }
    Ok(ended)
}
