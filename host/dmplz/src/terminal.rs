//! What a person at a terminal reads: on stdout, in their language, with colour only where a terminal shows it.

use std::io::{ErrorKind, IsTerminal, Write};

use dmplz_core::text::Lang;

use crate::settings::{Environment, environment};

/// How a piece of text stands out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    Strong,
    Faint,
    Good,
    Doubtful,
    Bad,
}

/// Colours, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Paint {
    on: bool,
}

impl Paint {
    /// Colours on a terminal, unless `NO_COLOR` is set (<https://no-color.org>) or the terminal is a dumb one.
    pub(crate) fn of_stdout(environment: Environment<'_>) -> Self {
        let unwanted = environment("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = environment("TERM").is_some_and(|terminal| terminal == "dumb");
        Self { on: std::io::stdout().is_terminal() && !unwanted && !dumb }
    }

    /// No colours, for tests and files.
    #[cfg(test)]
    pub(crate) const PLAIN: Self = Self { on: false };

    /// The text in a tone (ECMA-48, SGR).
    pub(crate) fn tone(self, tone: Tone, text: &str) -> String {
        let code = match tone {
            Tone::Strong => 1,
            Tone::Faint => 2,
            Tone::Good => 32,
            Tone::Doubtful => 33,
            Tone::Bad => 31,
        };
        if self.on { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// The words in the reader's language.
pub(crate) fn say(lang: Lang, ko: &'static str, en: &'static str) -> &'static str {
    match lang {
        Lang::Ko => ko,
        Lang::En => en,
    }
}

/// The language before any settings are read, or when they cannot be.
pub(crate) fn lang(environment: Environment<'_>) -> Lang {
    environment("DMPLZ_LANG").and_then(|name| Lang::parse(name.trim())).unwrap_or_default()
}

/// Writes on stdout. A reader who has seen enough (`| head`) is no failure.
pub(crate) fn show(text: &str) -> anyhow::Result<()> {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// Writes JSON for programs.
pub(crate) fn show_json(value: &impl serde::Serialize) -> anyhow::Result<()> {
    show(&format!("{}\n", serde_json::to_string_pretty(value)?))
}

/// Tells a report: as JSON for programs, else as text for people.
pub(crate) fn tell<R: serde::Serialize>(
    report: &R,
    json: bool,
    text: impl FnOnce(&R, Paint) -> String,
) -> anyhow::Result<()> {
    if json { show_json(report) } else { show(&text(report, Paint::of_stdout(&environment))) }
}

/// Pads to a width in columns. Korean letters and emoji are two columns wide.
pub(crate) fn pad(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

/// Columns that a text takes.
pub(crate) fn width(text: &str) -> usize {
    let wide = |c: char| matches!(u32::from(c), 0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xff00..=0xff60 | 0x1f300..=0x1faff);
    text.chars().map(|c| if wide(c) { 2 } else { 1 }).sum()
}
