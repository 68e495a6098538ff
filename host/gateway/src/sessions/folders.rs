//! Where sessions may be started from elsewhere than a terminal.

use std::path::{Path, PathBuf};

use super::SessionError;

/// The folder without links, if it is one of these or below one. Both are compared as they are once all links are followed.
pub(super) fn allowed(folders: &[PathBuf], wanted: &Path) -> Result<PathBuf, SessionError> {
    let refused = || SessionError::NotAllowed(wanted.to_owned());
    if !wanted.is_absolute() {
        return Err(SessionError::Folder(wanted.to_owned()));
    }
    let folder = wanted.canonicalize().map_err(|_| refused())?;
    let is_in = |allowed: &PathBuf| allowed.canonicalize().is_ok_and(|allowed| folder.starts_with(allowed));
    if folders.iter().any(is_in) { Ok(folder) } else { Err(refused()) }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn only_the_folders_of_the_operator_and_those_below_are_allowed_whatever_links_say() {
        let root = tempfile::tempdir().unwrap();
        let path = |name: &str| root.path().join(name);
        for name in ["work/site", "work-too", "other"] {
            std::fs::create_dir_all(path(name)).unwrap();
        }
        symlink(path("other"), path("work/out")).unwrap();
        symlink(path("work"), path("link")).unwrap();
        let folders = [path("link"), path("gone")];
        for (wanted, found) in [("work", "work"), ("work/site", "work/site"), ("link/site", "work/site")] {
            assert_eq!(allowed(&folders, &path(wanted)).unwrap(), path(found).canonicalize().unwrap());
        }
        for refused in ["other", "work-too", "work/out", "work/../other", "work/gone", "gone", ""] {
            assert!(matches!(allowed(&folders, &path(refused)), Err(SessionError::NotAllowed(_))), "{refused}");
        }
        assert!(matches!(allowed(&folders, Path::new("work")), Err(SessionError::Folder(_))));
        assert!(matches!(allowed(&[], &path("work")), Err(SessionError::NotAllowed(_))));
    }
}
