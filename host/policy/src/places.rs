//! Protected places: files that decide what is allowed, that authenticate somebody, or that run later.
//!
//! | kind | examples | what no rule can allow |
//! |---|---|---|
//! | rules | the state directory, `.dmplz/`, `/etc/dmplz` | writing |
//! | client | settings, plugins, commands and MCP servers of Claude Code and of other agents | writing |
//! | component | this program, the `.wasm` that it loads | writing |
//! | secret | the gateway's token and socket, `config.toml` with the bot's token | writing and reading |
//! | start-up | `~/.zshrc`, `.git/hooks/`, `.git/config`, a file `.git`, `.envrc`, `~/.ssh/` | writing, except by a rule that names the place |
//!
//! Some are at fixed places ([`Roots`]), others in any folder (`ANYWHERE`), because a session may start there later.
//! Paths are compared without regard to case, because some file systems ignore it.

mod path;
mod word;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use path::Step;
pub(crate) use path::{Pattern, Spot};
pub(crate) use word::{Source, located, of_word, passes_only};

/// The kind of a protected place, which determines who may change it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Rules and settings of dmplz. Only a person at their own terminal writes them.
    Rules,
    /// Settings of an agent, and files that it loads when it starts. Only a person writes them.
    Client,
    /// A program or component that decides, or that answers pass through. Only a person writes it.
    Component,
    /// A credential. Only a person reads or writes it.
    Secret,
    /// A file that a shell, git or a session runs later. A rule that names the place may allow writing it.
    Startup,
}

/// The fixed places. All are absolute; `None` if the place is not known.
#[derive(Debug, Clone, Default)]
pub struct Roots {
    /// The user's home directory.
    pub home: Option<PathBuf>,
    /// The state directory of `dmplz`; `None` if it is not known.
    pub state: Option<PathBuf>,
    /// The folder of the administrator's files.
    pub admin: Option<PathBuf>,
    /// The folder of Claude Code's settings: `CLAUDE_CONFIG_DIR`, else `~/.claude`.
    pub client: Option<PathBuf>,
    /// The folders whose settings apply: the workspace and its parents.
    pub workspaces: Vec<PathBuf>,
    /// Programs, components and other files that the environment names.
    pub components: Vec<PathBuf>,
}

/// A file or folder.
#[derive(Debug, Clone)]
struct Place {
    kind: Kind,
    pattern: Pattern,
    extent: Extent,
}

/// The paths that belong to a place.
#[derive(Debug, Clone, Copy)]
enum Extent {
    /// The path of the place only, which is a file.
    File,
    /// Also everything below it.
    Below,
    /// Also everything below it, where a path with an unknown part leads only to the names that such files have.
    Secrets,
}

/// The protected places of a machine, as one call sees them; `None` for no places. They are computed when a call is
/// first checked against them; a deny does not need them.
pub struct Places(Option<LazyLock<Table, Compute>>);

type Compute = Box<dyn FnOnce() -> Table + Send + Sync>;

#[derive(Debug, Default)]
struct Table {
    /// Places at one fixed path each.
    fixed: Vec<Place>,
    /// Names that are protected in any folder.
    anywhere: Vec<Place>,
    /// Folders that may contain such names: replacing such a folder replaces the protected files in it.
    folders: Vec<Pattern>,
    /// The directory in which Linux lists processes.
    processes: Option<Pattern>,
}

/// How a program uses a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Use {
    /// It shows only names, sizes or dates.
    Names,
    /// It shows the content of the file.
    Reads,
    /// It shows the content of the file, or of all files below the folder.
    ReadsBelow,
    /// It creates or changes the file.
    Writes,
    /// It creates, changes or deletes the file, or anything below the folder.
    WritesBelow,
    /// It may use any path.
    Anything,
}

/// Secrets in the state directory. A file that is replaced is first written as `.new`, and what SQLite was told last stands in the `-wal`
/// beside its database.
const SECRETS: [&str; 12] = [
    "gateway.token", "gateway.token.new", "gateway.sock", "config.toml", "metrics.token", "metrics.token.new",
    "push.key", "push.key.new", "browsers.json", "browsers.json.new", "state.db", "state.db-wal",
];

/// Folders in the state directory with secrets in them: what went over the pipes of sessions, and what providers keep.
const SECRET_FOLDERS: [&str; 2] = ["sessions", "stored"];

/// The names of the files of a session. Those of providers are `<provider>-<16 hex digits>`, and `.tokens` behind that.
const OF_SESSION: [&str; 6] = ["lock", "socket", "session.json", "session.json.new", "log", "log.old"];

/// Names in the folder of Claude Code's settings. Commands, agents and skills can carry permissions of their own.
const CLIENT: [&str; 8] = [
    "settings.json", "settings.local.json", "plugins", "commands", "agents", "skills", "hooks", "managed-settings.json",
];

/// Names that are protected in any folder.
const ANYWHERE: &[(Kind, &[&str])] = &[
    (Kind::Rules, &[".dmplz"]),
    (
        Kind::Client,
        &[
            ".claude/settings.json", ".claude/settings.local.json", ".claude/plugins", ".claude/commands",
            ".claude/agents", ".claude/skills", ".claude/hooks", ".claude-plugin", ".mcp.json",
            ".gemini/settings.json", ".gemini/policies", ".gemini/commands", ".gemini/extensions", ".codex",
            ".cursor/mcp.json", ".cursor/cli.json", ".cursor/hooks.json", ".opencode", "opencode.json",
        ],
    ),
    (
        Kind::Startup,
        &[
            ".git/hooks", ".git/config", ".git/config.worktree", ".git/commondir", ".git/modules", ".git/worktrees",
            ".git/info/attributes", ".gitmodules", ".husky", ".envrc", ".vscode/tasks.json", ".vscode/settings.json",
            ".vscode/launch.json", ".devcontainer", ".devcontainer.json",
        ],
    ),
];

/// The file that names the folder of a repository, in any folder. What is in a folder of this name is listed above.
const GIT_FILE: &str = ".git";

/// Names in the home directory.
const HOME: &[(Kind, &[&str])] = &[
    (
        Kind::Client,
        &[".claude.json", ".gemini/settings.json", ".codex", ".config/opencode", ".config/claude", ".config/Claude"],
    ),
    (
        Kind::Startup,
        &[
            ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile", ".zshrc",
            ".zshenv", ".zprofile", ".zlogin", ".zlogout", ".oh-my-zsh", ".kshrc", ".mkshrc", ".cshrc", ".tcshrc",
            ".login", ".inputrc", ".xprofile", ".xinitrc", ".xsession", ".xsessionrc", ".pam_environment",
            ".config/fish", ".config/nushell", ".config/environment.d", ".config/systemd", ".config/autostart",
            ".config/git", ".gitconfig", ".git-templates", ".ssh", ".npmrc", ".yarnrc", ".yarnrc.yml", ".cargo/config",
            ".cargo/config.toml", ".cargo/bin", ".local/bin", "bin", ".vimrc", ".vim", ".config/nvim", ".emacs",
            ".emacs.d", ".tmux.conf", ".screenrc", ".config/direnv", ".direnvrc", ".pythonrc", ".config/pip",
            ".gdbinit", ".config/gdb", ".lldbinit", ".local/share/systemd", ".local/share/applications",
            "Library/LaunchAgents",
        ],
    ),
];

/// Paths that are the same on every machine.
const MACHINE: &[(Kind, &[&str])] = &[
    (Kind::Client, &["/etc/claude-code", "/Library/Application Support/ClaudeCode"]),
    (
        Kind::Startup,
        &["/etc/crontab", "/etc/cron.d", "/var/spool/cron", "/etc/profile", "/etc/profile.d", "/etc/ld.so.preload"],
    ),
];

/// Returns a value that protects no place.
pub static NO_PLACES: Places = Places(None);

impl Places {
    /// Returns the protected places of a machine.
    pub fn of(roots: Roots) -> Self {
        Self::found(move || roots)
    }

    /// Returns the protected places of a machine, whose roots are computed when they are first needed.
    pub fn found(roots: impl FnOnce() -> Roots + Send + Sync + 'static) -> Self {
        let compute: Compute = Box::new(move || Table::of(&roots()));
        Self(Some(LazyLock::new(compute)))
    }

    /// Returns whether nothing is protected.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Returns the protected place that a use of a path may reach, and that holds back every allow. `named` states
    /// that the rule itself names the path, which suffices for files that run later.
    pub(crate) fn reached(&self, spot: &Spot, how: Use, named: bool) -> Option<Kind> {
        let table = self.0.as_deref()?;
        let minds = |place: &&Place| !(named && place.kind == Kind::Startup);
        let secret = |place: &&Place| place.kind == Kind::Secret;
        let inside = |place: &&Place| match place.extent {
            Extent::File => spot.may_be(&place.pattern),
            Extent::Below => spot.may_be_inside(&place.pattern),
            Extent::Secrets => spot.may_be_inside(&place.pattern) && spot.ends_open_or(may_lead_to_secret),
        };
        let above = |place: &&Place| spot.may_be_above(&place.pattern);
        let all = || table.fixed.iter().chain(&table.anywhere).filter(minds);
        if how != Use::Names && spot.may_be_inside_of_process() {
            return Some(Kind::Secret);
        }
        // The directory of processes contains links to every file.
        if matches!(how, Use::ReadsBelow | Use::WritesBelow)
            && table.processes.iter().any(|place| spot.may_be_inside(place))
        {
            return Some(Kind::Secret);
        }
        let found = match how {
            // The name of a secret is not secret, but a program that shows the name may open the file.
            Use::Names => all().filter(secret).find(|place| inside(place) && !spot.is_anywhere()),
            Use::Reads => all().filter(secret).find(inside),
            Use::ReadsBelow => all().filter(secret).find(|place| inside(place) || above(place)),
            Use::Writes => all().find(inside),
            Use::WritesBelow if table.folders.iter().any(|folder| spot.may_hold(folder)) => return Some(Kind::Rules),
            Use::WritesBelow => all().find(|place| inside(place) || above(place)),
            // A folder that contains a secret holds the allow back, unless its path is as short as ordinary arguments
            // are.
            Use::Anything => {
                all().find(inside).or_else(|| all().filter(secret).find(|place| above(place) && !spot.is_short()))
            }
        };
        found.map(|place| place.kind)
    }
}

/// Returns whether a file decides what an agent may do in the file's own folder: a file of dmplz or of an agent that
/// counts in any folder. Called for every file below a folder that is moved or deleted.
pub fn decides_in_its_folder(path: &Path) -> bool {
    static PATTERNS: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
        let deciding = ANYWHERE.iter().filter(|(kind, _)| *kind != Kind::Startup);
        deciding.flat_map(|(_, names)| names.iter().map(|name| Pattern::anywhere(name))).collect()
    });
    let spot = Spot::of(path);
    PATTERNS.iter().any(|pattern| spot.may_be_inside(pattern))
}

/// Returns whether a step of a path may name a folder of secrets, or a file in it.
fn may_lead_to_secret(step: &Step) -> bool {
    let listed = SECRET_FOLDERS.iter().chain(&OF_SESSION).any(|name| step.may_be(name));
    let is_hex = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let stored = match step {
        Step::Name(name) => {
            let key = name.split('.').next().unwrap_or_default();
            key.rsplit_once('-').is_some_and(|(_, digest)| digest.len() == 16 && is_hex(digest))
        }
        // Of a glob only the end of the name counts.
        Step::Glob(texts) => {
            texts.last().is_some_and(|end| end.ends_with(".tokens") || ".tokens".ends_with(end.as_str()) || is_hex(end))
        }
        Step::Any => true,
    };
    listed || stored
}

impl fmt::Debug for Places {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Places").finish_non_exhaustive()
    }
}

impl Table {
    fn of(roots: &Roots) -> Self {
        let mut table = Self::default();
        for (kind, names) in MACHINE {
            names.iter().for_each(|name| table.fix(*kind, Path::new(name)));
        }
        for (kind, names) in HOME {
            table.below(*kind, roots.home.as_deref(), names, Extent::Below);
        }
        table.below(Kind::Secret, roots.state.as_deref(), &SECRETS, Extent::File);
        table.below(Kind::Secret, roots.state.as_deref(), &SECRET_FOLDERS, Extent::Secrets);
        for root in [&roots.state, &roots.admin].into_iter().flatten() {
            table.fix(Kind::Rules, root);
        }
        table.below(Kind::Client, roots.client.as_deref(), &CLIENT, Extent::Below);
        roots.components.iter().for_each(|path| table.fix(Kind::Component, path));
        let anywhere = |kind, name: &str, extent| Place { kind, pattern: Pattern::anywhere(name), extent };
        for (kind, names) in ANYWHERE {
            table.anywhere.extend(names.iter().map(|name| anywhere(*kind, name, Extent::Below)));
        }
        table.anywhere.push(anywhere(Kind::Startup, GIT_FILE, Extent::File));
        table.processes = Pattern::fixed(Path::new("/proc"));
        table.folders =
            roots.workspaces.iter().chain(&roots.home).filter_map(|folder| Pattern::fixed(folder)).collect();
        table
    }

    fn below(&mut self, kind: Kind, root: Option<&Path>, names: &[&str], extent: Extent) {
        let Some(root) = root.and_then(Pattern::fixed) else { return };
        self.fixed.extend(names.iter().map(|name| Place { kind, pattern: root.join(name), extent }));
    }

    fn fix(&mut self, kind: Kind, path: &Path) {
        self.fixed.extend(Pattern::fixed(path).map(|pattern| Place { kind, pattern, extent: Extent::Below }));
    }
}

#[cfg(test)]
mod tests;
