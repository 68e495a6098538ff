//! The grants that people gave: `grants.json`.
//!
//! Where nobody gave any there is no file, so that looking for one costs a failed `open`; the last grant takes the file with
//! it. What cannot be read, is not ours alone, or holds anything that this program could not have written is no list of
//! grants: nothing in it counts, nothing is added to it, and only [`Grants::revoke_all`] takes it away.

mod dropped;

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use dmplz_core::grant::{Grant, Moment};
use rustix::fs::OFlags;

use crate::lock::{Lock, LockError, open_ours};
use crate::{DirError, StateDir};
pub use dropped::Dropped;

/// The most grants that are kept at a time.
pub const MAX_GRANTS: usize = 200;
/// The largest list that is read, in bytes: a path may have 4096, and a grant has three.
const MAX_BYTES: u64 = 4 << 20;

const FILE: &str = "grants.json";
const LOCK: &str = "grants.json.lock";
/// The file is rewritten next to it and then moved in its place. Only the holder of the lock does that.
const NEW: &str = "grants.json.new";
const LOCK_WAIT: Duration = Duration::from_secs(2);

/// The grants of a state directory. Touches nothing until it is asked.
#[derive(Debug, Clone)]
pub struct Grants {
    dir: PathBuf,
}

/// Why the list of grants cannot be used. Then nothing is granted.
#[derive(Debug, thiserror::Error)]
pub enum GrantsError {
    /// Others kept it locked all the time.
    #[error("{0} cannot be locked: others kept it locked all the time")]
    Busy(PathBuf),
    /// Somebody else may have written what is in the state directory.
    #[error(transparent)]
    Dir(#[from] DirError),
    /// Somebody else may have written it.
    #[error("{0} is not trusted: it belongs to another user, or is not ours alone (mode 600)")]
    Foreign(PathBuf),
    /// Nothing that we wrote.
    #[error("{0} cannot be read: it is no list of grants as dmplz writes them")]
    Corrupt(PathBuf),
    /// There is no room for another one.
    #[error("another grant cannot be kept: there are {MAX_GRANTS} already")]
    Full,
    /// The file cannot be used.
    #[error("{path} cannot be used")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl Grants {
    /// The list of a state directory.
    pub fn of(state: &StateDir) -> Self {
        Self { dir: state.path().to_owned() }
    }

    /// All grants of the state directory at a path, those included whose time has passed. One failed `open` where there are
    /// none; only where there are some it is looked at whether the directory is ours.
    pub fn read(dir: &Path) -> Result<Vec<Grant>, GrantsError> {
        let grants = Self { dir: dir.to_owned() };
        let Some(file) = grants.open()? else { return Ok(Vec::new()) };
        StateDir::find(dir)?;
        grants.read_from(file)
    }

    /// Keeps another one, and drops those whose time has passed.
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

    /// Takes back those that are meant, and drops those whose time has passed.
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

    /// Takes back all of them, also where nobody can tell what they are: those are not told of.
    pub fn revoke_all(&self, now: Moment) -> Result<Dropped, GrantsError> {
        let _lock = self.lock()?;
        let list = self.load().unwrap_or_default();
        self.remove()?;
        Ok(Dropped::from_list(list, |_| true, now).1)
    }

    /// Takes back the grants of a session that is over.
    pub fn end_session(&self, session: &str, now: Moment) -> Result<Dropped, GrantsError> {
        self.revoke(|grant| grant.session.as_deref() == Some(session), now)
    }

    fn load(&self) -> Result<Vec<Grant>, GrantsError> {
        self.open()?.map_or_else(|| Ok(Vec::new()), |file| self.read_from(file))
    }

    fn open(&self) -> Result<Option<File>, GrantsError> {
        let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
        let mut options = OpenOptions::new();
        std::os::unix::fs::OpenOptionsExt::custom_flags(options.read(true), flags);
        match options.open(self.path()) {
            Ok(file) => Ok(Some(file)),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
            Err(error) => Err(self.io(error)),
        }
    }

    fn read_from(&self, file: File) -> Result<Vec<Grant>, GrantsError> {
        let metadata = file.metadata().map_err(|error| self.io(error))?;
        let ours = metadata.uid() == rustix::process::geteuid().as_raw() && metadata.mode() & 0o077 == 0;
        if !metadata.is_file() || !ours {
            return Err(GrantsError::Foreign(self.path()));
        }
        let mut content = Vec::new();
        file.take(MAX_BYTES + 1).read_to_end(&mut content).map_err(|error| self.io(error))?;
        let corrupt = || GrantsError::Corrupt(self.path());
        if content.len() as u64 > MAX_BYTES {
            return Err(corrupt());
        }
        let list: Vec<Grant> = serde_json::from_slice(&content).map_err(|_| corrupt())?;
        let sound = list.len() <= MAX_GRANTS && list.iter().all(Grant::is_sound);
        if sound { Ok(list) } else { Err(corrupt()) }
    }

    /// A killed process, or a lost power supply, leaves the old list or the new one.
    fn replace(&self, list: &[Grant]) -> Result<(), GrantsError> {
        if list.is_empty() {
            return self.remove();
        }
        let new = self.dir.join(NEW);
        let write = || {
            let mut file = open_ours(OpenOptions::new().write(true).create(true).truncate(true), &new)?;
            file.write_all(&serde_json::to_vec(list)?)?;
            file.sync_all()?;
            fs::rename(&new, self.path())?;
            File::open(&self.dir)?.sync_all()
        };
        write().map_err(|error| self.io(error))
    }

    fn remove(&self) -> Result<(), GrantsError> {
        match fs::remove_file(self.path()) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(self.io(error)),
            _ => Ok(()),
        }
    }

    fn lock(&self) -> Result<Lock, GrantsError> {
        Lock::take(&self.dir.join(LOCK), LOCK_WAIT).map_err(|error| match error {
            LockError::Busy => GrantsError::Busy(self.path()),
            LockError::Io(source) => self.io(source),
        })
    }

    fn path(&self) -> PathBuf {
        self.dir.join(FILE)
    }

    fn io(&self, source: io::Error) -> GrantsError {
        GrantsError::Io { path: self.path(), source }
    }
}

#[cfg(test)]
mod tests;
