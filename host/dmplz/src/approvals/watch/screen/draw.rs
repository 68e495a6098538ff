//! Draws the board: a title, the list, the details, what happened last, and what can be typed.

use dmplz_core::visible::visible_line;
use dmplz_protocol::{Standing, Status};
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::{Color, Modifier, Style};

use super::super::step::{Step, help};
use super::board::{Board, Drawn, Focus};
use super::words;
use crate::approvals::card::Look;
use crate::terminal::{fit, pad, say, split, width};

/// The smallest window in which a request can be read and answered.
const SMALLEST: (u16, u16) = (30, 10);
/// Lines that are neither list nor details: the title, two rules, the notice and the keys.
const FIXED: u16 = 5;

/// Draws the whole board.
pub(super) fn draw(board: &Board, area: Rect, buffer: &mut Buffer, look: Look) -> Drawn {
    if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
        let small = say(board.lang, "창이 너무 작습니다. 넓혀 주세요.", "The window is too small.");
        line(buffer, area, 0, small, Style::new());
        return Drawn { is_too_small: true, ..Drawn::default() };
    }
    let columns = usize::from(area.width);
    let look = Look { columns: Some(columns), ..look };
    let rows = u16::try_from(board.requests.len()).unwrap_or(u16::MAX);
    let list = rows.clamp(1, ((area.height - FIXED) / 3).max(1));
    title(board, area, buffer);
    draw_list(board, area, buffer, look, list);
    rule(buffer, area, 1 + list);
    let top = 2 + list;
    let page = area.height - FIXED - list;
    let details = details(board, look, columns);
    rule(buffer, area, area.height - 3);
    let drawn = draw_details(&details, board.scroll, area, buffer, top, page);
    line(buffer, area, area.height - 2, &visible_line(&board.notice), Style::new().add_modifier(Modifier::DIM));
    keys(board, area, buffer, look);
    drawn
}

fn title(board: &Board, area: Rect, buffer: &mut Buffer) {
    let columns = usize::from(area.width);
    let (left, right) = (words::title(board.lang, board.waiting(), board.is_muted), words::keys(board.lang));
    let room = columns.saturating_sub(width(right));
    let text = if width(&left) < room { format!("{}{right}", pad(&left, room)) } else { pad(&left, columns) };
    line(buffer, area, 0, &text, Style::new().add_modifier(Modifier::REVERSED));
}

fn draw_list(board: &Board, area: Rect, buffer: &mut Buffer, look: Look, rows: u16) {
    if board.requests.is_empty() {
        let none = say(
            board.lang,
            "답을 기다리는 요청이 없습니다. 오면 여기에 나타납니다.",
            "Nothing waits for an answer. What comes appears here.",
        );
        return line(buffer, area, 1, none, Style::new());
    }
    let at = board.requests.iter().position(|standing| Some(standing.request.id) == board.selected).unwrap_or(0);
    let first = at.saturating_sub(usize::from(rows) - 1);
    for (row, standing) in (1..=rows).zip(board.requests.iter().skip(first)) {
        let is_selected = Some(standing.request.id) == board.selected;
        let style = match (&standing.status, is_selected) {
            (_, true) => Style::new().add_modifier(Modifier::BOLD),
            (Status::Open, false) => Style::new(),
            _ => Style::new().add_modifier(Modifier::DIM),
        };
        let mark = if is_selected { "▸ " } else { "  " };
        line(buffer, area, row, &format!("{mark}{}", row_of(standing, look)), style);
    }
}

fn row_of(standing: &Standing, look: Look) -> String {
    match standing.status {
        Status::Open => {
            let (left, tool) = (look.left(standing), visible_line(&standing.request.tool));
            let folder = visible_line(&standing.request.cwd);
            format!("{}  {}  {}  {folder}", pad(&left, 8), pad(&tool, 8), Look::what(standing))
        }
        Status::Denied { .. } | Status::Ended { .. } => format!("{}  {}", look.status(standing), Look::what(standing)),
    }
}

/// The lines of the details, none wider than the window.
fn details(board: &Board, look: Look, columns: usize) -> Vec<String> {
    let Some(standing) = board.current() else { return Vec::new() };
    let offer = &standing.request.offer;
    let whole = || look.whole(standing);
    let text = match &board.focus {
        Focus::Help(step) => {
            let moves = words::moves(look.lang).map(|line| format!("  {line}\n")).concat();
            format!("{}\n{}{moves}", words::how(look.lang), help(step, offer, look.lang))
        }
        Focus::Choose(step) | Focus::Confirm(step, _) | Focus::Line(step, _) => match step {
            Step::Place { .. } | Step::Question { .. } => format!("{}\n{}", step.shown(offer, look), whole()),
            Step::Decide | Step::Reason { .. } => whole(),
        },
    };
    text.lines().flat_map(|line| folded(line, columns)).collect()
}

/// A line in pieces that fit; the further ones begin further in.
fn folded(line: &str, columns: usize) -> Vec<String> {
    let (first, mut rest) = split(line, columns);
    let mut pieces = vec![first.to_owned()];
    while !rest.is_empty() {
        let (piece, more) = split(rest, columns.saturating_sub(6).max(1));
        pieces.push(format!("    ┆ {piece}"));
        rest = more;
    }
    pieces
}

fn draw_details(details: &[String], scroll: usize, area: Rect, buffer: &mut Buffer, top: u16, page: u16) -> Drawn {
    let (lines, page_lines) = (details.len(), usize::from(page));
    let scroll = scroll.min(lines.saturating_sub(page_lines));
    for (row, text) in (top..top + page).zip(details.iter().skip(scroll)) {
        line(buffer, area, row, text, style_of(text));
    }
    let is_read = scroll + page_lines >= lines;
    if !is_read {
        let more = format!(" ↓ {} ", lines - scroll - page_lines);
        let column = area.width.saturating_sub(u16::try_from(width(&more)).unwrap_or(u16::MAX));
        buffer.set_string(area.x + column, area.y + top + page, more, Style::new().add_modifier(Modifier::REVERSED));
    }
    Drawn { lines, page: page_lines, is_read, is_too_small: false }
}

/// The lines of a diff stand out; the bar before them is ours.
fn style_of(line: &str) -> Style {
    match line.strip_prefix("│ ").and_then(|line| line.chars().next()) {
        Some('+') => Style::new().fg(Color::Green),
        Some('-') => Style::new().fg(Color::Red),
        _ => Style::new(),
    }
}

fn keys(board: &Board, area: Rect, buffer: &mut Buffer, look: Look) {
    let Some(standing) = board.current() else { return };
    let (offer, lang, columns) = (&standing.request.offer, look.lang, usize::from(area.width));
    let is_open = standing.status == Status::Open;
    let text = match &board.focus {
        Focus::Choose(step) if is_open => words::choices(step, offer, lang),
        Focus::Confirm(_, answer) if is_open => words::confirm(answer, lang),
        Focus::Line(step, typed) => {
            let prompt = step.prompt(offer, lang);
            // The end of what is typed stays in view.
            let room = columns.saturating_sub(width(&prompt) + 2);
            let typed: Vec<char> = visible_line(typed).chars().collect();
            let mut from = 0;
            let tail = |from: usize| typed.iter().skip(from).collect::<String>();
            while width(&tail(from)) > room && from < typed.len() {
                from += 1;
            }
            format!("{prompt}{}▏", tail(from))
        }
        Focus::Help(_) | Focus::Choose(_) | Focus::Confirm(..) => String::new(),
    };
    let style = match &board.focus {
        Focus::Confirm(..) => Style::new().fg(Color::Yellow).add_modifier(Modifier::BOLD),
        _ => Style::new().add_modifier(Modifier::BOLD),
    };
    line(buffer, area, area.height - 1, &fit(&text, columns), style);
}

fn rule(buffer: &mut Buffer, area: Rect, row: u16) {
    line(buffer, area, row, &"─".repeat(usize::from(area.width)), Style::new().add_modifier(Modifier::DIM));
}

fn line(buffer: &mut Buffer, area: Rect, row: u16, text: &str, style: Style) {
    let text = text.replace('\t', "    ");
    buffer.set_stringn(area.x, area.y + row, fit(&text, usize::from(area.width)), usize::from(area.width), style);
}

#[cfg(test)]
mod tests;
