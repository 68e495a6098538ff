//! The capability `log`.
//!
//! | rule | value |
//! |---|---|
//! | lines per export | 64, then one more that reports the limit |
//! | length | truncated to 1,024 bytes, at a character boundary |
//! | control characters, invisible and reordering ones | made visible, so that a line stays one line |
//! | a line that contains a secret | dropped, and replaced by a line that says so |

use crate::LogLevel;
use crate::bindings::log::{Host, Level};
use crate::convert::Convert;
use crate::state::State;

const LINES: usize = 64;
const LENGTH: usize = 1_024;

impl Host for State {
    async fn write(&mut self, level: Level, message: String) -> wasmtime::Result<()> {
        self.turn(message.len()).await?;
        self.note(level.convert(), &message);
        Ok(())
    }
}

impl State {
    /// Writes what the component called, for its author. Secrets are still placeholders in it. It counts as no line of the
    /// component.
    pub(crate) fn trace(&self, message: &str) {
        if !self.holds_a_secret(message) {
            self.host.log.write(&self.name, LogLevel::Debug, &shown(message));
        }
    }

    /// Writes a line for the operator, written by the component or about it.
    pub(crate) fn note(&mut self, level: LogLevel, message: &str) {
        self.call.lines += 1;
        let write = |level, line: &str| self.host.log.write(&self.name, level, line);
        match self.call.lines {
            ..=LINES if self.holds_a_secret(message) => {
                write(LogLevel::Warn, "(a line that held a secret was dropped)");
            }
            ..=LINES => write(level, &shown(message)),
            line if line == LINES + 1 => write(LogLevel::Warn, "(further lines of this call were dropped)"),
            _ => {}
        }
    }

    fn holds_a_secret(&self, text: &str) -> bool {
        self.access.as_ref().is_some_and(|access| access.egress.leaks().are_in(text.as_bytes()))
    }
}

/// Returns one printable line.
pub(crate) fn shown(message: &str) -> String {
    let mut line = dmplz_core::visible::visible_line(cut(message));
    line.truncate(cut(&line).len());
    line
}

fn cut(text: &str) -> &str {
    text.get(..text.floor_char_boundary(LENGTH)).unwrap_or(text)
}
