//! What a person reads of a request, piece by piece, made visible here so that no surface has to know how.
//!
//! | tool | pieces |
//! |---|---|
//! | `Bash`, `PowerShell` | the command |
//! | what runs a program (`argv`) | the command line, quoted as a shell reads it |
//! | `Edit`, `MultiEdit` | the path, then each edit as a diff |
//! | `Write`, `NotebookEdit` | the path, then what is written |
//! | `ExitPlanMode` | the plan |
//! | any other | no piece of its own |
//!
//! Every other field of the input follows under its name: nothing is left out, and nothing is cut. A field that is not
//! what its tool usually gets is shown like any other.

use std::time::Duration;

use dmplz_core::visible::{visible, visible_line};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use similar::{Algorithm, ChangeTag, TextDiff};
use utoipa::ToSchema;

/// After this long a diff gets coarser: it stays true, but fewer lines count as unchanged.
const DIFF_TIME: Duration = Duration::from_millis(20);

/// One piece.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Shown {
    /// What a shell would run.
    Command {
        /// Visible.
        text: String,
    },
    /// A file.
    Path {
        /// Visible, on one line.
        text: String,
    },
    /// Words, or a field on one line.
    Text {
        /// Visible.
        text: String,
    },
    /// Anything longer.
    Code {
        /// Visible.
        text: String,
    },
    /// What the agent means to do.
    Plan {
        /// Visible.
        text: String,
    },
    /// What is replaced by what: all lines of both.
    Diff {
        /// In order.
        lines: Vec<DiffLine>,
    },
}

/// A line of a diff.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DiffLine {
    /// Whether it goes, comes or stays.
    pub sign: Sign,
    /// Visible, on one line.
    pub text: String,
}

/// What becomes of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum Sign {
    /// It stays.
    #[serde(rename = " ")]
    Same,
    /// It goes.
    #[serde(rename = "-")]
    Old,
    /// It comes.
    #[serde(rename = "+")]
    New,
}

/// All pieces of a tool's input.
pub fn shown(tool: &str, input: &Map<String, Value>) -> Vec<Shown> {
    let mut rest = input.clone();
    let mut pieces = Vec::new();
    match tool {
        "Bash" | "PowerShell" => pieces.extend(take(&mut rest, "command").map(command)),
        "Edit" => {
            pieces.extend(take(&mut rest, "file_path").map(path));
            pieces.extend(edit(&mut rest));
        }
        "MultiEdit" => {
            pieces.extend(take(&mut rest, "file_path").map(path));
            pieces.extend(edits(&mut rest));
        }
        "Write" => {
            pieces.extend(take(&mut rest, "file_path").map(path));
            pieces.extend(take(&mut rest, "content").map(code));
        }
        "NotebookEdit" => {
            pieces.extend(take(&mut rest, "notebook_path").map(path));
            pieces.extend(take(&mut rest, "new_source").map(code));
        }
        "Read" => pieces.extend(take(&mut rest, "file_path").map(path)),
        "ExitPlanMode" => pieces.extend(take(&mut rest, "plan").map(|plan| Shown::Plan { text: visible(&plan) })),
        _ => pieces.extend(argv(&mut rest)),
    }
    pieces.extend(rest.iter().map(|(key, value)| field(key, value)));
    pieces
}

fn take(input: &mut Map<String, Value>, key: &str) -> Option<String> {
    match input.get(key) {
        Some(Value::String(_)) => match input.shift_remove(key) {
            Some(Value::String(text)) => Some(text),
            _ => None,
        },
        _ => None,
    }
}

fn command(text: String) -> Shown {
    Shown::Command { text: visible(&text) }
}

fn path(text: String) -> Shown {
    Shown::Path { text: visible_line(&text) }
}

fn code(text: String) -> Shown {
    Shown::Code { text: visible(&text) }
}

fn edit(input: &mut Map<String, Value>) -> Option<Shown> {
    match (take(input, "old_string"), take(input, "new_string")) {
        (None, None) => None,
        (old, new) => Some(diff(&old.unwrap_or_default(), &new.unwrap_or_default())),
    }
}

/// Each edit: its diff, and whatever else it says.
fn edits(input: &mut Map<String, Value>) -> Vec<Shown> {
    let all_objects =
        matches!(input.get("edits"), Some(Value::Array(edits)) if edits.iter().all(|edit| edit.is_object()));
    let Some(Value::Array(edits)) = all_objects.then(|| input.shift_remove("edits")).flatten() else {
        return Vec::new();
    };
    let mut pieces = Vec::new();
    for one in edits {
        if let Value::Object(mut one) = one {
            pieces.extend(edit(&mut one));
            pieces.extend(one.iter().map(|(key, value)| field(key, value)));
        }
    }
    pieces
}

fn argv(input: &mut Map<String, Value>) -> Option<Shown> {
    let words = match input.get("argv") {
        Some(Value::Array(words)) if !words.is_empty() => words,
        _ => return None,
    };
    let words: Option<Vec<&str>> = words.iter().map(Value::as_str).collect();
    let text = shell_words::join(words?);
    input.shift_remove("argv");
    Some(command(text))
}

fn diff(old: &str, new: &str) -> Shown {
    let changes = TextDiff::configure().algorithm(Algorithm::Myers).timeout(DIFF_TIME).diff_lines(old, new);
    let line = |change: similar::Change<&str>| DiffLine {
        sign: match change.tag() {
            ChangeTag::Equal => Sign::Same,
            ChangeTag::Delete => Sign::Old,
            ChangeTag::Insert => Sign::New,
        },
        text: shown_line(change.value()),
    };
    Shown::Diff { lines: changes.iter_all_changes().map(line).collect() }
}

/// Only the line's own end goes: what else would hide a difference is written out.
fn shown_line(line: &str) -> String {
    let line = visible(line.strip_suffix('\n').unwrap_or(line));
    line.replace('\n', "␊")
}

fn field(key: &str, value: &Value) -> Shown {
    let key = visible_line(key);
    match value {
        Value::String(text) if text.contains('\n') => Shown::Code { text: format!("{key}:\n{}", visible(text)) },
        Value::String(text) => Shown::Text { text: format!("{key}: {}", visible_line(text)) },
        Value::Array(_) | Value::Object(_) => {
            let pretty = serde_json::to_string_pretty(value).unwrap_or_else(|_| value.to_string());
            Shown::Code { text: format!("{key}: {}", visible(&pretty)) }
        }
        plain => Shown::Text { text: format!("{key}: {plain}") },
    }
}

#[cfg(test)]
mod tests;
