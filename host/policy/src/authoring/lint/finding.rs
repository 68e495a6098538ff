//! What is found about a rule, and what to do about it.

use std::borrow::Cow;

use jiff::Timestamp;

use super::Concern;
use crate::Decision;
use crate::programs::Power;

/// The effect that a rule has or lacks. Its text begins in lower case, without a full stop.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Finding {
    /// The rule has expired; when.
    #[error("its time was over at {0}")]
    Expired(Timestamp),
    /// The number of allows of the file, which have no effect because nobody trusted it.
    #[error("{}", untrusted(*.0))]
    Untrusted(usize),
    /// A name of a tool that is only the name of this server.
    #[error("`mcp_{0}` is no tool: it names a server and none of its tools")]
    ServerAlone(String),
    /// No tool has this name; the one that was probably meant.
    #[error("no tool is called `{0}`")]
    UnknownTool(String, Option<&'static str>),
    /// It allows a tool that asks a person.
    #[error("it never allows: the tool asks a person, and a rule does not answer for them")]
    Question,
    /// It allows commands by the files that they touch.
    #[error("it never allows: which files a command touches is not certain")]
    FilesOfCommand,
    /// It has a condition on what its tools do not have.
    #[error("`{0}` never holds: the tool has no {of}", of = .0.of())]
    NoneHas(Subject),
    /// It allows calls of an MCP server by such a condition.
    #[error("it never allows: which arguments of an MCP tool hold a {of} is not certain", of = .0.of())]
    ArgumentOfMcp(Subject),
    /// A path that is not below the root of the disk.
    #[error("`{written}` begins at the folder of the workspace, not of the disk")]
    Root {
        /// The path as the rule has it.
        written: String,
        /// The path below the root of the disk.
        on_disk: String,
    },
    /// A prefix that ends in options.
    #[error("`{prefix}` is not the only way to write it: options have other orders and spellings")]
    Options {
        /// The prefix as the rule has it.
        prefix: String,
        /// The prefix without its last word.
        command: String,
    },
    /// It allows everything of a kind.
    #[error("it allows {0}")]
    Blanket(Blanket),
    /// It allows its commands to redirect into files.
    #[error("its commands may write any file with `>`")]
    Redirection,
    /// It allows by an `argsPattern` that is not anchored.
    #[error("text in any argument can imitate `{pattern}`")]
    Unanchored {
        /// The pattern as the rule has it.
        pattern: String,
        /// The condition that is not imitated.
        instead: Instead,
    },
    /// It allows a command that does more than its name says.
    #[error("it allows `{0}`, which {1}")]
    Runner(String, Power),
    /// It allows a command that starts another one, which no rule allows.
    #[error("`{prefix}` is asked all the same: it starts `{command}`, which no rule allows")]
    Starts {
        /// The prefix as the rule has it.
        prefix: String,
        /// The command that it starts.
        command: String,
    },
    /// An allow is first for all that it denies.
    #[error("it never denies: {0} allows all of it first")]
    Shadowed(Earlier),
    /// An allow is first for some of what it denies.
    #[error("some of what it denies is allowed first by {0}")]
    PartlyShadowed(Earlier),
    /// Another rule says the same.
    #[error("it says the same as {0}")]
    Duplicate(Earlier),
    /// Another rule is first for all that it is about.
    #[error("it is never reached: {by} {does} all of it first", does = does(*.decision))]
    Unreachable {
        /// The rule that comes first.
        by: Earlier,
        /// What the rule that comes first decides.
        decision: Decision,
        /// Whether the rule would decide otherwise, and may have a higher priority.
        may_be_first: bool,
    },
}

/// A rule that precedes another one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Earlier {
    /// The line of a rule in the same file.
    #[error("line {0}")]
    Line(u32),
    /// The place of a rule in another file.
    #[error("{0}")]
    Place(String),
}

/// The subject of a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Subject {
    /// It is about the file of a call.
    #[error("paths")]
    Paths,
    /// It is about the URL of a call.
    #[error("domains")]
    Domains,
}

/// Everything of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Blanket {
    /// Commands of the shell, by its tool.
    #[error("every command")]
    Commands,
    /// An expression that every command matches.
    #[error("every command")]
    Expression,
    /// Commands of PowerShell, by its tool.
    #[error("every command of PowerShell")]
    PowerShell,
    /// `*`.
    #[error("every tool")]
    Tools,
    /// `*` of every server.
    #[error("every tool of every MCP server")]
    McpTools,
    /// A tool that writes files.
    #[error("to write any file")]
    Writes,
    /// A tool that fetches URLs.
    #[error("to fetch any URL")]
    Fetches,
}

/// A condition that text in another argument cannot imitate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Instead {
    /// `commandPrefix`.
    Prefix,
    /// `paths`.
    Paths,
    /// `domains`.
    Domains,
    /// A pattern that begins with the argument.
    Argument,
}

impl Finding {
    /// Returns the kind of the finding.
    pub fn concern(&self) -> Concern {
        match self {
            Self::Expired(_) => Concern::Expired,
            Self::ServerAlone(_) | Self::UnknownTool(..) => Concern::UnknownTool,
            Self::Untrusted(_)
            | Self::Question
            | Self::FilesOfCommand
            | Self::NoneHas(_)
            | Self::ArgumentOfMcp(_)
            | Self::Starts { .. } => Concern::Never,
            Self::Root { .. } => Concern::Root,
            Self::Options { .. } => Concern::Options,
            Self::Blanket(_) | Self::Redirection => Concern::Blanket,
            Self::Unanchored { .. } => Concern::Unanchored,
            Self::Runner(..) => Concern::Runner,
            Self::Shadowed(_) | Self::PartlyShadowed(_) => Concern::Shadowed,
            Self::Duplicate(_) => Concern::Duplicate,
            Self::Unreachable { .. } => Concern::Unreachable,
        }
    }

    /// Returns the proposed correction. It begins in lower case, without a full stop.
    pub fn hint(&self) -> Cow<'static, str> {
        match self {
            Self::Expired(_) => "delete it, or renew `expires`".into(),
            Self::Untrusted(_) => "read it, then run `dmplz policy trust`".into(),
            Self::ServerAlone(server) => format!("write `mcp__{server}` for all of them").into(),
            Self::UnknownTool(_, Some(meant)) => format!("did you mean `{meant}`?").into(),
            Self::UnknownTool(_, None) => {
                "see the table in the manual, or name an MCP tool as `mcp__server__tool`".into()
            }
            Self::Question | Self::Unreachable { may_be_first: false, .. } => "delete it".into(),
            Self::FilesOfCommand => "use `commandPrefix`".into(),
            Self::NoneHas(key) => format!("take `{key}` away, or name other tools").into(),
            Self::ArgumentOfMcp(key) => format!("take `{key}` away, or use an anchored `argsPattern`").into(),
            Self::Root { on_disk, .. } => format!("write `{on_disk}` for the disk").into(),
            Self::Options { command, .. } => format!("let `{command}` ask as well, or deny all of it").into(),
            Self::Blanket(Blanket::Commands) => "add `commandPrefix`".into(),
            Self::Blanket(Blanket::Expression) => "begin the expression with the commands that are meant".into(),
            Self::Blanket(Blanket::PowerShell) | Self::Runner(_, Power::Destroys) => "let it ask".into(),
            Self::Blanket(Blanket::Tools) => "name the tools".into(),
            Self::Blanket(Blanket::McpTools) => "name the servers".into(),
            Self::Blanket(Blanket::Writes) => "add `paths`".into(),
            Self::Blanket(Blanket::Fetches) => "add `domains`".into(),
            Self::Redirection => "take `allowRedirection` away, or deny the files that matter".into(),
            Self::Unanchored { instead: Instead::Prefix, .. } => {
                "use `commandPrefix`, which reads the command itself".into()
            }
            Self::Unanchored { instead: Instead::Paths, .. } => {
                "use `paths`, which reads the file's own argument".into()
            }
            Self::Unanchored { instead: Instead::Domains, .. } => "use `domains`, which reads the URL itself".into(),
            Self::Unanchored { instead: Instead::Argument, .. } => {
                r#"begin it with the argument, as in `\0"name":"`"#.into()
            }
            Self::Runner(_, Power::RunsCode) => "name what it may run, as in `python -m pytest`".into(),
            Self::Runner(_, Power::StartsOthers) => "name what it may start, as in `npx prettier`".into(),
            Self::Runner(_, Power::Fetches) => "let it ask, or allow the web tool for some `domains`".into(),
            Self::Starts { command, .. } => format!("allow `{command}` too, in the same `commandPrefix`").into(),
            Self::Shadowed(_) => "give the deny the higher priority, or narrow the allow".into(),
            Self::PartlyShadowed(_) => "give the deny the higher priority".into(),
            Self::Duplicate(_) => "delete one of them".into(),
            Self::Unreachable { may_be_first: true, .. } => "give it a higher priority, or delete it".into(),
        }
    }
}

impl Subject {
    fn of(self) -> &'static str {
        match self {
            Self::Paths => "file",
            Self::Domains => "URL",
        }
    }
}

fn untrusted(count: usize) -> String {
    match count {
        1 => "an allow of this file does not count, because nobody trusted it".to_owned(),
        _ => format!("{count} allows of this file do not count, because nobody trusted it"),
    }
}

fn does(decision: Decision) -> &'static str {
    match decision {
        Decision::Allow => "allows",
        Decision::AskUser => "asks for",
        Decision::Deny => "denies",
    }
}
