//! Finds and reads the policy files.
//!
//! | tier | files | its allows count if |
//! |---|---|---|
//! | admin | `*.toml` in `/etc/dmplz/policy.d` | they, that folder and every folder above belong to root, and nobody else may write |
//! | user | `policy.toml`, and `*.toml` in `policy.d`, in the state directory | they and their folders belong to the user, and nobody else may write |
//! | workspace | `.dmplz/policy.toml` in the agent's folder, in that where its session began, and in every folder above, up to the home directory or the root | a person has trusted the file in its present form (`dmplz policy trust`) |
//!
//! Denies and asks always count, whoever wrote them. All files of a workspace count, not only the nearest one, because
//! a program that may write to a lower folder could otherwise remove the denies of the folders above.
//!
//! A file has a [`Problem`](dmplz_policy::file::Problem) if it cannot be read, is too large, is not UTF-8, is a
//! symbolic link that leads out of its folder, or may have been written by others. Then nothing of its tier or below is
//! allowed; the denies of what could be read stay. A missing file is no problem. Without any policy this costs a few failed `open`s.

mod read;

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use dmplz_core::claude::config_dir;
use dmplz_policy::File;
use dmplz_policy::authoring::examples::checked;
use dmplz_policy::file::{Loading, Suspicion, TrustList, only_in_comments};
use dmplz_policy::{Origin, Tier};
use dmplz_state::{FileError, Proven, Standing, StateDir, Trust, TrustError};

use self::read::{Content, listed, read};
use crate::guard::Guard;
use crate::service;
use crate::settings::{self, Environment, environment};

/// The administrator's folder. No setting changes it.
const ADMIN: &str = "/etc/dmplz/policy.d";
/// The path of a workspace's file.
pub(super) const WORKSPACE: &str = ".dmplz/policy.toml";

/// The places where the policy files of the three tiers are searched for.
#[derive(Debug)]
pub(crate) struct Tiers {
    admin: PathBuf,
    guard: Guard,
    /// The state directory, if it is known.
    state: Option<PathBuf>,
    home: Option<PathBuf>,
    /// The agent's working directory, and that in which its session began.
    folders: Vec<PathBuf>,
}

/// The files that were read.
#[derive(Debug, Default)]
pub(crate) struct Loaded {
    pub(crate) files: Vec<File>,
    /// The trust status of the workspaces' files, by their canonical paths.
    pub(crate) workspaces: Vec<(PathBuf, Standing)>,
}

/// Returns the files that decide for an agent that works in `cwd`.
pub(crate) fn files(cwd: &Path) -> Vec<File> {
    Tiers::of(Some(cwd), &environment).load().files
}

/// Returns the folder of Claude Code's settings. One that is not absolute is where the client, in this directory, looks.
fn client_folder() -> Option<PathBuf> {
    std::path::absolute(config_dir(environment)?).ok()
}

/// Returns programs and files that decide, or through which answers are sent: this program, the files that the settings
/// name, and the units that start the gateway.
fn components(home: Option<&Path>) -> Vec<PathBuf> {
    // Replacing the program would make every rule useless.
    let program = std::env::current_exe().ok();
    let named =
        settings::written(&environment, &["DMPLZ_PROVIDER", "DMPLZ_GATEWAY_PROVIDERS", "DMPLZ_CA_FILE"]).into_iter();
    // The gateway takes a list of components and of messengers' names.
    let listed = |value: String| -> Vec<String> {
        value.split(',').map(|one| one.trim().to_owned()).chain([value.clone()]).collect()
    };
    let named = named.flat_map(listed).filter(|name| dmplz_bundled::messenger(name).is_none());
    let named = named.filter_map(|path| std::path::absolute(path).ok());
    let below_home = |file: &str| home.map(|home| home.join(file));
    let units = [
        Some(PathBuf::from("/etc/systemd/system/dmplz.service")),
        below_home(service::SYSTEMD_FILE),
        below_home(service::LAUNCHD_FILE),
    ];
    program.into_iter().chain(named).chain(units.into_iter().flatten()).collect()
}

impl Tiers {
    /// Returns the tiers of this machine.
    pub(crate) fn of(cwd: Option<&Path>, environment: Environment<'_>) -> Self {
        let absolute = |path: &PathBuf| path.is_absolute();
        let variable = |name: &str| environment(name).map(PathBuf::from).filter(absolute);
        let folders = cwd.map(Path::to_owned).filter(absolute).into_iter().chain(variable("CLAUDE_PROJECT_DIR"));
        Self {
            admin: PathBuf::from(ADMIN),
            guard: Guard::root(),
            state: settings::state_dir(environment).ok(),
            home: variable("HOME"),
            folders: folders.collect(),
        }
    }

    /// Returns the user's home directory.
    pub(crate) fn home(&self) -> Option<&Path> {
        self.home.as_deref()
    }

    /// Returns the state directory, if it is known.
    pub(crate) fn state(&self) -> Option<&Path> {
        self.state.as_deref()
    }

    /// Reads the files. It never fails: errors are among the files' problems.
    pub(crate) fn load(&self) -> Loaded {
        let mut loaded = Loaded::default();
        self.admin(&mut loaded);
        self.user(&mut loaded);
        self.workspaces(&mut loaded);
        loaded
    }

    /// Returns the files that no rule allows to write, or to read.
    pub(crate) fn protected(&self) -> dmplz_policy::Places {
        let admin = self.admin.parent().map(Path::to_owned);
        let (home, state) = (self.home.clone(), self.state.clone());
        let workspaces = self.ancestors().into_iter().map(Path::to_owned).collect::<Vec<_>>();
        dmplz_policy::Places::found(move || dmplz_policy::Roots {
            client: client_folder(),
            components: components(home.as_deref()),
            home,
            state,
            admin,
            workspaces,
        })
    }

    fn admin(&self, loaded: &mut Loaded) {
        let names = match listed(&self.admin) {
            Ok(names) if names.is_empty() => return,
            Ok(names) => names,
            Err(what) => return loaded.files.push(unread(Tier::Admin, &self.admin, what)),
        };
        let suspicion = self.guard.suspects_path(&self.admin);
        for path in names {
            loaded.files.extend(self.own(Tier::Admin, &path, &self.admin, &self.guard, || suspicion.clone()));
        }
    }

    fn user(&self, loaded: &mut Loaded) {
        let Some(state) = &self.state else { return };
        let folder = state.join("policy.d");
        let mut names = vec![state.join("policy.toml")];
        match listed(&folder) {
            Ok(more) => names.extend(more),
            Err(what) => loaded.files.push(unread(Tier::User, &folder, what)),
        }
        let guard = Guard::of_this_user();
        for path in names {
            let suspicion =
                || path.parent().and_then(|parent| guard.suspects(parent)).or_else(|| guard.suspects(state));
            loaded.files.extend(self.own(Tier::User, &path, state, &guard, suspicion));
        }
    }

    fn workspaces(&self, loaded: &mut Loaded) {
        let mut trust = None;
        for folder in self.ancestors() {
            let path = folder.join(WORKSPACE);
            let content = match read(&path, folder) {
                Ok(Some(content)) => content,
                Ok(None) => continue,
                Err(what) => {
                    loaded.files.push(unread(Tier::Workspace, &path, what));
                    continue;
                }
            };
            let trust = trust.get_or_insert_with(|| self.own_state().map(|state| Trust::of(&state)));
            let (file, standing) = self.workspace(folder, path, &content, trust);
            loaded.files.push(file);
            loaded.workspaces.push((content.canonical, standing));
        }
    }

    /// Reads the file of a workspace.
    fn workspace(&self, folder: &Path, path: PathBuf, content: &Content, trust: &Option<Trust>) -> (File, Standing) {
        let standing = trust.as_ref().map(|trust| trust.standing(&content.canonical, content.text.as_bytes()));
        let (standing, trouble) = match standing {
            Some(Ok(standing)) => (standing, None),
            Some(Err(error)) => (Standing::Unknown, Some(Loading::TrustUnknown(unusable(error)))),
            None => (Standing::Unknown, None),
        };
        let changed = (standing == Standing::Changed).then_some(Loading::Changed);
        let trusted = standing == Standing::Trusted;
        let origin = Origin { tier: Tier::Workspace, path, root: Some(folder.to_owned()), trusted };
        let mut file = self.content(content, origin);
        if let Some(what) = trouble.or(changed) {
            file.blame(what);
        }
        (file, standing)
    }

    /// Reads a file of a tier whose files are trusted if no other user can write them. `suspicion` is about its
    /// folders.
    fn own(
        &self,
        tier: Tier,
        path: &Path,
        folder: &Path,
        guard: &Guard,
        suspicion: impl FnOnce() -> Option<Suspicion>,
    ) -> Option<File> {
        let content = match read(path, folder) {
            Ok(content) => content?,
            Err(what) => return Some(unread(tier, path, what)),
        };
        let suspicion = suspicion().or_else(|| guard.suspects_file(path, &content.metadata));
        let origin = Origin { tier, path: path.to_owned(), root: None, trusted: suspicion.is_none() };
        let mut file = self.content(&content, origin);
        if let Some(what) = suspicion {
            file.blame(Loading::Suspect(what));
        }
        Some(file)
    }

    fn content(&self, content: &Content, origin: Origin) -> File {
        let mut file = self.parse(&content.text, origin);
        if !content.is_utf8 {
            match only_in_comments(&content.text, char::REPLACEMENT_CHARACTER) {
                true => file.blame(Loading::NotUtf8),
                false => file.lose(Loading::NotUtf8),
            }
        }
        file
    }

    /// Parses a file. Its examples are not checked again if they passed before.
    fn parse(&self, text: &str, origin: Origin) -> File {
        let Some(proven) = self.own_state().map(|state| Proven::of(&state)) else {
            return checked(File::parse(text, origin));
        };
        let root = origin.root.clone();
        if proven.holds(text, root.as_deref(), PROGRAM) {
            return File::parse(text, origin);
        }
        let file = checked(File::parse(text, origin));
        if file.problems.is_empty() {
            proven.keep(text, root.as_deref(), PROGRAM);
        }
        file
    }

    /// Returns the state directory, if it exists and belongs to this user alone.
    fn own_state(&self) -> Option<StateDir> {
        StateDir::find(self.state.as_deref()?).ok().flatten()
    }

    /// Returns the working directories and the folders above them, each once.
    fn ancestors(&self) -> Vec<&Path> {
        let mut seen = BTreeSet::new();
        let mut all = Vec::new();
        for folder in &self.folders {
            for ancestor in folder.ancestors() {
                if seen.insert(ancestor) {
                    all.push(ancestor);
                }
                if self.home.as_deref() == Some(ancestor) {
                    break;
                }
            }
        }
        all
    }
}

/// The version is a part of the key, because another version may read a rule in another way.
const PROGRAM: &str = env!("CARGO_PKG_VERSION");

fn unread(tier: Tier, path: &Path, what: Loading) -> File {
    File::unreadable(Origin { tier, path: path.to_owned(), root: None, trusted: false }, what)
}

/// Returns what is wrong with the list of trusted files.
fn unusable(error: TrustError) -> TrustList {
    match error {
        TrustError::Corrupt(path) => TrustList::Corrupt(path),
        TrustError::Foreign(path) => TrustList::Foreign(path),
        TrustError::File(FileError::Io { path, source }) => TrustList::Unreadable { path, error: source.to_string() },
        TrustError::File(FileError::Busy(path)) => {
            TrustList::Unreadable { path, error: ErrorKind::ResourceBusy.to_string() }
        }
        TrustError::NotUtf8(path) => TrustList::Unreadable { path, error: ErrorKind::InvalidInput.to_string() },
    }
}

#[cfg(test)]
mod tests;
