//! One handler: what is run, and how.

use std::time::Duration;

use serde::Serialize;
use serde_json::{Map, Value};

use super::Place;
use crate::condition::{Base, Condition};
use crate::event::{Dialect, alike};
use crate::problem::{Finding, Problem, Shape};

/// The limit of a handler that sets none.
const LIMIT: Duration = Duration::from_secs(600);
/// The same, for a prompt, which a person waits for.
const PROMPT_LIMIT: Duration = Duration::from_secs(30);
/// The same, at the end of a session.
const END_LIMIT: Duration = Duration::from_millis(1_500);
/// The most that a handler at the end of a session may set.
const END_MOST: Duration = Duration::from_secs(60);
/// The same of any other handler: a day.
const MOST: Duration = Duration::from_secs(86_400);
/// gemini-cli's default.
const GEMINI_LIMIT: Duration = Duration::from_secs(60);
/// Seconds above this are probably milliseconds.
const UNLIKELY_SECONDS: u64 = 3_600;
/// Milliseconds below this are probably seconds.
const UNLIKELY_MILLIS: u64 = 1_000;

/// The options that clients know.
const OPTIONS: &[&str] = &[
    "type", "command", "args", "shell", "timeout", "async", "asyncRewake", "once", "if", "description", "name",
    "statusMessage", "onFailure", "prompt", "model", "url", "headers", "server", "tool", "input", "agent",
    "rewakeMessage", "allowedEnvVars", "commandWindows", "env",
];

/// A handler of a group.
#[derive(Debug, Clone)]
pub struct Handler {
    /// Where it is in its file.
    pub place: Place,
    /// The type that the file names.
    pub kind: Kind,
    /// What is run; `None` if it is no command, or has none.
    pub command: Option<Command>,
    /// How long it may run.
    pub limit: Duration,
    /// Nobody waits for it.
    pub is_async: bool,
    /// Written as `once`; it has no effect in settings files, as in Claude Code.
    pub once: bool,
    /// The permission rule that a call must match; `Some(Err)` if it cannot be read, so that the handler never runs.
    pub condition: Option<Result<Condition, String>>,
    /// What its author says it does.
    pub description: Option<String>,
    /// What Claude Code shows while it runs.
    pub status_message: Option<String>,
    /// What its author wants of a failure.
    pub on_failure: OnFailure,
}

/// The type of a handler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// A command, which is run.
    Command,
    /// A type that Claude Code knows and dmplz does not run: `prompt`, `agent`, `http`, `mcp_tool`.
    Unsupported(String),
    /// A type that nobody knows.
    Unknown(String),
}

/// What a command handler runs.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Command {
    /// The command line, or with `args` the program.
    pub line: String,
    /// The arguments; with them no shell is started.
    pub args: Option<Vec<String>>,
    /// The shell: `sh`, or `bash` where the file says so.
    pub shell: &'static str,
}

/// What a failure of the hook is to mean to the client. It is shown, and changes nothing here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum OnFailure {
    /// Nothing.
    #[default]
    Continue,
    /// The same as a denial.
    Block,
}

impl Handler {
    pub(super) fn read(
        entry: &Map<String, Value>,
        place: Place,
        dialect: Dialect,
        base: Base<'_>,
        findings: &mut Vec<Finding>,
    ) -> Self {
        let mut reader = Reader { entry, place: place.to_string(), findings };
        let kind = reader.kind();
        let command = if kind == Kind::Command { reader.command() } else { None };
        let limit = reader.limit(&place.event, dialect);
        reader.unknown_options();
        Self {
            kind,
            command,
            limit,
            is_async: reader.flag("async") || reader.flag("asyncRewake"),
            once: reader.flag("once"),
            condition: reader.condition(&place.event, dialect, base),
            description: reader.text("description").or_else(|| reader.text("name")),
            status_message: reader.text("statusMessage"),
            on_failure: reader.on_failure(),
            place,
        }
    }

    /// Returns whether it is the hook that `dmplz install` registers, which Claude Code runs by itself.
    pub fn is_ours(&self) -> bool {
        let Some(command) = &self.command else { return false };
        let program = match &command.args {
            Some(args) => Some(command.line.as_str()).filter(|_| args.first().is_some_and(|arg| arg == "hook")),
            None => command.line.trim().strip_suffix(" hook").map(|program| program.trim_matches([' ', '"', '\''])),
        };
        let name = program.and_then(|program| program.rsplit(['/', '\\']).next());
        name.is_some_and(|name| name.strip_suffix(".exe").unwrap_or(name) == "dmplz")
    }
}

impl Command {
    /// Returns the command as one line for people.
    pub fn shown(&self) -> String {
        match &self.args {
            None => self.line.clone(),
            Some(args) => shell_words::join(std::iter::once(&self.line).chain(args)),
        }
    }
}

/// Reads the options of one entry, and collects what is wrong.
struct Reader<'a> {
    entry: &'a Map<String, Value>,
    place: String,
    findings: &'a mut Vec<Finding>,
}

impl Reader<'_> {
    fn note(&mut self, problem: Problem) {
        self.findings.push(Finding { place: self.place.clone(), problem });
    }

    fn shape(&mut self, option: &str, wants: Shape) {
        self.findings.push(Finding { place: format!("{}.{option}", self.place), problem: Problem::Shape { wants } });
    }

    fn kind(&mut self) -> Kind {
        match self.entry.get("type").and_then(Value::as_str) {
            Some("command") => Kind::Command,
            Some(kind @ ("prompt" | "agent" | "http" | "mcp_tool")) => {
                self.note(Problem::Unsupported { kind: kind.to_owned() });
                Kind::Unsupported(kind.to_owned())
            }
            other => {
                let kind = other.unwrap_or_default().to_owned();
                self.note(Problem::UnknownType { kind: kind.clone() });
                Kind::Unknown(kind)
            }
        }
    }

    fn command(&mut self) -> Option<Command> {
        let Some(line) = self.text("command").filter(|line| !line.trim().is_empty()) else {
            self.note(Problem::NoCommand);
            return None;
        };
        let args = match self.entry.get("args") {
            None | Some(Value::Null) => None,
            Some(Value::Array(items)) if items.iter().all(Value::is_string) => {
                Some(items.iter().filter_map(Value::as_str).map(str::to_owned).collect())
            }
            Some(_) => {
                self.shape("args", Shape::Texts);
                return None;
            }
        };
        let shell = match self.text("shell").as_deref() {
            None | Some("sh") => "sh",
            Some("bash") => "bash",
            Some(other) => {
                self.note(Problem::Shell { held: other.to_owned() });
                return None;
            }
        };
        Some(Command { line, args, shell })
    }

    fn limit(&mut self, event: &str, dialect: Dialect) -> Duration {
        let default = match (dialect, event) {
            (Dialect::Gemini, _) => GEMINI_LIMIT,
            (_, "UserPromptSubmit") => PROMPT_LIMIT,
            (_, "SessionEnd") => END_LIMIT,
            _ => LIMIT,
        };
        let most = if event == "SessionEnd" && dialect == Dialect::Claude { END_MOST } else { MOST };
        let Some(value) = self.entry.get("timeout") else { return default };
        let unit = if dialect == Dialect::Gemini { "milliseconds" } else { "seconds" };
        let Some(number) = value.as_f64().filter(|number| number.is_finite() && *number > 0.0) else {
            self.note(Problem::Timeout { unit });
            return default;
        };
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a positive number, only shown")]
        let held = number as u64;
        match dialect {
            Dialect::Gemini if held < UNLIKELY_MILLIS => self.note(Problem::LooksLikeSeconds { held }),
            Dialect::Claude | Dialect::Codex if held > UNLIKELY_SECONDS => {
                self.note(Problem::LooksLikeMilliseconds { held })
            }
            _ => {}
        }
        let seconds = if dialect == Dialect::Gemini { number / 1_000.0 } else { number };
        Duration::try_from_secs_f64(seconds).unwrap_or(most).min(most)
    }

    fn condition(&mut self, event: &str, dialect: Dialect, base: Base<'_>) -> Option<Result<Condition, String>> {
        let value = self.entry.get("if")?;
        if dialect.raises(event) && dialect.matched_field(event) != Some("tool_name") {
            self.note(Problem::ConditionWithoutTool { event: event.to_owned() });
        }
        let held = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        match Condition::parse(&held, base).filter(|_| value.is_string()) {
            Some(condition) => Some(Ok(condition)),
            None => {
                self.note(Problem::Condition { held: held.clone() });
                Some(Err(held))
            }
        }
    }

    fn on_failure(&mut self) -> OnFailure {
        match self.entry.get("onFailure") {
            None => OnFailure::Continue,
            Some(value) if value == "continue" => OnFailure::Continue,
            Some(value) if value == "block" => OnFailure::Block,
            Some(other) => {
                let held = other.as_str().map_or_else(|| other.to_string(), str::to_owned);
                self.note(Problem::OnFailure { held });
                OnFailure::Continue
            }
        }
    }

    fn unknown_options(&mut self) {
        for name in self.entry.keys().filter(|name| !OPTIONS.contains(&name.as_str())) {
            let like = alike(name, OPTIONS.iter().copied());
            self.note(Problem::UnknownOption { name: name.clone(), like });
        }
    }

    fn flag(&self, name: &str) -> bool {
        self.entry.get(name) == Some(&Value::Bool(true))
    }

    fn text(&self, name: &str) -> Option<String> {
        self.entry.get(name)?.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
    }
}
