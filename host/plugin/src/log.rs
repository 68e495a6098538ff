//! The capability `log`.
//!
//! | rule | value |
//! |---|---|
//! | lines of one export | 64, then one more that says so |
//! | length | cut at 1,024 bytes, on a character |
//! | control characters, invisible and reordering ones | shown, so that a line stays one line |
//! | a line that holds a secret | dropped, with a line that says so |

use crate::LogLevel;
use crate::bindings::log::{Host, Level};
use crate::state::State;

const LINES: usize = 64;
const LENGTH: usize = 1_024;

impl Host for State {
    async fn write(&mut self, level: Level, message: String) -> wasmtime::Result<()> {
        self.turn(message.len()).await?;
        self.call.lines += 1;
        match self.call.lines {
            ..=LINES if self.holds_a_secret(&message) => {
                self.line(LogLevel::Warn, "(a line that held a secret was dropped)");
            }
            ..=LINES => self.line(level.into(), &shown(&message)),
            line if line == LINES + 1 => self.line(LogLevel::Warn, "(further lines of this call were dropped)"),
            _ => {}
        }
        Ok(())
    }
}

impl State {
    /// Writes a line for the operator.
    pub(crate) fn line(&self, level: LogLevel, line: &str) {
        self.host.log.write(&self.name, level, line);
    }

    fn holds_a_secret(&self, text: &str) -> bool {
        self.access.as_ref().is_some_and(|access| access.egress.leaks().are_in(text.as_bytes()))
    }
}

fn shown(message: &str) -> String {
    let mut line = dmplz_core::visible::visible_line(cut(message));
    line.truncate(cut(&line).len());
    line
}

fn cut(text: &str) -> &str {
    text.get(..text.floor_char_boundary(LENGTH)).unwrap_or(text)
}

impl From<Level> for LogLevel {
    fn from(level: Level) -> Self {
        match level {
            Level::Debug => Self::Debug,
            Level::Info => Self::Info,
            Level::Warn => Self::Warn,
            Level::Error => Self::Error,
        }
    }
}
