//! What a hook's exit code and stdout say. It is recorded and shown, and changes nothing.
//!
//! | exit code | stdout | reading |
//! |---|---|---|
//! | any | exactly one JSON object | its decision, if it has one |
//! | 0 | other text | context: Claude Code gives it to the model at some events |
//! | 2 | | the hook wanted to block, its stderr is the reason |
//! | another, a signal, too long, not started | | it failed; with `onFailure: block` it wanted to block |

use std::time::Duration;

use serde::Serialize;
use serde_json::Value;

use crate::settings::OnFailure;

/// How a handler's process ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "ended", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Ending {
    /// By itself.
    Exited {
        /// The exit code.
        exit_code: i32,
    },
    /// By a signal.
    Killed {
        /// The signal's number.
        signal: i32,
    },
    /// It was ended, because its limit was reached.
    TimedOut,
    /// It could not be started.
    NotStarted {
        /// Why.
        why: String,
    },
}

/// What the hook's author wanted the client to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Wanted {
    /// To go on without asking.
    Allow,
    /// To refuse, or to stop.
    Deny,
    /// To ask a person.
    Ask,
    /// To decide later.
    Defer,
}

/// Slips of a script that keep the client from reading it as its author meant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize)]
#[serde(tag = "code", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Slip {
    /// Text around a JSON object: the client reads all of it as text.
    #[error(
        "stdout has a JSON object and other text beside it, so no client reads the object: write the text to stderr"
    )]
    StrayText,
    /// What begins as JSON is none.
    #[error("stdout begins like a JSON object, but is none: {why}")]
    BrokenJson {
        /// What the parser says.
        why: String,
    },
    /// The object is for another event.
    #[error("hookSpecificOutput is for {found:?}, but the event is {event}: the client ignores it")]
    OtherEvent {
        /// The event that the object names; empty for none.
        found: String,
        /// The event.
        event: String,
    },
    /// A word of a decision that the client does not know.
    #[error("{word:?} is no decision at {event}: {takes}")]
    UnknownDecision {
        /// The word.
        word: String,
        /// The event.
        event: String,
        /// What the event takes.
        takes: &'static str,
    },
    /// `decision` at the top of an event that does not read it there.
    #[error("a \"decision\" at the top has no effect at {event}: it belongs into hookSpecificOutput")]
    DecisionAtTop {
        /// The event.
        event: String,
    },
    /// Exit code 1 together with a reason on stderr.
    #[error("exit code 1 stops nothing in Claude Code: a hook that blocks ends with 2, or writes a JSON decision")]
    ExitOne,
    /// Exit code 2 at an event at which it has no effect.
    #[error("exit code 2 is no decision at PermissionRequest: write a JSON decision")]
    ExitTwoAtPermission,
    /// A command or file that the shell did not find.
    #[error("exit code {exit_code}: the shell found no such command, or may not execute it")]
    ShellDidNotFind {
        /// 126 or 127.
        exit_code: i32,
    },
    /// More output than is kept.
    #[error("stdout is longer than dmplz keeps, so it is not read as JSON")]
    TooLong,
}

/// The reading of one result.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Reading {
    /// The decision that was wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wanted: Option<Wanted>,
    /// The reason for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// A message for the user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system_message: Option<String>,
    /// Text for the model's context, which dmplz gives to no model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// The hook asked to go on in the background.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_async: bool,
    /// What is wrong with the script.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub slips: Vec<Slip>,
}

/// What a process left when it ended.
#[derive(Debug, Clone)]
pub struct Done {
    /// How the process ended.
    pub ending: Ending,
    /// What it wrote to stdout.
    pub stdout: Written,
    /// What it wrote to stderr.
    pub stderr: Written,
    /// How long it ran.
    pub took: Duration,
    /// Something that it started runs on, and holds its output open.
    pub left_running: bool,
}

/// What a process wrote to one stream.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Written {
    /// The first [`KEPT`](crate::process::KEPT) bytes.
    pub kept: Vec<u8>,
    /// How many bytes it wrote.
    pub total: u64,
}

impl Written {
    /// Returns what was kept as text. Bytes that are no UTF-8 become U+FFFD.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.kept).into_owned()
    }

    /// Returns whether more was written than was kept.
    pub fn is_cut(&self) -> bool {
        self.total > self.kept.len() as u64
    }
}

/// Reads the result of a hook of this event.
pub fn read(event: &str, on_failure: OnFailure, done: &Done) -> Reading {
    let mut reading = Reading::default();
    let stdout = done.stdout.text();
    let text = stdout.trim();
    match serde_json::from_str::<Value>(text) {
        _ if done.stdout.is_cut() => reading.slips.push(Slip::TooLong),
        Ok(Value::Object(output)) => reading.structured(event, &Value::Object(output)),
        _ if text.is_empty() => {}
        Err(error) if text.starts_with('{') && !is_several_lines_with_an_object(text) => {
            reading.slips.push(Slip::BrokenJson { why: error.to_string() });
        }
        _ if is_several_lines_with_an_object(text) => reading.slips.push(Slip::StrayText),
        _ => reading.context = Some(text.to_owned()),
    }
    reading.ended(event, on_failure, done);
    reading
}

impl Reading {
    fn structured(&mut self, event: &str, output: &Value) {
        let text = |value: &Value, name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
        self.is_async = output.get("async") == Some(&Value::Bool(true));
        self.system_message = text(output, "systemMessage");
        self.reason = text(output, "reason").or_else(|| text(output, "stopReason"));
        if output.get("continue") == Some(&Value::Bool(false)) && event != "PermissionRequest" {
            self.wanted = Some(Wanted::Deny);
        }
        if let Some(word) = text(output, "decision") {
            match (event, word.as_str()) {
                ("PermissionRequest", _) => self.slips.push(Slip::DecisionAtTop { event: event.to_owned() }),
                (_, "block" | "deny") => self.wanted = Some(Wanted::Deny),
                (_, "approve" | "allow") => self.wanted = Some(Wanted::Allow),
                (_, "ask") => self.wanted = Some(Wanted::Ask),
                _ => self.unknown(event, word, "it takes block or approve"),
            }
        }
        let Some(own) = output.get("hookSpecificOutput") else { return };
        let found = text(own, "hookEventName").unwrap_or_default();
        if found != event {
            self.slips.push(Slip::OtherEvent { found, event: event.to_owned() });
            return;
        }
        self.context = text(own, "additionalContext");
        if let Some(word) = text(own, "permissionDecision") {
            self.reason = text(own, "permissionDecisionReason").or(self.reason.take());
            match word.as_str() {
                "allow" => self.wanted = Some(Wanted::Allow),
                "deny" => self.wanted = Some(Wanted::Deny),
                "ask" => self.wanted = Some(Wanted::Ask),
                "defer" => self.wanted = Some(Wanted::Defer),
                _ => self.unknown(event, word, "it takes allow, deny, ask or defer"),
            }
        }
        let Some(decision) = own.get("decision") else { return };
        self.reason = text(decision, "message").or(self.reason.take());
        match text(decision, "behavior") {
            Some(word) if word == "allow" => self.wanted = Some(Wanted::Allow),
            Some(word) if word == "deny" => self.wanted = Some(Wanted::Deny),
            word => self.unknown(event, word.unwrap_or_default(), "decision.behavior takes allow or deny"),
        }
    }

    fn unknown(&mut self, event: &str, word: String, takes: &'static str) {
        self.slips.push(Slip::UnknownDecision { word, event: event.to_owned(), takes });
    }

    fn ended(&mut self, event: &str, on_failure: OnFailure, done: &Done) {
        let stderr = || Some(done.stderr.text().trim().to_owned()).filter(|text| !text.is_empty());
        let has_decided = self.wanted.is_some();
        let failed = match &done.ending {
            Ending::Exited { exit_code: 0 } => false,
            Ending::Exited { exit_code: 2 } => {
                match event {
                    "PermissionRequest" if !has_decided => self.slips.push(Slip::ExitTwoAtPermission),
                    _ if !has_decided => (self.wanted, self.reason) = (Some(Wanted::Deny), stderr()),
                    _ => {}
                }
                false
            }
            Ending::Exited { exit_code: exit_code @ (126 | 127) } => {
                self.slips.push(Slip::ShellDidNotFind { exit_code: *exit_code });
                true
            }
            Ending::Exited { exit_code: 1 } => {
                if !has_decided && stderr().is_some() && on_failure == OnFailure::Continue {
                    self.slips.push(Slip::ExitOne);
                }
                true
            }
            _ => true,
        };
        if failed && !has_decided && on_failure == OnFailure::Block {
            (self.wanted, self.reason) = (Some(Wanted::Deny), stderr());
        }
    }
}

/// Returns whether one line of a text, or its end from some line on, is a JSON object by itself.
fn is_several_lines_with_an_object(text: &str) -> bool {
    let starts = text.match_indices('{').map(|(at, _)| at).filter(|at| {
        let before = text.get(..*at).unwrap_or_default();
        before.is_empty() || before.ends_with('\n')
    });
    let mut found = starts.filter_map(|at| text.get(at..)).filter_map(|rest| {
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        values.next()?.ok().filter(Value::is_object)
    });
    text.contains('\n') && found.next().is_some()
}

#[cfg(test)]
mod tests;
