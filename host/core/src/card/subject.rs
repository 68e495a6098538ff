//! What a card is about: every field of a tool's input, in an order that a person can judge.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::plan::{plan, title};
use crate::claude::{PermissionUpdate, ToolCall, questions};
use crate::grant::Covers;
use crate::messenger::Block;
use crate::text::{Lang, Words, fill};
use crate::visible::{visible, visible_line};

/// A request as it is shown. Plain data, so that another process can draw the card's end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    /// The request.
    pub request_id: String,
    /// The tool.
    pub tool: String,
    /// Lines above what is asked: folder, subagent.
    pub context: Vec<String>,
    /// What is asked.
    pub parts: Vec<Part>,
    /// The line about the session grant, when there is one.
    pub grant: Option<String>,
    /// The line about a grant of ours, where it would be about more than the very call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub granted: Option<String>,
}

/// One piece of a tool's input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// Words.
    Text(String),
    /// Monospaced.
    Code(String),
}

impl Subject {
    /// Draws up what a card says of a call.
    pub fn of(
        call: &ToolCall,
        request_id: &str,
        cwd: &str,
        agent: Option<&str>,
        grants: &[PermissionUpdate],
        lang: Lang,
    ) -> Self {
        let words = lang.words();
        let folder = (!cwd.is_empty()).then(|| fill(words.folder, &[&visible_line(cwd)]));
        let agent = agent.map(|agent| fill(words.agent, &[&visible_line(agent)]));
        Self {
            request_id: visible_line(request_id),
            tool: visible_line(&call.tool),
            context: folder.into_iter().chain(agent).collect(),
            parts: if questions(call).is_empty() { parts(&call.tool, &call.input) } else { besides_questions(call) },
            grant: (!grants.is_empty()).then(|| fill(words.grant, &[&grant_list(grants, words)])),
            granted: None,
        }
    }
}

/// What the policy has to say about a request that it leaves to a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Remark {
    /// A rule wants somebody to be asked: why, if it says so, and where it stands.
    Rule {
        /// Its reason.
        reason: Option<String>,
        /// `file:line`
        place: String,
    },
    /// A policy file is not as it should be, so less is allowed by rules than was meant: where and what.
    Trouble(String),
}

impl Subject {
    /// The same with remarks above what is asked.
    pub fn with(mut self, remarks: &[Remark], lang: Lang) -> Self {
        let words = lang.words();
        let line = |remark: &Remark| match remark {
            Remark::Rule { reason: Some(reason), place } => {
                fill(words.asked_by_rule, &[&format!("{reason} ({place})")])
            }
            Remark::Rule { reason: None, place } => fill(words.asked_by_rule, &[place]),
            Remark::Trouble(what) => fill(words.policy_trouble, &[what]),
        };
        self.context.extend(remarks.iter().map(|remark| visible_line(&line(remark))));
        self
    }

    /// The same with what a grant of ours would be about, where one may be given.
    #[must_use]
    pub fn granting(self, covers: Option<&Covers>, lang: Lang) -> Self {
        Self { granted: covers.and_then(|covers| covers.offer(lang)), ..self }
    }

    /// What is asked, as a list names it: its first line, or a plan's first heading.
    pub fn line(&self) -> &str {
        let called = if self.tool == "ExitPlanMode" { title(&self.parts) } else { None };
        called.or_else(|| self.parts.first()?.text().lines().next()).unwrap_or_default()
    }

    /// The same with long parts cut at about `room` units in all: what a record on disk keeps.
    pub fn brief(&self, room: usize) -> Self {
        Self { parts: brief(&self.parts, room), ..self.clone() }
    }
}

/// The parts from the start, as far as they fit, with `⋯` where the rest is missing.
pub(super) fn brief(parts: &[Part], mut room: usize) -> Vec<Part> {
    let mut kept = Vec::new();
    for part in parts {
        let text = part.text();
        let mut used = 0;
        let fits = text.chars().take_while(|c| {
            used += c.len_utf16();
            used <= room
        });
        let mut shown: String = fits.collect();
        let cut = shown.len() < text.len();
        room = room.saturating_sub(used + 1);
        if cut {
            shown.push('⋯');
        }
        kept.push(match part {
            Part::Text(_) => Part::Text(shown),
            Part::Code(_) => Part::Code(shown),
        });
        if cut {
            break;
        }
    }
    kept
}

impl Part {
    /// As a block of a card.
    pub(super) fn block(self) -> Block {
        match self {
            Self::Text(text) => Block::Text(text),
            Self::Code(code) => Block::Code(code),
        }
    }

    /// Its text.
    pub fn text(&self) -> &str {
        match self {
            Self::Text(text) | Self::Code(text) => text,
        }
    }
}

/// The main fields of the tools whose inputs people see most; every other field follows, none is left out.
fn parts(tool: &str, input: &Map<String, Value>) -> Vec<Part> {
    let mut rest = input.clone();
    let mut take = |key: &str| match rest.get(key) {
        Some(Value::String(_)) => rest.shift_remove(key).and_then(|value| value.as_str().map(str::to_owned)),
        _ => None,
    };
    let main: Vec<Part> = match tool {
        "Bash" | "PowerShell" => take("command").map(code).into_iter().collect(),
        "Write" => take("file_path").map(line).into_iter().chain(take("content").map(code)).collect(),
        "WebFetch" => take("url").map(code).into_iter().collect(),
        "ExitPlanMode" => take("plan").map(|text| plan(&visible(&text))).unwrap_or_default(),
        "Edit" => {
            let path = take("file_path").map(line);
            let diff = match (take("old_string"), take("new_string")) {
                (None, None) => None,
                (old, new) => Some(Part::Code(diff(old.as_deref(), new.as_deref()))),
            };
            path.into_iter().chain(diff).collect()
        }
        _ => Vec::new(),
    };
    main.into_iter().chain(rest.iter().map(|(key, value)| field(key, value))).collect()
}

/// The questions have their own cards.
fn besides_questions(call: &ToolCall) -> Vec<Part> {
    call.input.iter().filter(|(key, _)| *key != "questions").map(|(key, value)| field(key, value)).collect()
}

fn code(text: String) -> Part {
    Part::Code(visible(&text))
}

fn line(text: String) -> Part {
    Part::Text(visible_line(&text))
}

fn field(key: &str, value: &Value) -> Part {
    let key = visible_line(key);
    match value {
        Value::String(text) if text.contains('\n') => Part::Code(format!("{key}:\n{}", visible(text))),
        Value::String(text) => Part::Text(format!("{key}: {}", visible_line(text))),
        Value::Array(_) | Value::Object(_) => {
            let pretty = serde_json::to_string_pretty(value).unwrap_or_else(|_| value.to_string());
            Part::Code(format!("{key}: {}", visible(&pretty)))
        }
        plain => Part::Text(format!("{key}: {plain}")),
    }
}

fn diff(old: Option<&str>, new: Option<&str>) -> String {
    let side = |sign: char, text: Option<&str>| -> Vec<String> {
        let text = text.filter(|text| !text.is_empty()).map(visible);
        text.iter().flat_map(|text| text.split('\n')).map(|line| format!("{sign} {line}")).collect()
    };
    [side('-', old), side('+', new)].concat().join("\n")
}

fn grant_list(grants: &[PermissionUpdate], words: &Words) -> String {
    let all: Vec<String> = grants.iter().flat_map(|grant| named(grant, words)).map(|it| visible_line(&it)).collect();
    all.join(", ")
}

/// What an update holds, in words.
pub(super) fn named(update: &PermissionUpdate, words: &Words) -> Vec<String> {
    let worded = |item: String| match update {
        PermissionUpdate::AddRules { .. } => item,
        PermissionUpdate::AddDirectories { .. } => fill(words.grant_directory, &[&item]),
        PermissionUpdate::SetMode { .. } => fill(words.grant_mode, &[&item]),
    };
    update.items().into_iter().map(worded).collect()
}
