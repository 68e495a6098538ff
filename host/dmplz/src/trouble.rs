//! What goes wrong, as one line on stderr. stdout belongs to the client. Hooks and the gateway keep the lines as well ([`kept`]).

pub(crate) mod kept;

use std::io::Write;
use std::sync::OnceLock;

use dmplz_core::visible::visible_line;
use dmplz_plugin::LogLevel;

use crate::settings::Verbosity;

static VERBOSITY: OnceLock<Verbosity> = OnceLock::new();

/// Sets how much is logged, once the settings are read.
pub(crate) fn set_verbosity(verbosity: Verbosity) {
    let _ = VERBOSITY.set(verbosity);
}

/// Something that the operator should know although the request goes on.
pub(crate) fn warn(line: &str) {
    log(Verbosity::Warn, line);
}

/// Something that passes by itself.
pub(crate) fn info(line: &str) {
    log(Verbosity::Info, line);
}

/// The one clear line of a request that cannot be asked.
pub(crate) fn error(line: &str) {
    log(Verbosity::Error, line);
}

/// What to do about an error, for a person at a terminal.
pub(crate) fn hint(line: &str) {
    let _ = writeln!(std::io::stderr(), "hint: {line}");
}

/// The one thing to do next, in the person's language: `name` is that of "next".
pub(crate) fn next(name: &str, line: &str) {
    let _ = writeln!(std::io::stderr(), "{name}: {}", visible_line(line));
}

/// A line of a provider.
pub(crate) fn of_provider(provider: &str, level: LogLevel, line: &str) {
    let level = match level {
        LogLevel::Debug => Verbosity::Debug,
        LogLevel::Info => Verbosity::Info,
        LogLevel::Warn => Verbosity::Warn,
        LogLevel::Error => Verbosity::Error,
    };
    if is_wanted(level) {
        write(&format!("{provider}: {line}"));
        kept::keep(level, Some(provider), line);
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
    // A closed stderr is no reason to stop: the answer still has to be delivered.
    let _ = writeln!(std::io::stderr(), "dmplz: {}", visible_line(line));
}

/// Says what went wrong although the request goes on.
pub(crate) fn tell(error: impl Into<anyhow::Error>) {
    warn(&chain(&error.into()));
}

/// What there is, or none after saying what went wrong: for what the request can do without.
pub(crate) fn report<T, E: Into<anyhow::Error>>(result: Result<T, E>) -> Option<T> {
    result.map_err(tell).ok()
}

/// What is wrong, as a whole clause, with its causes, in one line.
pub(crate) fn chain(error: &anyhow::Error) -> String {
    format!("{error:#}")
}
