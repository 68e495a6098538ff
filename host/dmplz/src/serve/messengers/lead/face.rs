//! A session as its card shows it.

use std::path::Path;

use dmplz_core::lead::{Busy, Face, Mark};
use dmplz_protocol::session::{Happening, Numbered, PlanLimit, Session, Stage, State, TodoState};

use crate::named::short;

/// How many lines of what happened a card shows.
const LINES: usize = 6;
/// How many of the last events are looked at for them.
const EVENTS: usize = 30;

/// The session, with what it did last and is doing.
pub(super) fn face(session: &Session, events: &[Numbered], partial: &str) -> Face {
    let todo = |state: TodoState| match state {
        TodoState::Open => Mark::Open,
        TodoState::Doing => Mark::Doing,
        TodoState::Done => Mark::Done,
    };
    let waiting = session.queue.iter().filter(|queued| queued.stage == Stage::Waiting);
    Face {
        folder: Path::new(&session.cwd).file_name().unwrap_or_default().to_string_lossy().into_owned(),
        id: short(session.id),
        label: session.name.clone(),
        title: session.title.clone(),
        busy: match session.state {
            State::Starting => Busy::Starting,
            State::Idle => Busy::Idle,
            State::Working => Busy::Working,
            State::Asking => Busy::Asking,
            State::Ended => Busy::Ended,
        },
        mode: session.mode.clone(),
        model: session.model.clone(),
        cost_usd: session.cost_usd,
        limit: session.limit.as_ref().map(PlanLimit::short).unwrap_or_default(),
        lines: lines(events, partial),
        todos: session.todos.iter().map(|it| (todo(it.state), it.text.clone())).collect(),
        waiting: waiting.map(|queued| queued.text.clone()).collect(),
    }
}

/// The last lines of what happened and of what is being written, oldest first.
fn lines(events: &[Numbered], partial: &str) -> Vec<String> {
    let last = events.get(events.len().saturating_sub(EVENTS)..).unwrap_or_default();
    let mut lines: Vec<String> = last.iter().flat_map(|numbered| of(&numbered.event)).collect();
    lines.extend(said(partial));
    lines.drain(..lines.len().saturating_sub(LINES));
    lines
}

fn of(event: &Happening) -> Vec<String> {
    match event {
        Happening::Message { text } => vec![format!("❯ {text}")],
        Happening::Text { text, subagent: false } => said(text).collect(),
        Happening::Tool { tool, line, subagent, .. } => {
            vec![format!("{}⏺ {tool} {line}", if *subagent { "  " } else { "" })]
        }
        Happening::ToolFailed { line, .. } => vec![format!("✗ {line}")],
        Happening::Turn { ok: false, text: Some(text), .. } | Happening::Notice { text } => vec![format!("⚠️ {text}")],
        Happening::Undone { files, insertions, deletions } => vec![format!("↩️ {files} · +{insertions} −{deletions}")],
        Happening::Text { .. }
        | Happening::ToolReturned { .. }
        | Happening::Turn { .. }
        | Happening::Resumed
        | Happening::Ended { .. } => Vec::new(),
    }
}

/// The lines of a text of the agent.
fn said(text: &str) -> impl Iterator<Item = String> {
    text.lines().filter(|line| !line.trim().is_empty()).map(|line| format!("│ {line}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_are_those_that_people_read_of_a_session() {
        let tool = |subagent| Happening::Tool {
            call: "c".into(),
            tool: "Bash".into(),
            line: "ls".into(),
            shown: Vec::new(),
            cut: false,
            subagent,
        };
        let events = [
            Happening::Message { text: "go".into() },
            Happening::Text { text: "one\n\ntwo".into(), subagent: false },
            Happening::Text { text: "hidden".into(), subagent: true },
            tool(false),
            tool(true),
            Happening::ToolFailed { call: "c".into(), line: "no".into() },
            Happening::ToolReturned { call: "c".into(), text: "long".into() },
            Happening::Turn { ok: true, text: None, more: false },
        ];
        let numbered = |(at, event): (usize, &Happening)| Numbered { number: at as u64, event: event.clone() };
        let events: Vec<Numbered> = events.iter().enumerate().map(numbered).collect();
        assert_eq!(lines(&events, ""), ["❯ go", "│ one", "│ two", "⏺ Bash ls", "  ⏺ Bash ls", "✗ no"]);
        let writing = lines(&events, "three\n\nfo");
        assert_eq!(writing, ["│ two", "⏺ Bash ls", "  ⏺ Bash ls", "✗ no", "│ three", "│ fo"]);
    }
}
