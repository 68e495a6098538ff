//! Policy files whose examples have passed.
//!
//! A policy's examples run when its file is read, which happens at every start of a hook, and they cost more than the
//! rest of a decision. So a file whose examples passed is remembered by its text, and its examples are skipped until it
//! changes. A forged mark could only silence a warning: the rules do not depend on it.

use std::fs::{self, DirBuilder, File};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::StateDir;

const FOLDER: &str = "proven";
/// More marks than anyone has policy files. Beyond this number all marks are removed, and the examples run again.
const MAX_MARKS: usize = 256;

/// The marks of proven files: empty files, named by a digest of what was proven.
#[derive(Debug, Clone)]
pub struct Proven {
    folder: PathBuf,
}

impl Proven {
    /// Opens the marks of a state directory. No file is touched until a method is called.
    pub fn of(dir: &StateDir) -> Self {
        Self { folder: dir.path().join(FOLDER) }
    }

    /// Returns whether a file's examples passed. `program` is the version that ran them; `root` is the folder in which
    /// its paths begin.
    pub fn holds(&self, text: &str, root: Option<&Path>, program: &str) -> bool {
        self.mark(text, root, program).exists()
    }

    /// Remembers that the examples passed. If the mark cannot be written, they run again next time.
    pub fn keep(&self, text: &str, root: Option<&Path>, program: &str) {
        if fs::read_dir(&self.folder).is_ok_and(|marks| marks.count() >= MAX_MARKS) {
            let _ = fs::remove_dir_all(&self.folder);
        }
        let _ = DirBuilder::new().mode(0o700).create(&self.folder);
        let _ = File::create(self.mark(text, root, program));
    }

    fn mark(&self, text: &str, root: Option<&Path>, program: &str) -> PathBuf {
        let root = root.map(|root| root.as_os_str().as_encoded_bytes()).unwrap_or_default();
        let mut hash = Sha256::new();
        for part in [program.as_bytes(), root, text.as_bytes()] {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        let mut digits = hex::encode(hash.finalize());
        digits.truncate(32);
        self.folder.join(digits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_proven_until_it_changes() {
        let home = tempfile::tempdir().unwrap();
        let proven = Proven::of(&StateDir::open(home.path().join("state")).unwrap());
        let root = Some(Path::new("/work"));
        assert!(!proven.holds("a", root, "1"));
        proven.keep("a", root, "1");
        assert!(proven.holds("a", root, "1"));
        for (text, root, program) in [("b", root, "1"), ("a", None, "1"), ("a", root, "2"), ("", None, "")] {
            assert!(!proven.holds(text, root, program), "{text} {root:?} {program}");
        }
    }

    #[test]
    fn marks_do_not_pile_up() {
        let home = tempfile::tempdir().unwrap();
        let proven = Proven::of(&StateDir::open(home.path().join("state")).unwrap());
        for number in 0..2 * MAX_MARKS {
            proven.keep(&number.to_string(), None, "1");
        }
        assert!(fs::read_dir(&proven.folder).unwrap().count() <= MAX_MARKS);
        assert!(proven.holds(&(2 * MAX_MARKS - 1).to_string(), None, "1"));
    }
}
