//! The directory that holds the state.

use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// Private: its content decides who is asked, and tells what was denied.
const MODE: u32 = 0o700;

/// A state directory that exists, belongs to this user, and is writable by nobody else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateDir {
    path: PathBuf,
}

/// Why a directory cannot hold the state.
#[derive(Debug, thiserror::Error)]
pub enum DirError {
    /// The directory cannot be created or inspected.
    #[error("the state directory {path} cannot be used")]
    Io {
        /// The directory.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The path is no directory.
    #[error("the state directory {0} cannot be used: it is not a directory")]
    NotADirectory(PathBuf),
    /// Another user owns the directory and could change its content.
    #[error("the state directory {path} is not trusted: it belongs to user {owner}, not to user {user}")]
    Foreign {
        /// The directory.
        path: PathBuf,
        /// Its owner's id.
        owner: u32,
        /// This user's id.
        user: u32,
    },
    /// Other users may write to the directory.
    #[error(
        "the state directory {path} is not trusted: others may write to it (mode {mode:03o}); run `chmod 700` on it"
    )]
    Writable {
        /// The directory.
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
    },
}

impl StateDir {
    /// Creates the directory and its parents with mode 0700 if it is missing, and checks it otherwise. Narrows a
    /// directory that others may only read to 0700.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, DirError> {
        let path = path.into();
        match Self::find(&path)? {
            Some(found) => Ok(found),
            None => {
                make(&path).map_err(|source| DirError::Io { path: path.clone(), source })?;
                Self::find(&path)?.ok_or(DirError::NotADirectory(path))
            }
        }
    }

    /// Does the same as [`StateDir::open`] without creating anything, for events that have nothing to do without state.
    /// Usually costs one `stat`.
    pub fn find(path: &Path) -> Result<Option<Self>, DirError> {
        let io = |source| DirError::Io { path: path.to_owned(), source };
        let Some(metadata) = found(fs::metadata(path)).map_err(io)? else { return Ok(None) };
        if !metadata.is_dir() {
            return Err(DirError::NotADirectory(path.to_owned()));
        }
        let (owner, user) = (metadata.uid(), rustix::process::geteuid().as_raw());
        if owner != user {
            return Err(DirError::Foreign { path: path.to_owned(), owner, user });
        }
        let mode = metadata.mode() & 0o777;
        if mode & 0o022 != 0 {
            return Err(DirError::Writable { path: path.to_owned(), mode });
        }
        if mode & 0o077 != 0 {
            fs::set_permissions(path, Permissions::from_mode(MODE)).map_err(io)?;
        }
        Ok(Some(Self { path: path.to_owned() }))
    }

    /// Returns the directory's absolute path.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Returns what was opened, read or removed; `None` if it does not exist.
pub fn found<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        result => result.map(Some),
    }
}

/// Does something in a directory. If it fails because the directory is missing, makes the directory and does it again.
pub(crate) fn within<T>(dir: &Path, mut work: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    match found(work())? {
        Some(done) => Ok(done),
        None => make(dir).and_then(|()| work()),
    }
}

/// Creates a private directory and its parents. An existing one is no error.
pub(crate) fn make(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(MODE).create(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().mode() & 0o777
    }

    #[test]
    fn a_missing_directory_is_created_for_us_alone() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("home/.claude/dm-plz");
        assert_eq!(StateDir::find(&path).unwrap(), None);
        assert_eq!(StateDir::open(&path).unwrap().path(), path);
        assert_eq!(mode(&path), 0o700);
        assert!(StateDir::find(&path).unwrap().is_some());
    }

    #[test]
    fn a_directory_that_others_may_read_is_narrowed() {
        let temp = tempfile::tempdir().unwrap();
        fs::set_permissions(temp.path(), Permissions::from_mode(0o755)).unwrap();
        StateDir::open(temp.path()).unwrap();
        assert_eq!(mode(temp.path()), 0o700);
    }

    #[test]
    fn a_directory_that_others_may_write_to_is_refused() {
        for writable in [0o770, 0o702, 0o777] {
            let temp = tempfile::tempdir().unwrap();
            fs::set_permissions(temp.path(), Permissions::from_mode(writable)).unwrap();
            let error = StateDir::open(temp.path()).unwrap_err();
            assert!(matches!(error, DirError::Writable { mode, .. } if mode == writable), "{error}");
            assert_eq!(mode(temp.path()), writable, "a refused directory is left as it is");
        }
    }

    #[test]
    fn a_directory_of_another_user_is_refused() {
        // Every system has one: the root directory; for root itself, a directory given to another user.
        let temp = tempfile::tempdir().unwrap();
        let foreign = if rustix::process::geteuid().is_root() {
            std::os::unix::fs::chown(temp.path(), Some(65534), None).unwrap();
            temp.path()
        } else {
            Path::new("/")
        };
        let error = StateDir::open(foreign).unwrap_err();
        assert!(matches!(error, DirError::Foreign { .. }), "{error}");
    }

    #[test]
    fn a_file_in_its_place_is_refused() {
        let temp = tempfile::NamedTempFile::new().unwrap();
        assert!(matches!(StateDir::open(temp.path()), Err(DirError::NotADirectory(_))));
        assert!(matches!(StateDir::open(temp.path().join("below")), Err(DirError::Io { .. })));
    }
}
