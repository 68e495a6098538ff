//! A session as its card shows it, at one of three levels of detail (`DMPLZ_RUN_DETAIL`).
//!
//! | level | of what the agent does |
//! |---|---|
//! | brief | its list of what is to be done; nothing that it says or calls |
//! | normal | also the last lines of what it says, and a line for each call |
//! | full | more of them, with what calls returned and what its subagents say |

use std::path::Path;

use dmplz_core::lead::Face;
use dmplz_protocol::session::{Happening, Numbered, PlanLimit, Session, Stage};

use crate::named::short;
use crate::settings::ChatDetail;

/// How many lines of what happened a card shows, and of how many of the last events, normally and in full.
const NORMAL: (usize, usize) = (6, 30);
const FULL: (usize, usize) = (20, 60);
/// How many lines of what a call returned are shown in full.
const RETURNED: usize = 2;

/// The session, with what it did last and is doing.
pub(super) fn face(session: &Session, events: &[Numbered], partial: &str, detail: ChatDetail) -> Face {
    let waiting = session.queue.iter().filter(|queued| queued.stage == Stage::Waiting);
    Face {
        folder: Path::new(&session.cwd).file_name().unwrap_or_default().to_string_lossy().into_owned(),
        id: short(session.id),
        label: session.name.clone(),
        title: session.title.clone(),
        busy: session.state,
        mode: session.mode.clone(),
        model: session.model.clone(),
        cost_usd: session.cost_usd,
        limit: session.limit.as_ref().map(PlanLimit::short).unwrap_or_default(),
        lines: lines(events, partial, detail),
        todos: session.todos.iter().map(|it| (it.state, it.text.clone())).collect(),
        waiting: waiting.map(|queued| queued.text.clone()).collect(),
    }
}

/// The last lines of what happened and of what is being written, oldest first.
fn lines(events: &[Numbered], partial: &str, detail: ChatDetail) -> Vec<String> {
    let (most, looked_at) = match detail {
        ChatDetail::Brief => return Vec::new(),
        ChatDetail::Normal => NORMAL,
        ChatDetail::Full => FULL,
    };
    let last = events.get(events.len().saturating_sub(looked_at)..).unwrap_or_default();
    let mut lines: Vec<String> = last.iter().flat_map(|numbered| of(&numbered.event, detail)).collect();
    lines.extend(said(partial));
    lines.drain(..lines.len().saturating_sub(most));
    lines
}

fn of(event: &Happening, detail: ChatDetail) -> Vec<String> {
    match event {
        Happening::Text { text, subagent: true } if detail == ChatDetail::Full => {
            said(text).map(|line| format!("  {line}")).collect()
        }
        Happening::ToolReturned { text, .. } if detail == ChatDetail::Full => {
            let lines = text.lines().filter(|line| !line.trim().is_empty());
            lines.take(RETURNED).map(|line| format!("  ⎿ {line}")).collect()
        }
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
        let normal = |partial| lines(&events, partial, ChatDetail::Normal);
        assert_eq!(normal(""), ["❯ go", "│ one", "│ two", "⏺ Bash ls", "  ⏺ Bash ls", "✗ no"]);
        assert_eq!(normal("three\n\nfo"), ["│ two", "⏺ Bash ls", "  ⏺ Bash ls", "✗ no", "│ three", "│ fo"]);
        assert_eq!(lines(&events, "three", ChatDetail::Brief), [""; 0], "nothing of what the agent says or calls");
        let full = lines(&events, "", ChatDetail::Full);
        assert_eq!(
            full.get(3..),
            Some(&["  │ hidden", "⏺ Bash ls", "  ⏺ Bash ls", "✗ no", "  ⎿ long"].map(str::to_owned)[..])
        );
    }
}
