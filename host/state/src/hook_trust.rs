//! The projects whose hooks a person trusts, with the text that they looked at.
//!
//! `trusted-hooks.json` holds the SHA-256 of that text under the project's canonical path, as [`Trust`] does for policy files.
//! The text itself is kept in `trusted-hooks/`, so that a later change can be shown; it counts for nothing else, and only
//! while its digest is the one in the list.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::StateDir;
use crate::dir::{self, found};
use crate::lock::{FileError, open_ours};
use crate::trust::{Standing, Trust, TrustError, sha256};

const FILE: &str = "trusted-hooks.json";
const TEXTS: &str = "trusted-hooks";

/// The list of trusted projects. No file is touched until a method is called.
#[derive(Debug, Clone)]
pub struct HookTrust {
    list: Trust,
    texts: PathBuf,
}

impl HookTrust {
    /// Opens the list of a state directory.
    pub fn of(state: &StateDir) -> Self {
        Self { list: Trust::in_file(state, FILE), texts: state.path().join(TEXTS) }
    }

    /// Returns the trust in the hooks of a project at this canonical path, which have this text.
    pub fn standing(&self, project: &Path, text: &str) -> Result<Standing, TrustError> {
        self.list.standing(project, text.as_bytes())
    }

    /// Returns the digest by which a text is trusted.
    pub fn digest(text: &str) -> String {
        sha256(text.as_bytes())
    }

    /// Trusts the hooks of a project.
    pub fn add(&self, project: &Path, text: &str) -> Result<(), TrustError> {
        let path = self.text_of(project);
        self.keep(&path, text).map_err(|source| FileError::Io { path, source })?;
        self.list.add(project, text.as_bytes())
    }

    /// Stops trusting the hooks of a project. Returns whether they were trusted.
    pub fn remove(&self, project: &Path) -> Result<bool, TrustError> {
        let was_there = self.list.remove(project)?;
        let path = self.text_of(project);
        found(std::fs::remove_file(&path)).map_err(|source| FileError::Io { path, source })?;
        Ok(was_there)
    }

    /// Returns the projects in the list, in order, whether they still exist or not.
    pub fn list(&self) -> Result<Vec<PathBuf>, TrustError> {
        self.list.list()
    }

    /// Returns the text that was trusted, if it is still kept as it was.
    pub fn trusted_text(&self, project: &Path) -> Option<String> {
        let text = std::fs::read_to_string(self.text_of(project)).ok()?;
        let standing = self.standing(project, &text).ok()?;
        (standing == Standing::Trusted).then_some(text)
    }

    fn text_of(&self, project: &Path) -> PathBuf {
        self.texts.join(format!("{}.txt", sha256(project.as_os_str().as_encoded_bytes())))
    }

    fn keep(&self, path: &Path, text: &str) -> io::Result<()> {
        dir::make(&self.texts)?;
        let mut file = open_ours(OpenOptions::new().write(true).create(true).truncate(true), path)?;
        file.write_all(text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_counts_as_new_and_the_trusted_text_can_be_shown() {
        let temp = tempfile::tempdir().unwrap();
        let state = StateDir::open(temp.path().join("state")).unwrap();
        let (trust, project) = (HookTrust::of(&state), Path::new("/p"));
        assert_eq!(trust.standing(project, "one").unwrap(), Standing::Unknown);
        assert_eq!(trust.trusted_text(project), None);
        trust.add(project, "one").unwrap();
        assert_eq!(trust.standing(project, "one").unwrap(), Standing::Trusted);
        assert_eq!(trust.standing(project, "two").unwrap(), Standing::Changed);
        assert_eq!(trust.trusted_text(project).as_deref(), Some("one"));
        assert_eq!(trust.standing(Path::new("/other"), "one").unwrap(), Standing::Unknown);
        assert!(trust.remove(project).unwrap() && !trust.remove(project).unwrap());
        assert_eq!(trust.standing(project, "one").unwrap(), Standing::Unknown);
    }

    #[test]
    fn a_kept_text_that_somebody_changed_is_not_shown_as_the_trusted_one() {
        let temp = tempfile::tempdir().unwrap();
        let state = StateDir::open(temp.path().join("state")).unwrap();
        let (trust, project) = (HookTrust::of(&state), Path::new("/p"));
        trust.add(project, "one").unwrap();
        std::fs::write(trust.text_of(project), "two").unwrap();
        assert_eq!(trust.trusted_text(project), None);
        assert_eq!(trust.standing(project, "two").unwrap(), Standing::Changed);
    }
}
