//! What the policy knows of commands, for those who decide whether a rule that the client suggests reaches further than the call
//! that it was made for. In doubt it does.
//!
//! | rule | wide unless |
//! |---|---|
//! | `Bash(text)` | it is the call's line, or a command of it, and starts no other command |
//! | `Bash(words *)` | they begin a command of the call, and say what is done: program and subcommand (`git push *`); a program that only reads needs no subcommand (`ls *`); a shell, an interpreter, what starts or fetches or destroys anything never is |

use dmplz_core::claude::{Commands, Wide};

use crate::programs::{self, Power, power};
use crate::shell::{self, Command};

/// What the policy knows of commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownCommands;

/// Wrappers that the client looks past itself.
const LOOKED_PAST: [&str; 8] = ["timeout", "time", "nice", "nohup", "stdbuf", "command", "builtin", "noglob"];

/// Shells: what runs code and reads it as commands.
const SHELLS: [&str; 10] = ["sh", "bash", "zsh", "fish", "dash", "ksh", "csh", "tcsh", "eval", "source"];

/// Commands that start others or delete by an option, wherever it stands.
const FINDERS: [&str; 4] = ["find", "fd", "fdfind", "gfind"];

impl Commands for KnownCommands {
    fn wide(&self, text: &str, line: &str) -> Option<Wide> {
        wide(text, line)
    }

    fn words(&self, line: &str) -> Vec<String> {
        let commands = shell::read(line).commands;
        commands.iter().flat_map(|command| &command.words).filter_map(|word| word.text().map(str::to_owned)).collect()
    }
}

fn wide(text: &str, line: &str) -> Option<Wide> {
    // At the end `:*` is another way to write ` *`.
    let spelled = text.strip_suffix(":*").map(|words| format!("{words} *"));
    let text = spelled.as_deref().unwrap_or(text);
    let called = shell::read(line).commands;
    let Some((before, _)) = text.split_once('*') else { return exact(text, line, &called) };
    let Some(mut words) = words(before) else { return Some(Wide::Wildcard) };
    if !before.ends_with([' ', '\t']) {
        words.pop();
    }
    let begins = |command: &Command| {
        let known = command.words.iter().map(|word| word.text());
        command.words.len() >= words.len() && known.zip(&words).all(|(known, word)| known == Some(word))
    };
    open(&words).or_else(|| (!called.iter().any(begins)).then_some(Wide::Wildcard))
}

/// A command as it is reaches no further, unless it is a way to start another one.
fn exact(text: &str, line: &str, called: &[Command]) -> Option<Wide> {
    let known = text.trim() == line.trim() || called.iter().any(|command| command.to_string() == text.trim());
    let script = shell::read(text);
    let starts = script.commands.iter().filter_map(|inner| script.commands.get(inner.within?)?.name());
    let wraps = starts.into_iter().any(|name| !LOOKED_PAST.contains(&name));
    if wraps { Some(Wide::Shell) } else { (!known).then_some(Wide::Wildcard) }
}

/// What words with anything behind them leave open.
fn open(words: &[String]) -> Option<Wide> {
    let Some(name) = words.first() else { return Some(Wide::Wildcard) };
    let name = shell::name::bare(name);
    let runs = |power| match power {
        Power::RunsCode if SHELLS.contains(&&*name) => Wide::Shell,
        Power::RunsCode => Wide::Interpreter,
        Power::StartsOthers => Wide::Shell,
        Power::Fetches | Power::Destroys => Wide::Wildcard,
    };
    if let Some(count) = programs::starter(words) {
        let started = words.get(count..).unwrap_or_default();
        return match started.first() {
            None => Some(Wide::Shell),
            Some(option) if option.starts_with('-') => Some(Wide::Shell),
            Some(program) => power(program).and_then(|_| open(started)),
        };
    }
    if FINDERS.contains(&&*name) {
        return Some(Wide::Shell);
    }
    (!programs::says_what_is_done(words)).then(|| power(&name).map_or(Wide::Wildcard, runs))
}

/// The words of a text that is the beginning of one command, and nothing else.
fn words(text: &str) -> Option<Vec<String>> {
    let script = shell::read(text);
    let (first, inner) = script.commands.split_first()?;
    let alone = script.unclear.is_none() && inner.iter().all(|inner| inner.within.is_some());
    let plain = first.assignments.is_empty() && first.redirects.is_empty();
    let words: Option<Vec<String>> = first.words.iter().map(|word| word.text().map(str::to_owned)).collect();
    words.filter(|_| alone && plain)
}

#[cfg(test)]
mod tests;
