//! What is judged.

pub mod args;
pub mod names;
pub mod targets;

use std::fmt;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::places::{NO_PLACES, Places};
use crate::programs::repository::Repository;
use crate::shell::Shell;

/// A tool call, with everything that a rule may ask about it.
#[derive(Clone, Copy)]
pub struct Call<'a> {
    /// The tool's name, as the agent writes it.
    pub tool: &'a str,
    /// The whole input of the tool.
    pub input: &'a Map<String, Value>,
    /// The MCP server of the tool, where the agent names it.
    pub server: Option<&'a str>,
    /// The agent's mode, in its own words or in gemini-cli's: `default`, `acceptEdits`, `autoEdit`, `plan`, ...
    pub mode: Option<&'a str>,
    /// Where the agent works; absolute.
    pub cwd: Option<&'a Path>,
    /// The user's home directory, for `~/`.
    pub home: Option<&'a Path>,
    /// Which program asks: `claude-code`.
    pub agent: &'a str,
    /// The kind of the subagent, inside one.
    pub subagent: Option<&'a str>,
    /// Whether somebody is there to answer the agent's own prompts.
    pub interactive: bool,
    /// What the MCP server says of the tool. None where the agent does not pass it on.
    pub annotations: Option<&'a Map<String, Value>>,
    /// Files that decide what is allowed, prove who somebody is, or are run later.
    pub places: &'a Places,
    /// The shell that runs the commands of the shell's tool.
    pub shell: Shell,
    /// The time against which `expires` of a rule is held.
    pub now: Timestamp,
    /// Where a path leads when symbolic links are followed, of the longest part that exists. None when it leads nowhere
    /// else. Called only when a rule asks for paths.
    pub real_path: &'a dyn Fn(&Path) -> Option<PathBuf>,
    /// The names of the symbolic links in a folder: a glob may mean one of them. Called only for words with a glob.
    pub links_in: &'a dyn Fn(&Path) -> Vec<String>,
    /// Whether a folder holds a file that decides what an agent is allowed in the folder where it is
    /// ([`places::decides_in_its_folder`](crate::places::decides_in_its_folder)). Called only for an allow that moves a folder or takes
    /// it away.
    pub holds_rules: &'a dyn Fn(&Path) -> bool,
    /// What is known of the git repository that a folder is in. Called only for an allow of git.
    pub repository: &'a dyn Fn(&Path) -> Repository,
}

impl<'a> Call<'a> {
    /// A call of which nothing is known but the tool and its input.
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
            now,
            real_path: &|_| None,
            links_in: &|_| Vec::new(),
            holds_rules: &|_| false,
            repository: &|_| Repository::Plain,
        }
    }
}

/// Claude Code as an agent's name.
pub const CLAUDE_CODE: &str = "claude-code";

impl fmt::Debug for Call<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Call").field("tool", &self.tool).field("server", &self.server).finish_non_exhaustive()
    }
}
