//! Which policy files have stood the test of their own examples.
//!
//! A policy's examples are run when its file is read, and reading happens at every start of a hook: that costs more than all
//! the rest of a decision. So a file whose examples held is remembered by its text, and its examples rest until it changes. A
//! forged mark could only silence a warning: what the rules say does not depend on it.

use std::fs::{self, DirBuilder, File};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::StateDir;

const FOLDER: &str = "proven";
/// More marks than anybody has policy files. Beyond it all are forgotten, and earned anew.
const MAX_MARKS: usize = 256;

/// The marks of proven files: an empty file each, named by what was proven.
#[derive(Debug, Clone)]
pub struct Proven {
    folder: PathBuf,
}

impl Proven {
    /// The marks in a state directory. Touches nothing until it is asked.
    pub fn of(dir: &StateDir) -> Self {
        Self { folder: dir.path().join(FOLDER) }
    }

    /// Whether the examples of a file held. `program` is the version that ran them; `root` the folder that its paths begin in.
    pub fn holds(&self, text: &str, root: Option<&Path>, program: &str) -> bool {
        self.mark(text, root, program).exists()
    }

    /// Remembers that they did. Where it cannot be written they are run again next time.
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
