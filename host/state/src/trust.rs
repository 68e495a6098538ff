//! The workspaces' policy files that a person trusts, with their content.
//!
//! A workspace's file comes with the workspace, and every program that may write to the workspace may change it. So
//! what it allows counts only while the file is, byte for byte, the one that a person looked at: `trusted.json` holds
//! the SHA-256 of the content under the file's canonical path. The caller passes the content that it is about to use,
//! so that nothing can change between the check and the use.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sha2::{Digest, Sha256};

use crate::StateDir;
use crate::dir::found;
use crate::lock::{FileError, Lock};
use crate::replace::replace;

const FILE: &str = "trusted.json";
const LOCK_WAIT: Duration = Duration::from_secs(5);

/// The list of trusted files. No file is touched until a method is called.
#[derive(Debug, Clone)]
pub struct Trust {
    dir: PathBuf,
    file: &'static str,
}

/// The trust in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Nobody has said that the file is trusted.
    Unknown,
    /// A person trusted the file with another content.
    Changed,
    /// A person trusts the file with this content.
    Trusted,
}

/// Why the list of trusted files cannot be used. Nothing is trusted then.
#[derive(Debug, thiserror::Error)]
pub enum TrustError {
    /// The path is not UTF-8, so it cannot be stored.
    #[error("{0:?} cannot be trusted: its path is not UTF-8")]
    NotUtf8(PathBuf),
    /// The file was not written by this program.
    #[error("{0} cannot be read: it is no list of trusted files; remove it, and trust them again")]
    Corrupt(PathBuf),
    /// Another user may have written the file.
    #[error("{0} is not trusted: it belongs to another user, or others may write to it")]
    Foreign(PathBuf),
    /// The file cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
}

impl Trust {
    /// Opens the list of a state directory.
    pub fn of(state: &StateDir) -> Self {
        Self::in_file(state, FILE)
    }

    /// Opens another list of a state directory, in the same form.
    pub(crate) fn in_file(state: &StateDir, file: &'static str) -> Self {
        Self { dir: state.path().to_owned(), file }
    }

    /// Returns the trust in a file with this canonical path and this content.
    pub fn standing(&self, path: &Path, content: &[u8]) -> Result<Standing, TrustError> {
        let list = self.load()?;
        Ok(match path.to_str().and_then(|path| list.get(path)) {
            None => Standing::Unknown,
            Some(digest) if *digest == sha256(content) => Standing::Trusted,
            Some(_) => Standing::Changed,
        })
    }

    /// Trusts a file with this canonical path and this content.
    pub fn add(&self, path: &Path, content: &[u8]) -> Result<(), TrustError> {
        let name = path.to_str().ok_or_else(|| TrustError::NotUtf8(path.to_owned()))?;
        self.change(|list| {
            list.insert(name.to_owned(), sha256(content));
        })
    }

    /// Stops trusting a file. Returns whether it was in the list.
    pub fn remove(&self, path: &Path) -> Result<bool, TrustError> {
        let mut was_there = false;
        self.change(|list| was_there = path.to_str().is_some_and(|path| list.remove(path).is_some()))?;
        Ok(was_there)
    }

    /// Returns the paths of all files in the list, in order, whether they still exist or not.
    pub fn list(&self) -> Result<Vec<PathBuf>, TrustError> {
        Ok(self.load()?.into_keys().map(PathBuf::from).collect())
    }

    fn load(&self) -> Result<BTreeMap<String, String>, TrustError> {
        let path = self.dir.join(self.file);
        let io = |source| FileError::Io { path: path.clone(), source };
        let Some(mut file) = found(File::open(&path)).map_err(io)? else { return Ok(BTreeMap::new()) };
        let metadata = file.metadata().map_err(io)?;
        if metadata.uid() != rustix::process::geteuid().as_raw() || metadata.mode() & 0o022 != 0 {
            return Err(TrustError::Foreign(path));
        }
        let mut content = Vec::new();
        file.read_to_end(&mut content).map_err(io)?;
        serde_json::from_slice(&content).map_err(|_| TrustError::Corrupt(path))
    }

    /// Rewrites the list. A killed process or a power cut leaves the old list or the new one.
    fn change(&self, change: impl FnOnce(&mut BTreeMap<String, String>)) -> Result<(), TrustError> {
        let path = self.dir.join(self.file);
        let _lock = Lock::beside(&path, LOCK_WAIT)?;
        let mut list = self.load()?;
        change(&mut list);
        let written = replace(&path, format!("{:#}\n", serde_json::json!(list)).as_bytes());
        Ok(written.map_err(|source| FileError::Io { path, source })?)
    }
}

/// Returns the SHA-256 as 64 hexadecimal digits.
pub(crate) fn sha256(content: &[u8]) -> String {
    hex::encode(Sha256::digest(content))
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn trust() -> (tempfile::TempDir, Trust) {
        let temp = tempfile::tempdir().unwrap();
        let state = StateDir::open(temp.path().join("state")).unwrap();
        (temp, Trust::of(&state))
    }

    #[test]
    fn a_file_is_trusted_as_it_was_looked_at_and_no_other() {
        let (_temp, trust) = trust();
        let (path, other) = (Path::new("/p/.dmplz/policy.toml"), Path::new("/q/.dmplz/policy.toml"));
        assert_eq!(trust.standing(path, b"a").unwrap(), Standing::Unknown);
        trust.add(path, b"a").unwrap();
        trust.add(other, b"").unwrap();
        assert_eq!(trust.standing(path, b"a").unwrap(), Standing::Trusted);
        for changed in [&b"b"[..], b"", b"a\n", b"aa"] {
            assert_eq!(trust.standing(path, changed).unwrap(), Standing::Changed);
        }
        assert_eq!(trust.standing(Path::new("/p/.dmplz"), b"a").unwrap(), Standing::Unknown);
        trust.add(path, b"b").unwrap();
        assert_eq!(trust.standing(path, b"b").unwrap(), Standing::Trusted);
        assert_eq!(trust.list().unwrap(), [path, other]);
        assert!(trust.remove(path).unwrap() && !trust.remove(path).unwrap());
        assert_eq!(trust.standing(path, b"b").unwrap(), Standing::Unknown);
    }

    #[test]
    fn a_list_that_others_may_have_written_trusts_nothing() {
        let (_temp, trust) = trust();
        let path = Path::new("/p/.dmplz/policy.toml");
        trust.add(path, b"a").unwrap();
        let file = trust.dir.join(FILE);
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        fs::set_permissions(&file, Permissions::from_mode(0o620)).unwrap();
        assert!(matches!(trust.standing(path, b"a"), Err(TrustError::Foreign(_))));
        assert!(matches!(trust.add(path, b"a"), Err(TrustError::Foreign(_))));
    }

    #[test]
    fn a_list_that_nobody_can_read_trusts_nothing_and_is_not_overwritten() {
        let (_temp, trust) = trust();
        let (path, file) = (Path::new("/p/.dmplz/policy.toml"), trust.dir.join(FILE));
        for garbage in ["", "{", "[]", "{\"/p/.dmplz/policy.toml\": true}", "\0\0"] {
            fs::write(&file, garbage).unwrap();
            fs::set_permissions(&file, Permissions::from_mode(0o600)).unwrap();
            assert!(matches!(trust.standing(path, b"a"), Err(TrustError::Corrupt(_))), "{garbage}");
            assert!(trust.add(path, b"a").is_err());
            assert_eq!(fs::read_to_string(&file).unwrap(), garbage);
        }
    }

    #[test]
    fn what_a_killed_process_left_is_written_over() {
        let (_temp, trust) = trust();
        fs::write(trust.dir.join("trusted.json.new"), "{\"half").unwrap();
        trust.add(Path::new("/p"), b"a").unwrap();
        assert_eq!(trust.list().unwrap(), [Path::new("/p")]);
        assert!(!trust.dir.join("trusted.json.new").exists());
    }

    #[test]
    fn a_path_that_is_no_text_is_never_trusted() {
        use std::os::unix::ffi::OsStrExt;
        let (_temp, trust) = trust();
        let path = Path::new(std::ffi::OsStr::from_bytes(b"/p\xff"));
        assert!(matches!(trust.add(path, b"a"), Err(TrustError::NotUtf8(_))));
        assert_eq!(trust.standing(path, b"a").unwrap(), Standing::Unknown);
    }
}
