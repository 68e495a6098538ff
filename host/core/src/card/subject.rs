//! The subject of a card: every field of a tool's input, in an order in which a person can judge it.

use std::borrow::Cow;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::Part;
use super::plan::{plan, title};
use crate::claude::{PermissionUpdate, ToolCall, questions};
use crate::grant::Covers;
use crate::present::{DiffLine, Piece, Risk, pieces};
use crate::text::{Lang, Words, fill, split_units, units};
use crate::visible::{short, visible_line};

/// The parts of a card that describe a request. Plain data, so that another process can draw the card's end.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Subject {
    /// The id of the request.
    pub request_id: String,
    /// The tool's name for people.
    pub tool: String,
    /// The lines below the parts: folder, subagent, remarks of the policy.
    pub context: Vec<String>,
    /// The parts of the request, in their order.
    pub parts: Vec<Part>,
    /// The line about the session grant, if one is offered.
    #[schema(required = true)]
    pub grant: Option<String>,
    /// The line about a dmplz grant, if it would cover more than exactly this call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub granted: Option<String>,
    /// What stands out about it, in a constant order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(nullable = false)]
    pub risks: Vec<Risk>,
}

impl Subject {
    /// Describes a call of a tool.
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
            risks: Vec::new(),
        }
    }
}

/// The most characters of what the client says about why it asks. It takes them from the input, which the card shows whole.
const CLIENTS: usize = 400;

/// The most characters of a mode's name.
const MODE: usize = 40;

/// The most characters of a list or an object on one line.
const FIELD: usize = 160;

/// A remark on a request for the person who answers it: the policy's, or the client's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Remark {
    /// A rule asks for a person: its reason, if it has one, and its location.
    Rule {
        /// The rule's reason.
        reason: Option<String>,
        /// The rule's location, `file:line`.
        place: String,
    },
    /// A policy file has problems, so rules allow less than was meant: where and what.
    Trouble(String),
    /// Why the client asks, in its words.
    Client(String),
    /// The path that the client has no permission for.
    Blocked(String),
}

impl Subject {
    /// Adds remarks to the lines below the parts.
    pub fn with(mut self, remarks: &[Remark], lang: Lang) -> Self {
        let words = lang.words();
        let line = |remark: &Remark| match remark {
            Remark::Rule { reason: Some(reason), place } => {
                fill(words.asked_by_rule, &[&format!("{reason} ({place})")])
            }
            Remark::Rule { reason: None, place } => fill(words.asked_by_rule, &[place]),
            Remark::Trouble(what) => fill(words.policy_trouble, &[what]),
            Remark::Client(why) => fill(words.asked_by_client, &[why]),
            Remark::Blocked(path) => fill(words.blocked, &[path]),
        };
        self.context.extend(remarks.iter().map(|remark| match remark {
            Remark::Rule { .. } | Remark::Trouble(_) => visible_line(&line(remark)),
            Remark::Client(_) | Remark::Blocked(_) => short(&line(remark), CLIENTS),
        }));
        self
    }

    /// Adds the client's permission mode, unless it is the usual one. A plan's card already says that the agent plans.
    #[must_use]
    pub fn in_mode(mut self, mode: Option<&str>, lang: Lang) -> Self {
        let mode = mode.filter(|mode| !matches!(*mode, "" | "default") && self.tool != "ExitPlanMode");
        self.context.extend(mode.map(|mode| fill(lang.words().mode, &[&short(mode, MODE)])));
        self
    }

    /// Adds the marks of what stands out.
    #[must_use]
    pub fn marked(self, risks: Vec<Risk>) -> Self {
        Self { risks, ..self }
    }

    /// Returns the line that tells people what stands out, if anything does.
    pub fn warning(&self, lang: Lang) -> Option<String> {
        let words = lang.words();
        let mark = |risk: &Risk| match risk {
            Risk::Elevated => words.risk_elevated,
            Risk::PipedShell => words.risk_piped_shell,
            Risk::Outside => words.risk_outside,
            Risk::Network => words.risk_network,
            Risk::Secret => words.risk_secret,
        };
        let marks: Vec<_> = self.risks.iter().map(mark).collect();
        (!marks.is_empty()).then(|| format!("⚠️ {}", marks.join(" · ")))
    }

    /// Adds what a dmplz grant would cover, if one may be given.
    #[must_use]
    pub fn granting(self, covers: Option<&Covers>, lang: Lang) -> Self {
        Self { granted: covers.and_then(|covers| covers.offer(lang)), ..self }
    }

    /// Returns what is asked, for a list: its first line, a plan's first heading, or the beginning of a list or object, whose
    /// first line is only a bracket. `summary` of the page's `parts.js` is the same.
    pub fn line(&self) -> Cow<'_, str> {
        let called = if self.tool == "ExitPlanMode" { title(&self.parts) } else { None };
        let Some(text) = called.or_else(|| Some(self.parts.first()?.text())) else { return Cow::default() };
        match field_on_one_line(text) {
            Some(line) => Cow::Owned(line),
            None => Cow::Borrowed(text.lines().next().unwrap_or_default()),
        }
    }

    /// Truncates long parts to about `room` units in all, for a record on disk.
    pub fn brief(&self, room: usize) -> Self {
        Self { parts: brief(&self.parts, room), ..self.clone() }
    }
}

/// Returns a field that is a list or an object on one line, with `…` for what does not fit. `None` if the text is no such field.
fn field_on_one_line(text: &str) -> Option<String> {
    let (first, rest) = text.split_once('\n')?;
    let before = first.strip_suffix(": [").or_else(|| first.strip_suffix(": {"))?;
    // The lines of a command are not joined, because that would change what it says.
    serde_json::from_str::<IgnoredAny>(text.get(before.len() + 1..)?).ok()?;
    let mut line = first.to_owned();
    for next in rest.lines() {
        let space = if line.ends_with(',') { " " } else { "" };
        line.extend(space.chars().chain(next.trim_start().chars()).take(FIELD + 1));
        if let Some((end, _)) = line.char_indices().nth(FIELD) {
            line.truncate(end);
            line.push('…');
            break;
        }
    }
    Some(line)
}

/// Returns the parts from the start, as far as they fit, with `⋯` for the rest.
pub(super) fn brief(parts: &[Part], mut room: usize) -> Vec<Part> {
    let mut kept = Vec::new();
    for part in parts {
        let (shown, rest) = split_units(part.text(), room);
        room = room.saturating_sub(units(shown) + 1);
        if !rest.is_empty() {
            kept.push(part.with_text(format!("{shown}⋯")));
            break;
        }
        kept.push(part.clone());
    }
    kept
}

/// Returns the parts of a call: a plan drawn with characters, a diff as text.
fn parts(tool: &str, input: &Map<String, Value>) -> Vec<Part> {
    let part = |piece| match piece {
        Piece::Path { text } | Piece::Text { text } => vec![Part::Text(text)],
        Piece::Command { text } | Piece::Code { text } => vec![Part::Code(text)],
        Piece::Plan { text } => plan(&text),
        Piece::Diff { lines } => vec![Part::Code(diff(&lines))],
    };
    pieces(tool, input).into_iter().flat_map(part).collect()
}

/// Returns the fields besides the questions, which have cards of their own.
fn besides_questions(call: &ToolCall) -> Vec<Part> {
    let mut rest = call.input.clone();
    rest.shift_remove("questions");
    parts(&call.tool, &rest)
}

fn diff(lines: &[DiffLine]) -> String {
    lines.iter().map(|line| format!("{} {}", line.sign.mark(), line.text)).collect::<Vec<_>>().join("\n")
}

fn grant_list(grants: &[PermissionUpdate], words: &Words) -> String {
    let all: Vec<String> = grants.iter().flat_map(|grant| named(grant, words)).map(|it| visible_line(&it)).collect();
    all.join(", ")
}

/// Describes what an update stores.
pub(super) fn named(update: &PermissionUpdate, words: &Words) -> Vec<String> {
    let worded = |item: String| match update {
        PermissionUpdate::AddRules { .. } => item,
        PermissionUpdate::AddDirectories { .. } => fill(words.grant_directory, &[&item]),
        PermissionUpdate::SetMode { .. } => fill(words.grant_mode, &[&item]),
    };
    update.items().into_iter().map(worded).collect()
}
