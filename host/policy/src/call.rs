//! The tool call that is judged.

pub mod args;
pub(crate) mod paths;
pub mod targets;
pub mod tool_name;

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::places::{NO_PLACES, Places};
use crate::programs::repository::Repository;
use crate::shell::Shell;

/// A tool call, with everything that a rule's conditions can refer to.
#[derive(Clone, Copy)]
pub struct Call<'a> {
    /// The tool's name, as the agent writes it.
    pub tool: &'a str,
    /// The whole input of the tool.
    pub input: &'a Map<String, Value>,
    /// The MCP server of the tool, if the agent names it.
    pub server: Option<&'a str>,
    /// The agent's mode, in its own spelling or in gemini-cli's: `default`, `acceptEdits`, `autoEdit`, `plan`, ...
    pub mode: Option<&'a str>,
    /// The agent's working directory; absolute.
    pub cwd: Option<&'a Path>,
    /// The user's home directory, for `~/`.
    pub home: Option<&'a Path>,
    /// The name of the program that asks: `claude-code`.
    pub agent: &'a str,
    /// The kind of the subagent that makes the call, if one does.
    pub subagent: Option<&'a str>,
    /// Whether a person is at the terminal to answer the agent's own prompts.
    pub interactive: bool,
    /// The tool's annotations from its MCP server. `None` if the agent does not pass them on.
    pub annotations: Option<&'a Map<String, Value>>,
    /// The protected places: files that decide what is allowed, that authenticate somebody, or that run later.
    pub places: &'a Places,
    /// The shell that runs the commands of the shell tool.
    pub shell: Shell,
    /// The value of `CDPATH`: the folders in which that shell looks for what `cd` names, with colons between them. `None`
    /// if it is not set.
    pub cd_path: Option<&'a str>,
    /// The current time, which is compared with a rule's `expires`.
    pub now: Timestamp,
    /// Returns the path after following symbolic links in its longest existing prefix. `None` if that is the same
    /// path. Called only if a rule has `paths`.
    pub real_path: &'a dyn Fn(&Path) -> Option<PathBuf>,
    /// Returns the entries of a folder that a glob can lead through. `None` if too many were listed for this call.
    /// Called only for words with a glob, and where a line makes a repository.
    pub entries_in: &'a dyn Fn(&Path) -> Option<Entries>,
    /// Returns whether a folder contains a file that decides what an agent may do in that folder
    /// ([`places::decides_in_its_folder`](crate::places::decides_in_its_folder)). Called only for an allow that moves
    /// or deletes a folder.
    pub holds_rules: &'a dyn Fn(&Path) -> bool,
    /// Returns the symbolic links below a path, or the link that it is: each path from there, and where it leads, as
    /// written. `None` if there may be more. Called only for an allow that copies, moves or makes links, or follows them.
    pub links_below: &'a dyn Fn(&Path) -> Option<Links>,
    /// Returns what is known about the git repository that a folder belongs to. Called only for an allow of git.
    pub repository: &'a dyn Fn(&Path) -> Repository,
}

impl<'a> Call<'a> {
    /// Returns a call of which only the tool and its input are known.
    pub fn new(tool: &'a str, input: &'a Map<String, Value>, now: Timestamp) -> Self {
        Self {
            tool,
            input,
            server: None,
            mode: None,
            cwd: None,
            home: None,
            agent: CLAUDE_CODE,
            subagent: None,
            interactive: true,
            annotations: None,
            places: &NO_PLACES,
            shell: Shell::Unknown,
            cd_path: None,
            now,
            real_path: &|_| None,
            entries_in: &|_| Some(Entries::default()),
            holds_rules: &|_| false,
            links_below: &|_| Some(Vec::new()),
            repository: &|_| Repository::Plain,
        }
    }
}

/// The entries of a folder that a path can lead through.
#[derive(Debug, Clone, Default)]
pub struct Entries {
    /// The names of the symbolic links.
    pub links: Vec<OsString>,
    /// The names of the folders.
    pub folders: Vec<OsString>,
}

/// Symbolic links: the path of each, and where it leads, as written.
pub type Links = Vec<(PathBuf, PathBuf)>;

/// Claude Code as an agent's name.
pub const CLAUDE_CODE: &str = "claude-code";

impl fmt::Debug for Call<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Call").field("tool", &self.tool).field("server", &self.server).finish_non_exhaustive()
    }
}
