//! Whether somebody else could have written a file that decides, or that decisions are sent through.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::process::geteuid;

/// Who may write such files.
#[derive(Debug)]
pub(crate) struct Guard {
    /// Besides root.
    owner: u32,
    /// The topmost folder that is looked at when a whole path is.
    top: PathBuf,
}

impl Guard {
    /// Root alone, on the whole path.
    pub(crate) fn root() -> Self {
        Self { owner: 0, top: PathBuf::from("/") }
    }

    /// The user who runs this.
    pub(crate) fn of_this_user() -> Self {
        Self { owner: geteuid().as_raw(), top: PathBuf::from("/") }
    }

    /// What speaks against a file.
    pub(crate) fn suspects_file(&self, path: &Path, metadata: &Metadata) -> Option<String> {
        self.suspects_as("it", path, metadata)
    }

    /// What speaks against a folder.
    pub(crate) fn suspects(&self, folder: &Path) -> Option<String> {
        match std::fs::metadata(folder) {
            Ok(metadata) => self.suspects_as(&folder.display().to_string(), folder, &metadata),
            Err(error) => Some(format!("{} cannot be looked at: {error}", folder.display())),
        }
    }

    fn suspects_as(&self, name: &str, path: &Path, metadata: &Metadata) -> Option<String> {
        let (owner, mode) = (metadata.uid(), metadata.mode() & 0o7777);
        if owner != self.owner && owner != 0 {
            Some(format!("{name} belongs to user {owner}"))
        } else if mode & 0o022 != 0 {
            Some(format!("others may write to {name} (mode {mode:03o}; `chmod go-w {}`)", path.display()))
        } else {
            None
        }
    }

    /// What speaks against a folder or one above it.
    pub(crate) fn suspects_path(&self, folder: &Path) -> Option<String> {
        let real = folder.canonicalize();
        let real = real.as_deref().unwrap_or(folder);
        real.ancestors().take_while(|above| above.starts_with(&self.top)).find_map(|above| self.suspects(above))
    }
}

#[cfg(test)]
impl Guard {
    /// For tests: the owner is this user, and nothing above `top` is looked at.
    pub(crate) fn below(top: &Path) -> Self {
        Self { top: top.to_owned(), ..Self::of_this_user() }
    }
}
