//! A rule of a policy file.

use std::path::PathBuf;
use std::sync::Arc;

use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::rules::decision::Decision;
use crate::rules::pattern::{Domains, Glob, Paths, Pattern};

/// The origin of a rule, which determines its weight. In order: a higher tier decides first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// `.dmplz/policy.toml` of the agent's working directory.
    Workspace,
    /// Files in the state directory, which belong to the user.
    User,
    /// Files in `/etc/dmplz/policy.d`, which belong to the administrator.
    Admin,
}

/// The origin of a policy file, and how far it is trusted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The tier to which the file belongs.
    pub tier: Tier,
    /// Its path, for messages.
    pub path: PathBuf,
    /// The base folder of `paths` and `cwd`. `None` means the agent's working directory.
    pub root: Option<PathBuf>,
    /// Whether its allows apply. Those of a workspace do if a person trusted the file in its present form.
    pub trusted: bool,
}

/// One `[[rule]]` of a policy file.
#[derive(Debug, Clone)]
pub struct Rule {
    /// The file that contains the rule.
    pub origin: Arc<Origin>,
    /// The line of its `[[rule]]`, from 1.
    pub line: u32,
    /// The name for people.
    pub name: Option<String>,
    /// The decision if the rule matches.
    pub decision: Decision,
    /// 0 to 999; a higher priority decides first within a tier.
    pub priority: u16,
    /// The conditions, all of which must hold.
    pub when: When,
    /// Whether it is a `[[safety_checker]]`, which dmplz does not run. Such a rule asks: it applies whatever other
    /// rules say, and a call that it may be about is never allowed.
    pub safety_check: bool,
    /// Whether an allow covers commands that are redirected to files.
    pub allow_redirection: bool,
    /// The message for the agent if the rule denies.
    pub deny_message: Option<String>,
    /// The reason for the rule, for people.
    pub reason: Option<String>,
    /// Calls that it must match, then calls that it must not match.
    pub examples: Vec<Example>,
}

/// The conditions of a rule. An empty one always holds.
#[derive(Debug, Clone, Default)]
pub struct When {
    /// The tools' names in the table's first spelling ([`crate::tools`]). `None` means every tool.
    pub tools: Option<Vec<Glob>>,
    /// The MCP server; `*` means any.
    pub server: Option<Glob>,
    /// The condition on the arguments.
    pub arguments: Arguments,
    /// The files of a file tool.
    pub paths: Option<Paths>,
    /// The hosts of a web tool.
    pub domains: Option<Domains>,
    /// The agent's working directory.
    pub cwd: Option<Paths>,
    /// The modes, in the table's first spelling.
    pub modes: Vec<String>,
    /// Whether a person is at the terminal.
    pub interactive: Option<bool>,
    /// The annotations that the MCP server must have given the tool, at least.
    pub annotations: Option<Map<String, Value>>,
    /// The kind of the subagent.
    pub subagent: Option<Glob>,
    /// The name of the program that asks.
    pub agent: Option<Glob>,
    /// The rule expires at this moment.
    pub expires: Option<Timestamp>,
}

/// A condition on the arguments.
#[derive(Debug, Clone, Default)]
pub enum Arguments {
    /// There is no condition.
    #[default]
    Any,
    /// One of these matches the whole input as gemini-cli writes it ([`crate::call::args`]).
    Args(Vec<Pattern>),
    /// The command begins with the words of one of these.
    Prefixes(Vec<Vec<String>>),
    /// The command matches from its beginning.
    Command(Pattern),
}

/// One call that a rule must match, or must not match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// Its line in the file, from 1.
    pub line: u32,
    /// Its column, from 1, in characters.
    pub column: u32,
    /// Whether it is of `match`, and not of `not_match`.
    pub should_match: bool,
    /// The example: a command, a path or a URL as text, or a whole input.
    pub input: ExampleInput,
}

/// The content of an example.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExampleInput {
    /// A command for the shell, a path for a file tool, a URL for a web tool.
    Text(String),
    /// The whole input of the tool.
    Input(Map<String, Value>),
}

impl Rule {
    /// Returns the location of the rule: `file:line`.
    pub fn place(&self) -> String {
        format!("{}:{}", self.origin.path.display(), self.line)
    }
}
