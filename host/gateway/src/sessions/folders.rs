//! From where sessions are started, resumed and forked, and in which folders that is allowed. A terminal does it anywhere;
//! somebody elsewhere in the folders that the operator allowed there, with the gateway's environment.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dmplz_protocol::Refusal;
use dmplz_protocol::session::{Session, Sessions as Listed, StartSession};
use uuid::Uuid;

use super::Sessions;
use super::view::View;

/// From where a session is started, resumed or forked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place<'a> {
    /// A process of the same user, such as a command in a terminal. No folder is refused to it.
    Terminal,
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
    /// Returns the name in settings: `page`, `program`, or that of the messenger. A terminal is shown the folders of programs.
    pub fn name(&self) -> &str {
        match self {
            Self::Page => "page",
            Self::Program | Self::Terminal => "program",
            Self::Chat(messenger) => messenger,
        }
    }

    /// Insists that an environment is given by a terminal only.
    pub(super) fn gives(&self, env: Option<&BTreeMap<String, String>>) -> Result<(), Refusal> {
        if env.is_some() && *self != Self::Terminal { Err(Refusal::EnvNotAllowed) } else { Ok(()) }
    }
}

impl Sessions {
    /// Returns the sessions that are known, and what may be started and set, for somebody at a place.
    pub fn listed(&self, place: Place<'_>) -> Listed {
        Listed { sessions: self.list(), folders: self.folders(place), modes: self.shared.setup.modes.clone() }
    }

    /// Returns the folders in which sessions may be started from a place.
    pub fn folders(&self, place: Place<'_>) -> Vec<String> {
        self.shared.setup.folders.of(place).map(|folder| folder.display().to_string()).collect()
    }

    /// Starts a session as a messenger may tell twice: where there is a session of this id, it is the one that was started
    /// before. Its first message is sent by [`Self::send_once`].
    pub async fn start_once(&self, id: Uuid, wanted: StartSession, place: Place<'_>) -> Result<Session, Refusal> {
        let cwd = self.shared.setup.folders.allowed(place, &wanted.cwd)?;
        if self.find(id).is_err() {
            self.start_as(id, StartSession { cwd, env: None, prompt: None, ..wanted }).await?;
        }
        Ok(self.find(id)?.view.session())
    }

    /// Returns a session with which somebody at this place may go on, and with this environment.
    pub(super) fn may_go_on(
        &self,
        id: Uuid,
        env: Option<&BTreeMap<String, String>>,
        place: Place<'_>,
    ) -> Result<Arc<View>, Refusal> {
        place.gives(env)?;
        let view = self.find(id)?.view;
        self.shared.setup.folders.allowed(place, Path::new(&view.session().cwd))?;
        Ok(view)
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
    /// links are followed. A terminal may start sessions in every folder, which is returned as it is.
    pub(super) fn allowed(&self, place: Place<'_>, wanted: &Path) -> Result<PathBuf, Refusal> {
        if place == Place::Terminal {
            return Ok(wanted.to_owned());
        }
        let refused = || Refusal::FolderNotAllowed { folder: wanted.to_owned() };
        if !wanted.is_absolute() {
            return Err(Refusal::NoFolder { folder: wanted.to_owned() });
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
            assert!(matches!(allowed(&path(refused)), Err(Refusal::FolderNotAllowed { .. })), "{refused}");
        }
        assert!(matches!(allowed(Path::new("work")), Err(Refusal::NoFolder { .. })));
        let none = Folders::default().allowed(Place::Page, &path("work"));
        assert!(matches!(none, Err(Refusal::FolderNotAllowed { .. })));
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
            (Place::Terminal, &["all", "chat", "page"]),
        ] {
            let allowed =
                ["all", "chat", "page"].into_iter().filter(|name| folders.allowed(place, &path(name)).is_ok());
            assert_eq!(allowed.collect::<Vec<_>>(), names, "{place:?}");
        }
    }
}
