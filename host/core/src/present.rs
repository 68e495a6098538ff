//! Splits a tool call into the pieces that a person reads. Card, terminal and page lay out the same pieces. Text that
//! hides or reorders other text is made visible here, so that no surface has to do it.
//!
//! | tool | pieces |
//! |---|---|
//! | `Bash`, `PowerShell` | the command |
//! | a tool that runs a program (`argv`) | the command line, quoted for a shell |
//! | `Edit`, `MultiEdit` | the path, then each edit as a diff |
//! | `Write`, `NotebookEdit` | the path, then the content |
//! | `Read` | the path |
//! | `WebFetch` | the address |
//! | `ExitPlanMode` | the plan |
//! | any other | none |
//!
//! Every other field of the input follows under its name: nothing is left out or shortened. A field of an unexpected
//! type is shown like any other.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::visible::{visible, visible_line};

mod diff;
mod heading;
mod risk;

pub use diff::{DiffLine, Sign};
pub use heading::heading;
pub use risk::Risk;

/// The tool of a request that is no call: to let a session of the gateway go on in a mode in which nobody is asked.
pub const MODE_CHANGE: &str = "SetPermissionMode";

/// One piece of a tool call. All its text is visible: [`crate::visible`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = Shown)]
pub enum Piece {
    /// A command for a shell.
    Command {
        /// The command line.
        text: String,
    },
    /// The file that the call is about.
    Path {
        /// Its path, on one line.
        text: String,
    },
    /// A text, or a field on one line.
    Text {
        /// The text.
        text: String,
    },
    /// A text of several lines, or one that is too long for a line.
    Code {
        /// The text, with its original lines.
        text: String,
    },
    /// The agent's plan.
    Plan {
        /// The plan, in Markdown.
        text: String,
    },
    /// An edit: the old and the new text.
    Diff {
        /// All lines of both sides, in order.
        lines: Vec<DiffLine>,
    },
}

impl Piece {
    /// Returns about how many bytes of text it holds.
    pub fn weight(&self) -> usize {
        match self {
            Self::Command { text }
            | Self::Path { text }
            | Self::Text { text }
            | Self::Code { text }
            | Self::Plan { text } => text.len(),
            Self::Diff { lines } => lines.iter().map(|line| line.text.len() + 1).sum(),
        }
    }
}

/// Returns all pieces of a tool's input.
pub fn pieces(tool: &str, input: &Map<String, Value>) -> Vec<Piece> {
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
        "WebFetch" => pieces.extend(take(&mut rest, "url").map(code)),
        "ExitPlanMode" => pieces.extend(take(&mut rest, "plan").map(|plan| Piece::Plan { text: visible(&plan) })),
        _ => pieces.extend(argv(&mut rest)),
    }
    pieces.extend(rest.iter().map(|(key, value)| field(key, value)));
    pieces
}

fn take(input: &mut Map<String, Value>, key: &str) -> Option<String> {
    input.get(key).filter(|value| value.is_string())?;
    match input.shift_remove(key) {
        Some(Value::String(text)) => Some(text),
        _ => None,
    }
}

fn command(text: String) -> Piece {
    Piece::Command { text: visible(&text) }
}

fn path(text: String) -> Piece {
    Piece::Path { text: visible_line(&text) }
}

fn code(text: String) -> Piece {
    Piece::Code { text: visible(&text) }
}

fn edit(input: &mut Map<String, Value>) -> Option<Piece> {
    match (take(input, "old_string"), take(input, "new_string")) {
        (None, None) => None,
        (old, new) => Some(Piece::Diff { lines: diff::lines(&old.unwrap_or_default(), &new.unwrap_or_default()) }),
    }
}

/// Returns each edit: its diff, and its other fields.
fn edits(input: &mut Map<String, Value>) -> Vec<Piece> {
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

fn argv(input: &mut Map<String, Value>) -> Option<Piece> {
    let words = match input.get("argv") {
        Some(Value::Array(words)) if !words.is_empty() => words,
        _ => return None,
    };
    let words: Option<Vec<&str>> = words.iter().map(Value::as_str).collect();
    let text = shell_words::join(words?);
    input.shift_remove("argv");
    Some(command(text))
}

fn field(key: &str, value: &Value) -> Piece {
    let key = visible_line(key);
    match value {
        Value::String(text) if text.contains('\n') => Piece::Code { text: format!("{key}:\n{}", visible(text)) },
        Value::String(text) => Piece::Text { text: format!("{key}: {}", visible_line(text)) },
        Value::Array(_) | Value::Object(_) => {
            let pretty = serde_json::to_string_pretty(value).unwrap_or_else(|_| value.to_string());
            Piece::Code { text: format!("{key}: {}", visible(&pretty)) }
        }
        plain => Piece::Text { text: format!("{key}: {plain}") },
    }
}

#[cfg(test)]
mod tests;
