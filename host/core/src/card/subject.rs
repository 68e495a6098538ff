//! What a card is about: every field of a tool's input, in an order that a person can judge.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::plan::{plan, title};
use crate::claude::{PermissionUpdate, ToolCall, questions};
use crate::grant::Covers;
use crate::messenger::Block;
use crate::present::{DiffLine, Piece, pieces};
use crate::text::{Lang, Words, fill};
use crate::visible::visible_line;

/// How a card shows a request. Plain data, so that another process can draw the card's end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Subject {
    /// The id of the request.
    pub request_id: String,
    /// The tool as people see it.
    pub tool: String,
    /// Lines below what is asked: folder, subagent, remarks of the policy.
    pub context: Vec<String>,
    /// The pieces of what is asked, in their order.
    pub parts: Vec<Part>,
    /// The line about the session grant, when there is one.
    #[schema(required = true)]
    pub grant: Option<String>,
    /// The line about a grant of ours, where it would be about more than the very call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub granted: Option<String>,
}

/// A piece of a card.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// Words that are shown literally.
    Text(String),
    /// A monospaced text that is shown literally.
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
    /// The same with remarks beside the folder.
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

    /// The text of the piece.
    pub fn text(&self) -> &str {
        match self {
            Self::Text(text) | Self::Code(text) => text,
        }
    }
}

/// The pieces of a call as a card has them: a plan drawn with characters, a diff as text.
fn parts(tool: &str, input: &Map<String, Value>) -> Vec<Part> {
    let part = |piece| match piece {
        Piece::Path { text } | Piece::Text { text } => vec![Part::Text(text)],
        Piece::Command { text } | Piece::Code { text } => vec![Part::Code(text)],
        Piece::Plan { text } => plan(&text),
        Piece::Diff { lines } => vec![Part::Code(diff(&lines))],
    };
    pieces(tool, input).into_iter().flat_map(part).collect()
}

/// The fields beside the questions, which have their own cards.
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

/// What an update holds, in words.
pub(super) fn named(update: &PermissionUpdate, words: &Words) -> Vec<String> {
    let worded = |item: String| match update {
        PermissionUpdate::AddRules { .. } => item,
        PermissionUpdate::AddDirectories { .. } => fill(words.grant_directory, &[&item]),
        PermissionUpdate::SetMode { .. } => fill(words.grant_mode, &[&item]),
    };
    update.items().into_iter().map(worded).collect()
}
