//! Formats the events of a session for a terminal. The agent's text follows a bar, and a call of a tool is one line.

use dmplz_core::text::fill;
use dmplz_core::visible::visible_line;
use dmplz_protocol::session::{Happening, Numbered};

use super::card::Look;
use crate::exit;
use crate::terminal::{Tone, say};

/// Shows events of one session, each once.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    last: u64,
    ended: Option<Option<i32>>,
    /// The text that the agent is writing, as far as it was told.
    written: String,
    /// How much of it was shown, in bytes: up to the end of a line.
    shown: usize,
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
        match &numbered.event {
            Happening::Text { text, subagent: false } => self.rest(text, look),
            event => lines(event, look),
        }
    }

    /// Returns the lines that the agent finished in the text that it is writing; `None` if there is none yet. `from` is how much of the
    /// text was told before, in UTF-16 code units.
    pub(crate) fn writes(&mut self, from: usize, text: &str, look: Look) -> Option<String> {
        if from == 0 {
            (self.written, self.shown) = (String::new(), 0);
        }
        if from != self.written.encode_utf16().count() {
            return None;
        }
        self.written.push_str(text);
        // Empty lines at the end may be the end of the text, which is shown without them.
        let whole = self.written.rfind('\n')?;
        let until = self.written.get(..whole)?.trim_end().len();
        let finished = self.written.get(self.shown..until)?;
        self.shown = until;
        behind_a_bar(finished, look)
    }

    /// Returns the lines of a finished text that were not shown while it was written.
    fn rest(&mut self, text: &str, look: Look) -> Option<String> {
        let shown = self.written.get(..self.shown).unwrap_or_default();
        if let Some(later) = shown.strip_prefix(text).filter(|later| !later.is_empty()) {
            // A long text comes in several events.
            (self.written, self.shown) = (later.to_owned(), later.len());
            return None;
        }
        let rest = behind_a_bar(text.strip_prefix(shown).unwrap_or(text), look);
        (self.written, self.shown) = (String::new(), 0);
        rest
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

/// `None` for a text without anything in it.
fn behind_a_bar(text: &str, look: Look) -> Option<String> {
    let text = text.strip_prefix('\n').unwrap_or(text).trim_end();
    (!text.is_empty()).then(|| look.behind_a_bar(text, false))
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
            let words = say(lang, "세션이 비정상적으로 끝났습니다: {}", "The session ended badly: {}");
            Some(format!("{}\n", paint.tone(Tone::Bad, &fill(words, &[&visible_line(text)]))))
        }
    }
}

#[cfg(test)]
mod tests {
    use dmplz_core::text::Lang;

    use super::*;

    fn look() -> Look {
        Look::of_stdout(Lang::En)
    }

    fn finished(lines: &mut Lines, number: u64, text: &str) -> Option<String> {
        let event = Happening::Text { text: text.to_owned(), subagent: false };
        lines.of(&Numbered { number, event }, look())
    }

    #[test]
    fn a_line_is_shown_once_it_is_written_and_the_rest_with_the_finished_text() {
        let mut lines = Lines::default();
        assert_eq!(lines.writes(0, "Hel", look()), None);
        assert_eq!(lines.writes(3, "lo 🙂\n\n", look()).as_deref(), Some("│ Hello 🙂\n"));
        assert_eq!(lines.writes(10, "two\nthr", look()).as_deref(), Some("│ \n│ two\n"));
        assert_eq!(finished(&mut lines, 1, "Hello 🙂\n\ntwo\nthree\n").as_deref(), Some("│ three\n"));
        assert_eq!(lines.writes(0, "", look()), None);
        assert_eq!(finished(&mut lines, 2, "next").as_deref(), Some("│ next\n"));
    }

    #[test]
    fn a_text_that_was_shown_whole_is_not_shown_again_and_one_that_is_another_is_shown_whole() {
        let mut lines = Lines::default();
        assert_eq!(lines.writes(0, "one\n", look()).as_deref(), Some("│ one\n"));
        assert_eq!(finished(&mut lines, 1, "one\n"), None);
        assert_eq!(lines.writes(0, "one\n", look()).as_deref(), Some("│ one\n"));
        assert_eq!(finished(&mut lines, 2, "two\n").as_deref(), Some("│ two\n"));
        assert_eq!(lines.writes(7, "of what nobody heard the beginning of\n", look()), None);
    }

    #[test]
    fn a_long_text_that_comes_in_several_events_is_shown_once() {
        let mut lines = Lines::default();
        assert!(lines.writes(0, "one\ntwo\nthree", look()).is_some());
        assert_eq!(finished(&mut lines, 1, "one"), None);
        assert_eq!(finished(&mut lines, 2, "\ntwo\nthree\nfour").as_deref(), Some("│ three\n│ four\n"));
    }
}
