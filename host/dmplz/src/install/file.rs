//! Reads and writes a settings file.

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use dmplz_state::found;

use crate::plain_file;
use crate::temporary::put;
use crate::told::{Tell, Told};

/// The mode of a file that Claude Code creates, before the umask.
const NEW_FILE: u32 = 0o666;

/// A settings file as it was read. Symbolic links were followed, so that links to a folder of dotfiles stay links.
pub(super) struct File {
    pub(super) path: PathBuf,
    /// The text of the file; `None` if it does not exist.
    pub(super) text: Option<String>,
}

impl File {
    pub(super) fn read(path: &Path) -> anyhow::Result<Self> {
        let path = match fs::canonicalize(path) {
            Ok(path) => path,
            // A dangling link would be replaced by a file.
            Err(error) if error.kind() == ErrorKind::NotFound && !path.is_symlink() => path.to_owned(),
            Err(error) => return Err(error).not_found(path),
        };
        let text = text(&path)?;
        Ok(Self { path, text })
    }

    /// Returns the path of the copy that was made before the last change, beside the file.
    pub(super) fn backup(&self) -> PathBuf {
        let mut name = self.path.clone().into_os_string();
        name.push(".dmplz-backup");
        name.into()
    }

    /// Replaces the file atomically, after copying it. Fails if the file was changed since it was read.
    pub(super) fn write(&self, new: &str) -> anyhow::Result<()> {
        self.unchanged()?;
        if let Some(text) = &self.text {
            put(&self.backup(), text, NEW_FILE, self.mode())?;
        }
        put(&self.path, new, NEW_FILE, self.mode())
    }

    /// Replaces the file atomically, and leaves the copy from before the install as it is. Fails if the file was changed
    /// since it was read.
    pub(super) fn replace(&self, new: &str) -> anyhow::Result<()> {
        self.unchanged()?;
        put(&self.path, new, NEW_FILE, self.mode())
    }

    /// Restores the text from before the install, or removes the file, and keeps no copy.
    pub(super) fn restore(&self, before: Option<&str>) -> anyhow::Result<()> {
        self.unchanged()?;
        match before {
            Some(before) => put(&self.path, before, NEW_FILE, self.mode())?,
            None => fs::remove_file(&self.path).not_removed(&self.path)?,
        }
        let backup = self.backup();
        let removed = if backup.exists() { fs::remove_file(&backup) } else { Ok(()) };
        removed.not_removed(&backup)
    }

    fn unchanged(&self) -> anyhow::Result<()> {
        if text(&self.path)? == self.text {
            return Ok(());
        }
        Told::err(
            "그 사이에 바뀌어 고칠 수 없습니다: {}. 다시 해 주세요",
            "{} cannot be changed: it changed meanwhile; try again",
            &[&self.path.display().to_string()],
        )
    }

    fn mode(&self) -> Option<u32> {
        fs::metadata(&self.path).ok().map(|metadata| metadata.permissions().mode() & 0o7777)
    }
}

/// Returns the text of a file; `None` if it does not exist.
pub(super) fn text(path: &Path) -> anyhow::Result<Option<String>> {
    found(plain_file::text(path)).not_read(path)
}
