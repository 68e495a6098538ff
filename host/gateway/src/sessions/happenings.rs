//! What a message of the client comes to for those who look on.

use std::borrow::Cow;

use dmplz_core::card::Subject;
use dmplz_core::claude::ToolCall;
use dmplz_core::present::{DiffLine, Piece, pieces};
use dmplz_core::text::Lang;
use dmplz_core::visible::{short, visible, visible_line};
use dmplz_protocol::session::Happening;
use dmplz_runner::control::{Block, Message, Turn};

use super::received::as_sent;

/// The longest line about a call, in characters.
const LINE: usize = 300;
/// The longest text of an event, in bytes: a longer one becomes several events.
const TEXT: usize = 32 << 10;
/// How much is kept of what a call was given, and of what it returned, in bytes each.
const DETAIL: usize = 4 << 10;

/// What a message comes to.
pub(super) fn happenings(message: &Message, lang: Lang) -> Vec<Happening> {
    match message {
        Message::Assistant(said) => {
            let subagent = said.parent_tool_use_id.is_some();
            let happened = |block: &Block| match block {
                Block::Text(text) => texts(text).map(|text| Happening::Text { text, subagent }).collect(),
                Block::ToolUse { id, name, input } => {
                    let (shown, cut) = beginning(pieces(name, input));
                    let call = ToolCall {
                        tool: name.clone(),
                        input: input.clone(),
                        tool_use_id: None,
                        suggestions: Vec::new(),
                    };
                    let line = short(&Subject::of(&call, "", "", None, &[], lang).line(), LINE);
                    let (call, tool) = (visible_line(id), visible_line(name));
                    vec![Happening::Tool { call, tool, line, shown, cut, subagent }]
                }
                Block::ToolResult { .. } | Block::Other => Vec::new(),
            };
            said.blocks.iter().flat_map(happened).collect()
        }
        Message::User(user) => {
            let happened = |block: &Block| match block {
                Block::Text(text) if user.is_replay && user.parent_tool_use_id.is_none() => {
                    texts(&as_typed(text)).map(|text| Happening::Message { text }).collect()
                }
                Block::ToolResult { tool_use_id, is_error: true, text } => {
                    vec![Happening::ToolFailed { call: visible_line(tool_use_id), line: short(text, LINE) }]
                }
                Block::ToolResult { tool_use_id, text, .. } => {
                    let mut text = visible(text);
                    if text.len() > DETAIL {
                        text.truncate(text.floor_char_boundary(DETAIL));
                        text.push('…');
                    }
                    vec![Happening::ToolReturned { call: visible_line(tool_use_id), text }]
                }
                _ => Vec::new(),
            };
            user.blocks.iter().flat_map(happened).collect()
        }
        Message::Result(turn) => vec![over(turn)],
        _ => Vec::new(),
    }
}

/// What a person typed, and the names of the files with it: the client repeats its own commands as
/// `<command-name>/clear</command-name> ... <command-args>all</command-args>`.
pub(super) fn as_typed(text: &str) -> Cow<'_, str> {
    let text = as_sent(text);
    match command(&text) {
        Some(command) => Cow::Owned(command),
        None => text,
    }
}

/// Returns the command of the client that a text stands for.
fn command(text: &str) -> Option<String> {
    let within = |tag: &str| {
        let (_, after) = text.split_once(&format!("<{tag}>"))?;
        Some(after.split_once(&format!("</{tag}>"))?.0.trim())
    };
    match within("command-name") {
        Some(name) if text.starts_with("<command-name>") && name.starts_with('/') => {
            let arguments = within("command-args").unwrap_or_default();
            Some(format!("{name} {arguments}").trim_end().to_owned())
        }
        _ => None,
    }
}

fn over(turn: &Turn) -> Happening {
    let ok = turn.subtype == "success" && !turn.is_error;
    let why = turn.result.clone().or_else(|| turn.errors.first().cloned());
    let why = why.or_else(|| turn.terminal_reason.clone()).unwrap_or_else(|| turn.subtype.clone());
    let text = (!ok).then(|| short(&why, LINE));
    Happening::Turn { ok, text, more: turn.queued_turn_count > 0 }
}

/// As many pieces as are kept, and whether that is not all.
fn beginning(pieces: Vec<Piece>) -> (Vec<Piece>, bool) {
    let (mut left, mut kept) = (DETAIL, Vec::new());
    for mut piece in pieces {
        let weight = piece.weight();
        if weight <= left {
            left -= weight;
            kept.push(piece);
            continue;
        }
        match &mut piece {
            Piece::Command { text }
            | Piece::Path { text }
            | Piece::Text { text }
            | Piece::Code { text }
            | Piece::Plan { text } => text.truncate(text.floor_char_boundary(left)),
            Piece::Diff { lines } => {
                let fits = |line: &&DiffLine| {
                    left = left.saturating_sub(line.text.len() + 1);
                    left > 0
                };
                let fitting = lines.iter().take_while(fits).count();
                lines.truncate(fitting);
            }
        }
        kept.push(piece);
        return (kept, true);
    }
    (kept, false)
}

/// All of a text, in pieces that a surface can take.
fn texts(text: &str) -> impl Iterator<Item = String> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (piece, after) = rest.split_at(rest.floor_char_boundary(TEXT));
        rest = after;
        Some(piece.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_of_the_client_is_shown_as_it_was_typed() {
        let repeated =
            |args: &str| format!("<command-name>/compact</command-name>\n<command-args>{args}</command-args>");
        assert_eq!(as_typed(&repeated("")), "/compact");
        assert_eq!(as_typed(&repeated("keep <b>")), "/compact keep <b>");
        for other in
            ["what is <command-name>/x</command-name>?", "<command-name>x</command-name>", "<command-name>/x", ""]
        {
            assert_eq!(as_typed(other), other);
        }
    }

    #[test]
    fn of_a_long_call_its_beginning_is_kept() {
        let text = |length: usize| Piece::Code { text: "가".repeat(length) };
        let (kept, cut) = beginning(vec![text(1_000), text(1_000), text(1)]);
        assert!(cut);
        assert_eq!(kept.iter().map(Piece::weight).collect::<Vec<_>>(), [3_000, 1_095], "whole characters");
        assert_eq!(beginning(vec![text(1), text(2)]), (vec![text(1), text(2)], false));
        let diff = Piece::Diff {
            lines: dmplz_core::present::pieces(
                "Edit",
                &serde_json::from_value(serde_json::json!({ "new_string": "line\n".repeat(2_000) })).unwrap(),
            )
            .into_iter()
            .find_map(|piece| match piece {
                Piece::Diff { lines } => Some(lines),
                _ => None,
            })
            .unwrap(),
        };
        let (kept, cut) = beginning(vec![diff]);
        assert!(cut && kept[0].weight() <= DETAIL && kept[0].weight() > DETAIL / 2, "{}", kept[0].weight());
    }

    #[test]
    fn a_long_text_is_told_in_whole_characters_and_none_is_lost() {
        let text = "가나".repeat(20_000);
        let told: Vec<String> = texts(&text).collect();
        assert!(told.len() > 1 && told.iter().all(|piece| piece.len() <= TEXT));
        assert_eq!(told.concat(), text);
    }
}
