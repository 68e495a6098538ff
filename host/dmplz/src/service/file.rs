//! The file of a unit: what is in it, and how it is replaced and put back.

use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::mark;
use crate::install::put;
use crate::told::Tell;

/// What is in the place of the unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Found {
    /// Nothing.
    Absent,
    /// What an install would write.
    Same,
    /// What another version or place of this program wrote.
    Ours(String),
    /// What somebody else wrote or changed.
    Foreign(String),
}

/// The place of the unit.
#[derive(Debug, Clone)]
pub(super) struct UnitFile {
    pub(super) path: PathBuf,
}

impl UnitFile {
    /// Reads what is there.
    pub(super) fn found(&self, wanted: &str) -> anyhow::Result<Found> {
        Ok(match fs::read_to_string(&self.path) {
            Ok(text) if text == wanted => Found::Same,
            Ok(text) if mark::is_ours(&text) => Found::Ours(text),
            Ok(text) => Found::Foreign(text),
            Err(error) if error.kind() == ErrorKind::NotFound && !self.path.is_symlink() => Found::Absent,
            Err(error) => return Err(error).not_read(&self.path),
        })
    }

    /// Returns the place of the unit that was there before an install with `--force`.
    pub(super) fn before(&self) -> PathBuf {
        self.with(".dmplz-before")
    }

    /// Returns the place of the unit that an uninstall with `--force` removed.
    pub(super) fn changed(&self) -> PathBuf {
        self.with(".dmplz-changed")
    }

    /// Returns the place of a copy of what an install with `--force` replaces. The first one stays, for an uninstall.
    pub(super) fn copy(&self) -> PathBuf {
        if self.before().exists() { self.changed() } else { self.before() }
    }

    fn with(&self, suffix: &str) -> PathBuf {
        let mut name = OsString::from(&self.path);
        name.push(suffix);
        name.into()
    }

    /// Writes the unit at once and whole. `keep`: what is there is kept, for an uninstall to put back.
    pub(super) fn write(&self, text: &str, keep: bool) -> anyhow::Result<()> {
        if keep {
            rename(&self.path, &self.copy())?;
        }
        put(&self.path, text, 0o644, None)
    }

    /// Removes the unit, and puts back what was there before. `keep`: what is there is kept under another name.
    pub(super) fn remove(&self, keep: bool) -> anyhow::Result<()> {
        match keep {
            true => rename(&self.path, &self.changed())?,
            false => fs::remove_file(&self.path).not_removed(&self.path)?,
        }
        if self.before().exists() { rename(&self.before(), &self.path) } else { Ok(()) }
    }
}

fn rename(from: &Path, to: &Path) -> anyhow::Result<()> {
    fs::rename(from, to).told(
        "이름을 바꿀 수 없습니다: {} → {}",
        "{} cannot be renamed to {}",
        &[&from.display().to_string(), &to.display().to_string()],
    )
}
