//! Where sessions may be started from elsewhere than a terminal.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::SessionError;

/// From where a session is started, resumed or forked, if that is not a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place<'a> {
    /// The web page, in a paired browser.
    Page,
    /// A program with the token.
    Program,
    /// The chat of this messenger.
    Chat(&'a str),
}

/// The folders in which sessions may be started from elsewhere than a terminal, and in those below them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Folders {
    everywhere: Vec<PathBuf>,
    places: BTreeMap<String, Vec<PathBuf>>,
}

impl Place<'_> {
    /// Returns the name in settings: `page`, `program`, or that of the messenger.
    pub fn name(&self) -> &str {
        match self {
            Self::Page => "page",
            Self::Program => "program",
            Self::Chat(messenger) => messenger,
        }
    }
}

impl Folders {
    /// Adds a folder, an absolute path: for one place by its name, or for all of them.
    pub fn add(&mut self, place: Option<&str>, folder: PathBuf) {
        match place {
            Some(name) => self.places.entry(name.to_owned()).or_default().push(folder),
            None => self.everywhere.push(folder),
        }
    }

    /// Returns the names of places that have folders of their own.
    pub fn places(&self) -> impl Iterator<Item = &str> {
        self.places.keys().map(String::as_str)
    }

    /// Returns the folders of a place: those of every place, and its own.
    pub fn of(&self, place: Place<'_>) -> impl Iterator<Item = &Path> {
        let own = self.places.get(place.name()).into_iter().flatten();
        self.everywhere.iter().chain(own).map(PathBuf::as_path)
    }

    /// Returns the folder without links, if it is one of the place's or below one. Both are compared as they are once all
    /// links are followed.
    pub(super) fn allowed(&self, place: Place<'_>, wanted: &Path) -> Result<PathBuf, SessionError> {
        let refused = || SessionError::NotAllowed(wanted.to_owned());
        if !wanted.is_absolute() {
            return Err(SessionError::Folder(wanted.to_owned()));
        }
        let folder = wanted.canonicalize().map_err(|_| refused())?;
        let is_in = |allowed: &Path| allowed.canonicalize().is_ok_and(|allowed| folder.starts_with(allowed));
        if self.of(place).any(is_in) { Ok(folder) } else { Err(refused()) }
    }
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
        let mut folders = Folders::default();
        folders.add(None, path("link"));
        folders.add(None, path("gone"));
        let allowed = |wanted: &Path| folders.allowed(Place::Page, wanted);
        for (wanted, found) in [("work", "work"), ("work/site", "work/site"), ("link/site", "work/site")] {
            assert_eq!(allowed(&path(wanted)).unwrap(), path(found).canonicalize().unwrap());
        }
        for refused in ["other", "work-too", "work/out", "work/../other", "work/gone", "gone", ""] {
            assert!(matches!(allowed(&path(refused)), Err(SessionError::NotAllowed(_))), "{refused}");
        }
        assert!(matches!(allowed(Path::new("work")), Err(SessionError::Folder(_))));
        let none = Folders::default().allowed(Place::Page, &path("work"));
        assert!(matches!(none, Err(SessionError::NotAllowed(_))));
    }

    #[test]
    fn a_folder_of_one_place_is_allowed_there_and_nowhere_else() {
        let root = tempfile::tempdir().unwrap();
        let path = |name: &str| root.path().join(name);
        for name in ["all", "chat", "page"] {
            std::fs::create_dir_all(path(name)).unwrap();
        }
        let mut folders = Folders::default();
        folders.add(None, path("all"));
        folders.add(Some("telegram"), path("chat"));
        folders.add(Some("page"), path("page"));
        for (place, names) in [
            (Place::Chat("telegram"), &["all", "chat"][..]),
            (Place::Chat("discord"), &["all"]),
            (Place::Page, &["all", "page"]),
            (Place::Program, &["all"]),
        ] {
            let allowed =
                ["all", "chat", "page"].into_iter().filter(|name| folders.allowed(place, &path(name)).is_ok());
            assert_eq!(allowed.collect::<Vec<_>>(), names, "{place:?}");
        }
    }
}
