//! What is wrong, or worth knowing, in a settings file or in a script that it names.

use serde::Serialize;

/// One finding, with its place in the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Where: `PreToolUse[0].hooks[1]`, counted from 0; empty for the whole file.
    pub place: String,
    /// What is wrong, or worth knowing.
    #[serde(flatten)]
    pub problem: Problem,
}

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Good to know; nothing has to be changed.
    Note,
    /// It runs, but probably not as it was meant.
    Warning,
    /// It does not run.
    Error,
}

/// The type of a value in a settings file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error, Serialize)]
pub enum Shape {
    /// A JSON object.
    #[error("an object")]
    #[serde(rename = "an object")]
    Object,
    /// A JSON array.
    #[error("a list")]
    #[serde(rename = "a list")]
    List,
    /// A JSON string.
    #[error("a text")]
    #[serde(rename = "a text")]
    Text,
    /// A JSON array of strings.
    #[error("a list of texts")]
    #[serde(rename = "a list of texts")]
    Texts,
}

/// The kinds of findings. Display says what is wrong, in English.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize)]
#[serde(tag = "code", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Problem {
    /// The file is not JSON, so nothing in it counts.
    #[error("line {line}, column {column}: this is not JSON: {what}")]
    NotJson {
        /// The line, from 1.
        line: usize,
        /// The column in that line, from 1; 0 for the line's end.
        column: usize,
        /// What the parser says.
        what: String,
    },
    /// The file is there, but cannot be read.
    #[error("the file cannot be read: {why}")]
    Unreadable {
        /// Why.
        why: String,
    },
    /// A value has another type.
    #[error("this must be {wants}")]
    Shape {
        /// The type that it must have.
        wants: Shape,
    },
    /// No client raises such an event.
    #[error("there is no event {name}{}", meant(*like))]
    UnknownEvent {
        /// The name as written.
        name: String,
        /// The event that was probably meant.
        like: Option<&'static str>,
    },
    /// The matcher cannot be read.
    #[error("the matcher {text:?} is no name and no regular expression: {why}")]
    Matcher {
        /// The matcher as written.
        text: String,
        /// Why.
        why: String,
    },
    /// The matcher is a permission rule, which belongs into `if`.
    #[error(
        "the matcher {text:?} is a permission rule: write the tool's name as the matcher, and the rule as \"if\" of the hook"
    )]
    MatcherIsRule {
        /// The matcher as written.
        text: String,
    },
    /// The matcher is a name with wildcards.
    #[error(
        "the matcher {text:?} is no regular expression, so Claude Code runs nothing for it; it is read as a name with * here"
    )]
    MatcherWildcard {
        /// The matcher as written.
        text: String,
    },
    /// The matcher differs from a tool's name in upper and lower case.
    #[error("the matcher names {text:?}, and names are case-sensitive: the tool is {like}")]
    MatcherCase {
        /// The name as written.
        text: String,
        /// The tool.
        like: &'static str,
    },
    /// The event has nothing that a matcher could be compared with.
    #[error("{event} has no matcher: its hooks always run")]
    MatcherIgnored {
        /// The event.
        event: String,
    },
    /// A handler of a type that exists, but is not run here.
    #[error("hooks of type {kind} are not run by dmplz")]
    Unsupported {
        /// The type.
        kind: String,
    },
    /// A handler of a type that no client knows.
    #[error("there is no hook type {kind:?}")]
    UnknownType {
        /// The type as written.
        kind: String,
    },
    /// A command handler without a command.
    #[error("there is no \"command\" to run")]
    NoCommand,
    /// The timeout is no number above 0.
    #[error("\"timeout\" must be a number of {unit} above 0; the default is used")]
    Timeout {
        /// `seconds` or `milliseconds`.
        unit: &'static str,
    },
    /// The timeout was probably meant in milliseconds.
    #[error("\"timeout\": {held} means {held} seconds; write {} if milliseconds were meant", held / 1000)]
    LooksLikeMilliseconds {
        /// The timeout, in seconds.
        held: u64,
    },
    /// The timeout was probably meant in seconds.
    #[error("\"timeout\": {held} means {held} milliseconds in gemini-cli; write {held}000 if seconds were meant")]
    LooksLikeSeconds {
        /// The timeout, in milliseconds.
        held: u64,
    },
    /// `onFailure` is neither word.
    #[error("\"onFailure\" must be \"continue\" or \"block\", not {held:?}")]
    OnFailure {
        /// The word as written.
        held: String,
    },
    /// `if` is no permission rule.
    #[error("\"if\" must be a permission rule such as Bash(git push *), not {held:?}; the hook is not run")]
    Condition {
        /// The text as written.
        held: String,
    },
    /// `if` on an event without a tool.
    #[error("\"if\" is about tool calls, and {event} has none: the hook never runs")]
    ConditionWithoutTool {
        /// The event.
        event: String,
    },
    /// A shell that is not started here.
    #[error("\"shell\": {held:?} is not supported: it takes \"bash\"")]
    Shell {
        /// The shell as written.
        held: String,
    },
    /// An option that no client knows.
    #[error("there is no option {name:?}{}", meant(*like))]
    UnknownOption {
        /// The name as written.
        name: String,
        /// The option that was probably meant.
        like: Option<&'static str>,
    },
    /// The program or script does not exist.
    #[error("{path} does not exist")]
    NotFound {
        /// The path.
        path: String,
    },
    /// The program is no file that may be started.
    #[error("{path} is not executable; run `chmod +x` on it")]
    NotExecutable {
        /// The path.
        path: String,
    },
    /// A script that does not say which program reads it.
    #[error("{path} does not begin with #!, so a hook with \"args\" cannot be started; a shell guesses")]
    NoInterpreter {
        /// The path.
        path: String,
    },
    /// No folder of PATH has a program of that name.
    #[error("no program {name} is found in PATH")]
    NotOnPath {
        /// The name.
        name: String,
    },
    /// A path that depends on where the client works.
    #[error(
        "{path} is relative: it is found only while the session works in the project's folder; write \"$CLAUDE_PROJECT_DIR\"/{path}"
    )]
    RelativePath {
        /// The path as written.
        path: String,
    },
}

impl Problem {
    /// Returns how much it matters.
    pub fn severity(&self) -> Severity {
        match self {
            Self::Unsupported { .. } | Self::MatcherIgnored { .. } => Severity::Note,
            Self::MatcherWildcard { .. }
            | Self::MatcherCase { .. }
            | Self::Timeout { .. }
            | Self::LooksLikeMilliseconds { .. }
            | Self::LooksLikeSeconds { .. }
            | Self::OnFailure { .. }
            | Self::UnknownOption { .. }
            | Self::NoInterpreter { .. }
            | Self::RelativePath { .. } => Severity::Warning,
            _ => Severity::Error,
        }
    }
}

fn meant(like: Option<&str>) -> String {
    like.map(|like| format!("; {like} was probably meant")).unwrap_or_default()
}
