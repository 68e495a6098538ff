//! Output for a person at a terminal: on stdout, in their language, with colour only if the terminal shows it.

pub(crate) mod signals;

use std::io::{ErrorKind, IsTerminal, Write};

use anyhow::Context;
use dmplz_core::text::Lang;
use unicode_width::UnicodeWidthStr;

use crate::environment::{Environment, environment, locale};
use crate::exit;

/// The emphasis of a piece of text.
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
    /// Colours on a terminal, unless `NO_COLOR` is set (<https://no-color.org>) or the terminal is a dumb or unknown one.
    pub(crate) fn of_stdout() -> Self {
        Self { on: std::io::stdout().is_terminal() && wants_colours(&environment) }
    }

    /// No colours, for stderr, tests and files.
    pub(crate) const PLAIN: Self = Self { on: false };

    /// Returns whether there are colours.
    pub(crate) fn is_on(self) -> bool {
        self.on
    }

    /// Returns the text in black on white, whatever the terminal's own colours are (palette of 256).
    pub(crate) fn on_paper(self, text: &str) -> String {
        if self.on { format!("\x1b[38;5;16;48;5;231m{text}\x1b[0m") } else { text.to_owned() }
    }

    /// Returns the text in a tone (ECMA-48, SGR).
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

/// Returns whether the environment has a terminal that shows colours, and does not refuse them.
fn wants_colours(environment: Environment<'_>) -> bool {
    let unwanted = environment("NO_COLOR").is_some_and(|value| !value.is_empty());
    !unwanted && is_capable(environment)
}

/// Returns whether the terminal is known to understand control sequences. Without `TERM` nothing is known of it.
pub(crate) fn is_capable(environment: Environment<'_>) -> bool {
    environment("TERM").is_some_and(|terminal| !matches!(terminal.as_str(), "" | "dumb" | "unknown"))
}

/// Returns the words in the reader's language.
pub(crate) fn say(lang: Lang, ko: &'static str, en: &'static str) -> &'static str {
    match lang {
        Lang::Ko => ko,
        Lang::En => en,
    }
}

/// Returns the language to use before settings are read, or if they cannot be read.
pub(crate) fn lang(environment: Environment<'_>) -> Lang {
    environment("DMPLZ_LANG").and_then(|name| Lang::named(name.trim())).unwrap_or_else(|| locale(environment))
}

/// Writes on stdout. A reader who has seen enough (`| head`) is no failure.
pub(crate) fn show(text: &str) -> anyhow::Result<()> {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written.context("stdout cannot be written"),
    }
}

/// Tells on a terminal what takes a while. Programs and files get nothing of it, and a failure to tell is none.
pub(crate) fn progress(text: &str) {
    let mut stderr = std::io::stderr();
    if stderr.is_terminal() {
        let _ = writeln!(stderr, "{text}");
    }
}

/// The arguments of a command that takes no others.
#[derive(Debug, clap::Args)]
pub(crate) struct OnlyJson {
    /// JSON for programs · 프로그램이 읽을 JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Writes JSON for programs.
pub(crate) fn show_json(value: &impl serde::Serialize) -> anyhow::Result<()> {
    show(&format!("{}\n", serde_json::to_string_pretty(value)?))
}

/// Prints a report, as JSON for programs, otherwise as text for people. Returns the exit code of a command that does no more.
pub(crate) fn tell<R: serde::Serialize>(
    report: &R,
    json: bool,
    text: impl FnOnce(&R, Paint) -> String,
) -> anyhow::Result<u8> {
    if json {
        show_json(report)?
    } else {
        show(&text(report, Paint::of_stdout()))?
    }
    Ok(exit::OK)
}

/// Prints a report as [`tell`] does. The exit code says whether all that was checked is well.
pub(crate) fn tell_findings<R: serde::Serialize>(
    report: &R,
    json: bool,
    is_well: bool,
    text: impl FnOnce(&R, Paint) -> String,
) -> anyhow::Result<u8> {
    tell(report, json, text)?;
    Ok(if is_well { exit::OK } else { exit::UNWELL })
}

/// Pads to a width in columns. Korean letters and emoji are two columns wide.
pub(crate) fn pad(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

/// Columns that a text takes.
pub(crate) fn width(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

/// Cuts a text to this number of columns, with `…` in place of the rest.
pub(crate) fn fit(text: &str, columns: usize) -> String {
    if width(text) <= columns { text.to_owned() } else { format!("{}…", split(text, columns.saturating_sub(1)).0) }
}

/// Splits a line after at most this number of columns, between characters and after at least one.
pub(crate) fn split(line: &str, columns: usize) -> (&str, &str) {
    let ends = line.char_indices().map(|(at, c)| at + c.len_utf8());
    let fits = ends.clone().take_while(|end| line.get(..*end).is_some_and(|head| width(head) <= columns)).last();
    line.split_at(fits.or_else(|| ends.clone().next()).unwrap_or(0))
}

/// Returns the number of columns of the terminal on stdout; `None` if stdout is no terminal, or its width is unknown.
pub(crate) fn columns() -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(std::io::stdout()).ok()?;
    (size.ws_col > 0).then_some(usize::from(size.ws_col))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_need_a_terminal_of_which_something_is_known() {
        let colours = |set: &[(&str, &str)]| {
            wants_colours(&|name| set.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned()))
        };
        assert!(colours(&[("TERM", "xterm-256color")]));
        assert!(colours(&[("TERM", "xterm"), ("NO_COLOR", "")]));
        assert!(!colours(&[("TERM", "xterm"), ("NO_COLOR", "1")]));
        for unknown in [&[("TERM", "")][..], &[], &[("TERM", "dumb")], &[("TERM", "unknown")]] {
            assert!(!colours(unknown), "{unknown:?}");
        }
    }
}
