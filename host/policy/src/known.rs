//! What the policy knows about commands, used to decide whether a rule that the client suggests is broader than the
//! call that it was suggested for. In doubt it is.
//!
//! | rule | broad unless |
//! |---|---|
//! | `Bash(text)` | it is the call's line or one of its commands, and it starts no other command |
//! | `Bash(words *)` | the words begin a command of the call and name an action: program and subcommand (`git push *`). A program that only reads needs no subcommand (`ls *`). Shells, interpreters, and programs that start others, download or destroy are always broad |

use dmplz_core::claude::{Breadth, Commands};

use crate::commands;
use crate::programs::{self, Power, power};
use crate::shell::{self, Command};

/// The policy's knowledge of commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownCommands;

/// The wrappers that the client itself removes from a command before it matches a rule, as the judge does.
pub(crate) const LOOKED_PAST: [&str; 8] =
    ["timeout", "time", "nice", "nohup", "stdbuf", "command", "builtin", "noglob"];

/// Builtins that run code as commands, as shells do.
const BUILTINS: [&str; 2] = ["eval", "source"];

/// Commands that start others or delete files by an option, wherever the option stands.
const FINDERS: [&str; 4] = ["find", "fd", "fdfind", "gfind"];

impl Commands for KnownCommands {
    fn broad(&self, text: &str, line: &str) -> Option<Breadth> {
        // At the end of a rule, `:*` means the same as ` *`.
        let spelled = text.strip_suffix(":*").map(|words| format!("{words} *"));
        let text = spelled.as_deref().unwrap_or(text);
        let called = commands::read(line).commands;
        let Some((before, _)) = text.split_once('*') else { return exact(text, line, &called) };
        let Some(mut words) = commands::only_command(before) else { return Some(Breadth::Wildcard) };
        if !before.ends_with([' ', '\t']) {
            words.pop();
        }
        let begins = |command: &Command| {
            let known = command.words.iter().map(|word| word.text());
            command.words.len() >= words.len() && known.zip(&words).all(|(known, word)| known == Some(word))
        };
        open(&words).or_else(|| (!called.iter().any(begins)).then_some(Breadth::Wildcard))
    }

    fn words(&self, line: &str) -> Vec<String> {
        let commands = commands::read(line).commands;
        commands.iter().flat_map(|command| &command.words).filter_map(|word| word.text().map(str::to_owned)).collect()
    }
}

/// Returns why an exact command is broader than the call. It is not, unless it starts another command.
fn exact(text: &str, line: &str, called: &[Command]) -> Option<Breadth> {
    let known = text.trim() == line.trim() || called.iter().any(|command| command.to_string() == text.trim());
    let script = commands::read(text);
    let starts = script.commands.iter().filter_map(|inner| {
        let outer = script.commands.get(inner.within?)?;
        outer.name().filter(|_| !is_reading(outer, inner))
    });
    let wraps = starts.into_iter().any(|name| !LOOKED_PAST.contains(&name));
    if wraps { Some(Breadth::Shell) } else { (!known).then_some(Breadth::Wildcard) }
}

/// Returns whether a command is listed as another one only so that a rule stops it: the module or file that an interpreter
/// runs, `docker-compose up` as `docker compose up`, and `cargo +nightly test` as `cargo test`.
fn is_reading(outer: &Command, inner: &Command) -> bool {
    let is_dashed = match (outer.words.split_first(), inner.words.split_at_checked(2)) {
        (Some((name, arguments)), Some(([program, sub], rest))) => {
            shell::name::bare(&name.known) == format!("{}-{}", program.known, sub.known) && arguments == rest
        }
        _ => false,
    };
    let is_toolchain = |word: &shell::Word| word.known.starts_with('+');
    let with_toolchain = outer.words.get(1).is_some_and(is_toolchain)
        && outer.words.iter().take(1).chain(outer.words.iter().skip(2)).eq(&inner.words);
    inner.possible && (is_dashed || with_toolchain || outer.words.ends_with(&inner.words))
}

/// Returns why words followed by anything are broad.
fn open(words: &[String]) -> Option<Breadth> {
    let Some(name) = words.first() else { return Some(Breadth::Wildcard) };
    let name = shell::name::bare(name);
    let runs = |power| match power {
        Power::RunsCode if shell::name::is_shell(&name) || BUILTINS.contains(&&*name) => Breadth::Shell,
        Power::RunsCode => Breadth::Interpreter,
        Power::StartsOthers => Breadth::Shell,
        Power::Fetches | Power::Destroys => Breadth::Wildcard,
    };
    if let Some(count) = programs::starter(words) {
        let started = words.get(count..).unwrap_or_default();
        return match started.first() {
            None => Some(Breadth::Shell),
            Some(option) if option.starts_with('-') => Some(Breadth::Shell),
            Some(program) => power(program).and_then(|_| open(started)),
        };
    }
    if FINDERS.contains(&&*name) {
        return Some(Breadth::Shell);
    }
    (!programs::says_what_is_done(words)).then(|| power(&name).map_or(Breadth::Wildcard, runs))
}

#[cfg(test)]
mod tests;
