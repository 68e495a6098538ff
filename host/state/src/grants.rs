//! The grants that people gave: `grants.json`.
//!
//! Without grants there is no file, so that looking for one costs a failed `open`; removing the last grant removes the
//! file. A file that is unreadable, not private, or that this program could not have written is no list of grants:
//! nothing in it counts, nothing is added to it, and only [`Grants::revoke_all`] removes it.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use dmplz_core::grant::change::Over;
use dmplz_core::grant::{Change, Grant, Moment};

use crate::dir::found;
use crate::lock::{FileError, Lock};
use crate::plain::{open_private, read_private};
use crate::replace::replace;
use crate::{DirError, StateDir};

/// The most grants that are stored at a time.
pub const MAX_GRANTS: usize = 200;
/// The largest list that is read, in bytes: a path may have 4096 bytes, and a grant has three paths.
const MAX_BYTES: u64 = 4 << 20;

const FILE: &str = "grants.json";
/// How long another process may hold the lock of the list.
const LOCK_WAIT: Duration = Duration::from_secs(2);

/// The grants of a state directory. No file is touched until a method is called.
#[derive(Debug, Clone)]
pub struct Grants {
    dir: PathBuf,
}

/// The grants that were removed from the list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Dropped {
    /// The revoked grants, which held until then.
    pub meant: Vec<Grant>,
    /// The grants that had expired.
    pub expired: Vec<Grant>,
}

/// Why the list of grants cannot be used. Nothing is granted then.
#[derive(Debug, thiserror::Error)]
pub enum GrantsError {
    /// Another user may have written to the state directory.
    #[error(transparent)]
    Dir(#[from] DirError),
    /// Another user may have written the file.
    #[error("{0} is not trusted: it belongs to another user, or is not ours alone (mode 600)")]
    Foreign(PathBuf),
    /// The file was not written by this program.
    #[error("{0} cannot be read: it is no list of grants as dmplz writes them")]
    Corrupt(PathBuf),
    /// The list is full.
    #[error("another grant cannot be kept: there are {MAX_GRANTS} already")]
    Full,
    /// The file cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
}

impl Grants {
    /// Opens the list of a state directory.
    pub fn of(state: &StateDir) -> Self {
        Self { dir: state.path().to_owned() }
    }

    /// Returns all grants of the state directory at a path, including expired ones. Without grants, this costs one
    /// failed `open`; only otherwise does it check that the directory is private.
    pub fn read(dir: &Path) -> Result<Vec<Grant>, GrantsError> {
        let grants = Self { dir: dir.to_owned() };
        let Some(file) = grants.open()? else { return Ok(Vec::new()) };
        StateDir::find(dir)?;
        grants.read_from(file)
    }

    /// Adds a grant, and drops expired ones.
    pub fn add(&self, grant: &Grant, now: Moment) -> Result<Dropped, GrantsError> {
        let _lock = self.lock()?;
        let (mut list, dropped) = Dropped::from_list(self.load()?, |kept| kept.id == grant.id, now);
        if list.len() >= MAX_GRANTS {
            return Err(GrantsError::Full);
        }
        list.push(grant.clone());
        self.replace(&list)?;
        Ok(dropped)
    }

    /// Revokes the grants for which `is_meant` is true, and drops expired ones.
    pub fn revoke(&self, is_meant: impl Fn(&Grant) -> bool, now: Moment) -> Result<Dropped, GrantsError> {
        if self.open()?.is_none() {
            return Ok(Dropped::default());
        }
        let _lock = self.lock()?;
        let (rest, dropped) = Dropped::from_list(self.load()?, is_meant, now);
        if !dropped.is_empty() {
            self.replace(&rest)?;
        }
        Ok(dropped)
    }

    /// Revokes all grants and removes the file, even an unreadable one. Grants in an unreadable file are not reported.
    pub fn revoke_all(&self, now: Moment) -> Result<Dropped, GrantsError> {
        let _lock = self.lock()?;
        let list = self.load().unwrap_or_default();
        self.remove()?;
        Ok(Dropped::from_list(list, |_| true, now).1)
    }

    /// Revokes the grants of a session that has ended.
    pub fn end_session(&self, session: &str, now: Moment) -> Result<Dropped, GrantsError> {
        self.revoke(|grant| grant.session.as_deref() == Some(session), now)
    }

    fn load(&self) -> Result<Vec<Grant>, GrantsError> {
        self.open()?.map_or_else(|| Ok(Vec::new()), |file| self.read_from(file))
    }

    fn open(&self) -> Result<Option<File>, GrantsError> {
        match open_private(&self.path()) {
            Ok(file) => Ok(Some(file)),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
            Err(error) => Err(self.io(error)),
        }
    }

    fn read_from(&self, file: File) -> Result<Vec<Grant>, GrantsError> {
        let content = read_private(file, MAX_BYTES).map_err(|error| self.io(error))?;
        let content = content.ok_or_else(|| GrantsError::Foreign(self.path()))?;
        let corrupt = || GrantsError::Corrupt(self.path());
        if content.len() as u64 > MAX_BYTES {
            return Err(corrupt());
        }
        let list: Vec<Grant> = serde_json::from_slice(&content).map_err(|_| corrupt())?;
        let sound = list.len() <= MAX_GRANTS && list.iter().all(Grant::is_sound);
        if sound { Ok(list) } else { Err(corrupt()) }
    }

    /// Replaces the list. A killed process or a power cut leaves the old list or the new one.
    fn replace(&self, list: &[Grant]) -> Result<(), GrantsError> {
        if list.is_empty() {
            return self.remove();
        }
        let list = serde_json::to_vec(list).map_err(io::Error::from);
        list.and_then(|list| replace(&self.path(), &list)).map_err(|error| self.io(error))
    }

    fn remove(&self) -> Result<(), GrantsError> {
        found(fs::remove_file(self.path())).map(drop).map_err(|error| self.io(error))
    }

    fn lock(&self) -> Result<Lock, FileError> {
        Lock::beside(&self.path(), LOCK_WAIT)
    }

    fn path(&self) -> PathBuf {
        self.dir.join(FILE)
    }

    fn io(&self, source: io::Error) -> GrantsError {
        FileError::Io { path: self.path(), source }.into()
    }
}

impl Dropped {
    /// Splits a list into the grants that stay and those that are removed.
    fn from_list(list: Vec<Grant>, is_meant: impl Fn(&Grant) -> bool, now: Moment) -> (Vec<Grant>, Self) {
        let (held, expired): (Vec<_>, Vec<_>) = list.into_iter().partition(|grant| grant.holds(now));
        let (meant, rest) = held.into_iter().partition(is_meant);
        (rest, Self { meant, expired })
    }

    /// Returns whether no grant was removed.
    pub fn is_empty(&self) -> bool {
        self.meant.is_empty() && self.expired.is_empty()
    }

    /// Returns the changes to log. `how` makes the change of a revoked grant.
    pub fn changes(&self, how: impl Fn(&Grant) -> Change) -> Vec<Change> {
        let expired = self.expired.iter().map(|grant| Change::ended(grant, Over::Expired));
        expired.chain(self.meant.iter().map(how)).collect()
    }
}

#[cfg(test)]
mod tests;
