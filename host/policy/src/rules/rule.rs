//! A rule, as it was read from a file.

use std::path::PathBuf;
use std::sync::Arc;

use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::rules::decision::Decision;
use crate::rules::pattern::{Domains, Glob, Paths, Pattern};

/// Where a rule comes from, and so what weight it has. In order: a higher tier decides first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// `.dmplz/policy.toml` of the folder where the agent works.
    Workspace,
    /// Files in the state directory, which are the user's own.
    User,
    /// Files in `/etc/dmplz/policy.d`, which are the administrator's.
    Admin,
}

/// Where a policy file came from, and how far it is trusted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The tier to which the file belongs.
    pub tier: Tier,
    /// Its path, for messages.
    pub path: PathBuf,
    /// The folder that `paths` and `cwd` are anchored in. None means where the agent works.
    pub root: Option<PathBuf>,
    /// Whether its allows count. Those of a workspace do when a person trusted the file as it is.
    pub trusted: bool,
}

/// One `[[rule]]` of a policy file.
#[derive(Debug, Clone)]
pub struct Rule {
    /// The file in which the rule stands.
    pub origin: Arc<Origin>,
    /// The line of its `[[rule]]`, from 1.
    pub line: u32,
    /// What people call it.
    pub name: Option<String>,
    /// What the rule decides where it holds.
    pub decision: Decision,
    /// 0 to 999; more decides first within a tier.
    pub priority: u16,
    /// When it applies. All must hold.
    pub when: When,
    /// It is looked at whatever other rules say, and what it may be about is never allowed: a `[[safety_checker]]`, which
    /// is not run here. Such a rule asks.
    pub safety_check: bool,
    /// Whether an allow holds for commands that are redirected to files.
    pub allow_redirection: bool,
    /// What the agent reads when it denies.
    pub deny_message: Option<String>,
    /// Why it is there, for people.
    pub reason: Option<String>,
    /// Calls that it must match, and calls that it must not.
    pub examples: Examples,
}

/// The conditions of a rule. An empty one always holds.
#[derive(Debug, Clone, Default)]
pub struct When {
    /// The tools' names in the table's first spelling ([`crate::call::names`]). None means every tool.
    pub tools: Option<Vec<Glob>>,
    /// The MCP server; `*` means any.
    pub server: Option<Glob>,
    /// What the arguments of an MCP tool must be.
    pub arguments: Arguments,
    /// The files of a file tool.
    pub paths: Option<Paths>,
    /// The hosts of a web tool.
    pub domains: Option<Domains>,
    /// Where the agent works.
    pub cwd: Option<Paths>,
    /// Modes, in the table's first spelling.
    pub modes: Vec<String>,
    /// Whether somebody is at the terminal.
    pub interactive: Option<bool>,
    /// All of these must be what the server says of the tool.
    pub annotations: Option<Map<String, Value>>,
    /// The kind of the subagent.
    pub subagent: Option<Glob>,
    /// The program that must ask, by its name.
    pub agent: Option<Glob>,
    /// It holds before this moment.
    pub expires: Option<Timestamp>,
}

/// A condition on the arguments.
#[derive(Debug, Clone, Default)]
pub enum Arguments {
    /// Any arguments will do.
    #[default]
    Any,
    /// One of these, on the whole input as gemini-cli writes it ([`crate::call::args`]).
    Args(Vec<Pattern>),
    /// The command begins with the words of one of these.
    Prefixes(Vec<Vec<String>>),
    /// The command matches from its beginning.
    Command(Pattern),
}

/// The examples of a rule: `match` and `not_match`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Examples {
    /// Calls that the rule must match.
    pub matching: Vec<Example>,
    /// Calls that it must not.
    pub not_matching: Vec<Example>,
}

/// One call that a rule must match, or must not match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// Its line in the file, from 1.
    pub line: u32,
    /// Its column, from 1, in characters.
    pub column: u32,
    /// What it is an example of: a command, a path or a URL as text, or a whole input.
    pub input: ExampleInput,
}

/// What an example gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExampleInput {
    /// A command for the shell, a path for a file tool, a URL for a web tool.
    Text(String),
    /// The whole input of the tool.
    Input(Map<String, Value>),
}

impl Rule {
    /// Where the rule stands: `file:line`.
    pub fn place(&self) -> String {
        format!("{}:{}", self.origin.path.display(), self.line)
    }
}
