//! What is wrong with a policy file.

use super::failure::Failure;
use super::loading::Loading;
use super::prefix::PrefixError;
use crate::rules::pattern::{DomainError, PathError, PatternFault};
use crate::tools;

/// What is wrong with a policy file, and what is expected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The code that loads the file found it.
    #[error("{0}")]
    Loading(Loading),
    /// The file is too large; the limit in bytes.
    #[error("it is larger than {0} bytes, so nothing of it is used")]
    TooLarge(usize),
    /// The file has too many rules; the limit.
    #[error("it has more than {0} rules; the rest is not used")]
    TooManyRules(usize),
    /// The file is no TOML: what its parser says.
    #[error("{0}")]
    Syntax(String),
    /// A table that may be there several times is written as a single one.
    #[error("there may be several, so it is written `[[{0}]]`")]
    SingleTable(String),
    /// The key of a list of tables has a value that is none.
    #[error("`{0}` is a list of tables, written `[[{0}]]`")]
    NotTables(String),
    /// An entry of a list of tables is no table.
    #[error("this is no table")]
    NotATable,
    /// No table has this name; the one that was probably meant.
    #[error("unknown table `{0}`{meant}", meant = meant(*.1))]
    UnknownTable(String, Option<&'static str>),
    /// No key has this name; the one that was probably meant.
    #[error("unknown key `{0}`{meant}", meant = meant(*.1))]
    UnknownKey(String, Option<&'static str>),
    /// No mode has this name; the one that was probably meant.
    #[error("unknown mode `{0}`{meant}", meant = mode_meant(*.1))]
    UnknownMode(String, Option<&'static str>),
    /// The rule has no `decision`.
    #[error("it has no `decision`, {decision}", decision = Takes::Decision)]
    NoDecision,
    /// The rule has no `priority`.
    #[error("it has no `priority`, {priority}", priority = Takes::Priority)]
    NoPriority,
    /// The safety checker has no `checker`.
    #[error("it has no `checker`")]
    NoChecker,
    /// The rule has neither `toolName` nor `mcpName`.
    #[error("it has no `toolName`; `*` stands for every tool")]
    NoTool,
    /// Two keys of which only one may be given.
    #[error("`{0}` and `{1}` exclude each other")]
    Exclusive(&'static str, &'static str),
    /// A key for commands, with a tool that has almost the name of the shell.
    #[error("no tool is called `{0}`: did you mean `toolName = \"Bash\"`?")]
    NotBash(String),
    /// A key for commands, with a tool that has none.
    #[error("`{0}` is for the shell only: set `toolName = \"run_shell_command\"`")]
    OnlyShell(&'static str),
    /// A key that is given in both its spellings.
    #[error("`{0}` is another spelling of `{1}`, which is given too")]
    BothSpellings(&'static str, &'static str),
    /// The list of a key is empty.
    #[error("`{0}` has no entry; it takes {1}")]
    NoEntry(String, Takes),
    /// The value of a key has the wrong type, or is out of range.
    #[error("`{0}` takes {1}")]
    Value(String, Takes),
    /// A `commandPrefix` cannot be used.
    #[error("{0}")]
    Prefix(PrefixError),
    /// A regular expression cannot be used.
    #[error("no regular expression: {0}")]
    Pattern(PatternFault),
    /// One of `paths` or `cwd` cannot be used.
    #[error("{0}")]
    Path(PathError),
    /// One of `domains` cannot be used.
    #[error("{0}")]
    Domain(DomainError),
    /// An example has another result than its rule states.
    #[error("{0}")]
    Example(Failure),
}

/// What a key takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Takes {
    /// For `decision`.
    #[error("`allow`, `deny` or `ask_user`")]
    Decision,
    /// For `priority`.
    #[error("a whole number from 0 to 999")]
    Priority,
    /// For a switch.
    #[error("true or false")]
    Flag,
    /// For `toolAnnotations`.
    #[error("a table")]
    Table,
    /// For a name, or a text for people.
    #[error("a text that is not empty")]
    Text,
    /// For alternatives.
    #[error("a text that is not empty, or a list of such")]
    Texts,
    /// For `expires`.
    #[error("a date, or a date with a time (UTC, or with an offset)")]
    Moment,
    /// For `match` and `not_match`.
    #[error("a command, path or address, or a table that is a whole input, or a list of such")]
    Examples,
    /// For `checker`.
    #[error("a table with a `type`, `in-process` or `external`, and a `name`")]
    Checker,
}

/// Returns every name of every mode, for people.
pub fn modes() -> String {
    format!("`{}`", tools::known_modes().collect::<Vec<_>>().join("`, `"))
}

fn meant(name: Option<&str>) -> String {
    name.map(|name| format!("; did you mean `{name}`?")).unwrap_or_default()
}

fn mode_meant(mode: Option<&str>) -> String {
    if mode.is_none() { format!("; there are {}", modes()) } else { meant(mode) }
}
