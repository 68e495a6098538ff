//! Prints errors and warnings, each as one line on stderr. stdout belongs to the client. Hooks and the gateway also store
//! the lines ([`kept`]).

pub(crate) mod kept;

use std::error::Error;
use std::io::Write;
use std::sync::OnceLock;

use dmplz_core::text::Lang;
use dmplz_core::visible::visible_line;
use dmplz_plugin::{Log, LogLevel};

use crate::settings::Verbosity;
use crate::terminal::say;

static VERBOSITY: OnceLock<Verbosity> = OnceLock::new();

/// Sets how much is logged, once the settings are read.
pub(crate) fn set_verbosity(verbosity: Verbosity) {
    let _ = VERBOSITY.set(verbosity);
}

/// Prints a warning for the operator. The request continues.
pub(crate) fn warn(line: &str) {
    log(Verbosity::Warn, line);
}

/// Prints a note about something that resolves itself.
pub(crate) fn info(line: &str) {
    log(Verbosity::Info, line);
}

/// Prints the one line about a request that cannot be asked.
pub(crate) fn error(line: &str) {
    log(Verbosity::Error, line);
}

/// Prints what to do about an error, for a person at a terminal.
pub(crate) fn hint(line: &str, lang: Lang) {
    let _ = writeln!(std::io::stderr(), "{}: {line}", say(lang, "힌트", "hint"));
}

/// Prints the next step in the person's language. `name` is the word for "next".
pub(crate) fn next(name: &str, line: &str) {
    let _ = writeln!(std::io::stderr(), "{name}: {}", visible_line(line));
}

/// The log of every provider that this program runs.
#[derive(Debug)]
pub(crate) struct ProviderLog;

impl Log for ProviderLog {
    fn write(&self, provider: &str, level: LogLevel, line: &str) {
        if !self.wants(level) {
            return;
        }
        let level = verbosity(level);
        // Every request is a line of that level, among which the one that matters would be lost.
        if level < Verbosity::Debug {
            write(&format!("{provider}: {line}"));
        }
        kept::keep(level, Some(provider), line);
    }

    fn wants(&self, level: LogLevel) -> bool {
        is_wanted(verbosity(level))
    }
}

fn verbosity(level: LogLevel) -> Verbosity {
    match level {
        LogLevel::Debug => Verbosity::Debug,
        LogLevel::Info => Verbosity::Info,
        LogLevel::Warn => Verbosity::Warn,
        LogLevel::Error => Verbosity::Error,
    }
}

fn log(level: Verbosity, line: &str) {
    if is_wanted(level) {
        write(line);
        kept::keep(level, None, line);
    }
}

fn is_wanted(level: Verbosity) -> bool {
    level <= *VERBOSITY.get().unwrap_or(&Verbosity::Warn)
}

fn write(line: &str) {
    // An error is ignored, because the answer still has to be delivered if stderr is closed.
    let _ = writeln!(std::io::stderr(), "dmplz: {}", visible_line(line));
}

/// Prints an error as a warning. The request continues.
pub(crate) fn tell(error: impl Into<anyhow::Error>) {
    warn(&chain(&error.into()));
}

/// Returns the value, or prints the error and returns `None`. It is for everything that a request can do without.
pub(crate) fn report<T, E: Into<anyhow::Error>>(result: Result<T, E>) -> Option<T> {
    result.map_err(tell).ok()
}

/// Returns the first error of a type among an error and its causes.
pub(crate) fn find<E: Error + 'static>(error: &anyhow::Error) -> Option<&E> {
    error.chain().find_map(|cause| cause.downcast_ref())
}

/// Returns an error with its causes, on one line, in English.
pub(crate) fn chain(error: &anyhow::Error) -> String {
    format!("{error:#}")
}
