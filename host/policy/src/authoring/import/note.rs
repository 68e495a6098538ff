//! The notes of an import for a person: entries that are left out or made tighter, and rules that allow more than they
//! seem to.
//!
//! The English of a note is its `Display`, which is also the comment in the imported file.

use crate::file::Fault;
use crate::programs::Power;

/// A note for a person.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Note {
    /// The settings have no permissions.
    #[error("There are no `permissions` in the settings.")]
    NoPermissions,
    /// The list of what is allowed is no list.
    #[error("`permissions.allow` is no list, so it is left out.")]
    AllowIsNoList,
    /// An entry of that list is no rule; its JSON.
    #[error("allow {0} is left out: it is no rule.")]
    NoRule(String),
    /// A rule is tighter or wider than its entry seems to be.
    #[error("{0}: {1}")]
    Warning(Cited, Warning),
    /// An entry has no rule.
    #[error("{0} is left out: {1}.")]
    LeftOut(Cited, Unsupported),
    /// A person is asked instead, because an entry that cannot be read may deny or ask.
    #[error("{why}. {} is asked instead.", every(.tool.as_deref()))]
    Asked {
        /// The part of the settings that cannot be imported.
        why: Unread,
        /// The tool whose calls are asked; all tools if there is none.
        tool: Option<String>,
    },
    /// The default mode has no effect here; its JSON.
    #[error("`defaultMode` {0} stays Claude Code's own: no mode allows anything here.")]
    DefaultMode(String),
    /// The additional folders have no effect here; their JSON.
    #[error(
        "`additionalDirectories` {0} stays Claude Code's own: it allows nothing here. \
         Add `paths` for what may be read or written there."
    )]
    AdditionalDirectories(String),
}

/// An entry of the settings, as they have it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{list} `{entry}`")]
pub struct Cited {
    /// The list that holds the entry: `deny`, `ask` or `allow`.
    pub list: &'static str,
    /// The text of the entry.
    pub entry: String,
}

/// A part of the settings that cannot be imported, and that may deny or ask.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unread {
    /// The settings are no object.
    #[error("the settings are no JSON object")]
    Settings,
    /// The permissions are no object.
    #[error("`permissions` is no JSON object")]
    Permissions,
    /// One of the lists is no list; its name.
    #[error("`permissions.{0}` is no list")]
    List(&'static str),
    /// An entry of a list is no rule; the list, and the JSON of the entry.
    #[error("{0} {1} is no rule")]
    Entry(&'static str, String),
    /// An entry has no exact counterpart.
    #[error("{0} cannot be imported: {1}")]
    Unsupported(Cited, Unsupported),
}

/// Where a rule is tighter or wider than it seems to be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Warning {
    /// The entry names a tool in other letters.
    #[error("Claude Code knows no tool `{written}`; it is imported as one of {tool}")]
    OtherLetters {
        /// The name as the entry has it.
        written: String,
        /// The name of the tool.
        tool: &'static str,
    },
    /// Claude Code never asks such an entry; how it is imported.
    #[error("Claude Code never asks it; it is imported as `{0}`")]
    NeverAsked(String),
    /// Claude Code ignores such an entry; how it is imported.
    #[error("Claude Code ignores it; it is imported as `{0}`")]
    Ignored(String),
    /// The entry is imported by its first words alone.
    #[error("it is imported as `{0} *`, because the rest has no exact counterpart")]
    FirstWords(String),
    /// It allows every host.
    #[error("it allows every host")]
    EveryHost,
    /// It allows every command.
    #[error("it allows every command that can be read")]
    EveryCommand,
    /// A `*` that follows a letter; the text before it.
    #[error("it has no blank before its `*`, so it also means commands such as `{0}x`")]
    NoBlank(String),
    /// A `*` in place of the program.
    #[error("its `*` stands for the program, so it means every program")]
    AnyProgram,
    /// A `*` in place of the subcommand.
    #[error("its `*` stands for the subcommand and every option before it")]
    AnySubcommand,
    /// A `*` within words.
    #[error(
        "its `*` stands for any text, blanks and options included; \
         in the command it was taken from it may have been a file pattern"
    )]
    AnyText,
    /// A `*` in place of words.
    #[error("its `*` stands for any text, options included")]
    AnyWords,
    /// A program that starts another command.
    #[error("what `{0}` starts needs an allow of its own")]
    Starts(String),
    /// A program that can do more than its name says.
    #[error("`{0}` {1}")]
    Power(String, Power),
}

/// Why an entry cannot be expressed as a rule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unsupported {
    /// It has a path, but its tool has no path rules.
    #[error("Claude Code never asks path rules of {tool}; write `{instead}`")]
    NoPathsOf {
        /// The tool of the entry.
        tool: String,
        /// The entry that Claude Code asks.
        instead: String,
    },
    /// It excepts a path, or is empty.
    #[error("it is an exception, or nothing")]
    Exception,
    /// It is `~` alone.
    #[error("it may mean the whole home directory; write `~/**` if it does")]
    WholeHome,
    /// It begins with `/`, and the folder of the settings is not known.
    #[error("the folder that it begins in is not known")]
    NoFolder,
    /// It is about a command of Claude Code's own.
    #[error("it is about Claude Code's own `/cd`, which no agent calls")]
    OwnCommand,
    /// It narrows a tool of an MCP server.
    #[error("Claude Code skips rules of MCP tools with parentheses")]
    NarrowedMcp,
    /// It allows tools by a pattern.
    #[error("Claude Code skips an allow with a `*` in the tool's name")]
    StarInTool,
    /// It allows a tool whose commands are not read.
    #[error("it runs commands that are not read here")]
    UnreadCommands,
    /// It narrows a tool in an unknown way; the tool.
    #[error("what is in the parentheses means nothing that is known of {0}")]
    Specifier(String),
    /// It narrows `WebFetch` by something other than a host.
    #[error("only `domain:` is known of WebFetch")]
    OnlyDomain,
    /// It has a `*` within a host.
    #[error("a `*` inside a host has no counterpart")]
    StarInHost,
    /// It names no kind of subagent.
    #[error("it names no kind of subagent")]
    NoSubagent,
    /// It names no skill.
    #[error("it names no skill")]
    NoSkill,
    /// It allows tools of no certain MCP server.
    #[error("Claude Code skips an allow that names no server")]
    NoServer,
    /// Its beginning is not words of one command; the text.
    #[error("`{0}` is not the beginning of one command, word by word")]
    NotWords(String),
    /// It is several commands, or has unknown words.
    #[error("it is not one command with known words; allow its commands one by one")]
    NotOneCommand,
    /// Its rule would not load.
    #[error("{0}")]
    Rule(Box<Fault>),
}

impl Unsupported {
    /// Returns whether the entry is about nothing that an agent can call, so that nothing is lost.
    pub(super) fn is_moot(&self) -> bool {
        matches!(self, Self::OwnCommand)
    }
}

fn every(tool: Option<&str>) -> String {
    tool.map_or_else(|| "Every call".to_owned(), |tool| format!("Every call of {tool}"))
}
