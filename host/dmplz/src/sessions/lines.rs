//! Formats the events of a session for a terminal. The agent's text follows a bar, and a call of a tool is one line.

use dmplz_core::text::fill;
use dmplz_core::visible::visible_line;
use dmplz_protocol::session::{Happening, Numbered};

use crate::approvals::card::Look;
use crate::exit;
use crate::terminal::{Tone, say};

/// Shows events of one session, each once.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    last: u64,
    ended: Option<Option<i32>>,
}

impl Lines {
    /// Returns the lines of an event; `None` if it was shown before, or needs none.
    pub(crate) fn of(&mut self, numbered: &Numbered, look: Look) -> Option<String> {
        if numbered.number <= self.last {
            return None;
        }
        self.last = numbered.number;
        match &numbered.event {
            Happening::Ended { code, .. } => self.ended = Some(*code),
            Happening::Resumed => self.ended = None,
            _ => {}
        }
        lines(&numbered.event, look)
    }

    /// Returns the exit code, once the session has ended: that of failure if the client did not end normally.
    pub(crate) fn exit_code(&self) -> Option<u8> {
        self.ended.map(|code| if code == Some(0) { exit::OK } else { exit::FAILED })
    }
}

/// Returns whether the session works after an event, where it did or did not before.
pub(crate) fn works_after(event: &Happening, before: bool) -> bool {
    match event {
        Happening::Turn { more, .. } => *more,
        Happening::Ended { .. } => false,
        Happening::Notice { .. } | Happening::Undone { .. } => before,
        Happening::Resumed => false,
        _ => true,
    }
}

fn lines(event: &Happening, look: Look) -> Option<String> {
    let (lang, paint) = (look.lang, look.paint);
    let faint = |line: String| Some(format!("{}\n", paint.tone(Tone::Faint, &line)));
    match event {
        Happening::Message { text } => faint(format!("> {}", visible_line(text))),
        Happening::Text { text, .. } => Some(look.behind_a_bar(text.trim_end(), false)),
        Happening::Tool { tool, line, subagent, .. } => {
            let mark = if *subagent { "  ⏺" } else { "⏺" };
            Some(format!("{mark} {} {}\n", paint.tone(Tone::Strong, &visible_line(tool)), visible_line(line)))
        }
        Happening::ToolFailed { line, .. } => {
            let line = visible_line(line);
            Some(format!("  {}\n", paint.tone(Tone::Bad, &format!("✗ {line}"))))
        }
        Happening::ToolReturned { .. } | Happening::Turn { ok: true, .. } => None,
        Happening::Turn { ok: false, text, .. } => {
            let why = visible_line(text.as_deref().unwrap_or_default());
            let words = say(lang, "차례가 끝나지 못했습니다: {}", "The turn did not go to its end: {}");
            Some(format!("{}\n", paint.tone(Tone::Bad, &fill(words, &[&why]))))
        }
        Happening::Notice { text } => Some(format!("⚠️ {}\n", visible_line(text))),
        Happening::Undone { files, insertions, deletions } => {
            let words = say(lang, "편집을 되돌렸습니다: 파일 {}개, +{} -{}", "Edits were undone: {} files, +{} -{}");
            faint(fill(words, &[&files.to_string(), &insertions.to_string(), &deletions.to_string()]))
        }
        Happening::Resumed => faint(say(lang, "세션이 이어집니다.", "The session goes on.").to_owned()),
        Happening::Ended { code: Some(0), .. } => {
            faint(say(lang, "세션이 끝났습니다.", "The session has ended.").to_owned())
        }
        Happening::Ended { text, .. } => {
            let words = say(lang, "세션이 잘못 끝났습니다: {}", "The session ended badly: {}");
            Some(format!("{}\n", paint.tone(Tone::Bad, &fill(words, &[&visible_line(text)]))))
        }
    }
}
