//! The file of a unit: what is in it, and how it is replaced and put back.

use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::mark;
use crate::temporary::put;
use crate::told::Tell;

/// What the unit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum UnitState {
    Absent,
    /// As this program would write it.
    Installed,
    /// As another version or place of this program wrote it.
    Outdated,
    /// Somebody else wrote or changed it.
    Changed,
    /// A package brought one for this very program, and no other unit stands before it.
    Packaged,
}

/// The place of the unit.
#[derive(Debug, Clone)]
pub(super) struct UnitFile {
    pub(super) path: PathBuf,
}

impl UnitFile {
    /// Returns the text that is there, and what it is. `wanted` is the text that an install writes, if this program
    /// can be installed.
    pub(super) fn found(&self, wanted: Option<&str>) -> anyhow::Result<(String, UnitState)> {
        let text = match fs::read_to_string(&self.path) {
            Err(error) if error.kind() == ErrorKind::NotFound && !self.path.is_symlink() => {
                return Ok((String::new(), UnitState::Absent));
            }
            text => text.not_read(&self.path)?,
        };
        let state = match () {
            () if wanted == Some(text.as_str()) => UnitState::Installed,
            () if mark::is_ours(&text) => UnitState::Outdated,
            () => UnitState::Changed,
        };
        Ok((text, state))
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
