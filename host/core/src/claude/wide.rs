//! Whether a suggestion of the client reaches further than the call that it was made for. In doubt it does.
//!
//! | rule | wide unless |
//! |---|---|
//! | `Bash` | never narrow |
//! | `Bash(text)` | it is the call's line, or a command of it, and starts no other command |
//! | `Bash(words *)` | they begin a command of the call, and say what is done: program and subcommand (`git push *`); a program that only reads needs no subcommand (`ls *`); a shell, an interpreter, what starts or fetches or destroys anything never is |
//! | `PowerShell(text)` | it is the call's line |
//! | `Read(pattern)`, `Edit(pattern)` | it is the call's file, or all below its folder, or below a folder of the project that holds it; and that is not `/`, a home or above the project |
//! | `WebFetch(domain:host)` | it is the call's host |
//! | another tool | it is the call's tool, and has no `*` |
//! | a directory | it is not `/`, a home or above the project |
//!
//! What a command can do beyond its name is [`crate::policy::programs`]'s knowledge, what it starts [`crate::policy::shell`]'s.

use serde_json::{Map, Value};

use super::input::ToolCall;
use super::permissions::{Rule, host};
use crate::flow::Wide;
use crate::policy::programs::{Power, power};
use crate::policy::shell::{self, Command};
use crate::policy::{lint, suggest};

/// Wrappers that the client looks past itself.
const LOOKED_PAST: [&str; 8] = ["timeout", "time", "nice", "nohup", "stdbuf", "command", "builtin", "noglob"];

/// Shells: what runs code and reads it as commands.
const SHELLS: [&str; 10] = ["sh", "bash", "zsh", "fish", "dash", "ksh", "csh", "tcsh", "eval", "source"];

/// Commands that start others or delete by an option, wherever it stands.
const FINDERS: [&str; 4] = ["find", "fd", "fdfind", "gfind"];

/// Why a rule reaches further than the call, if it does.
pub(super) fn rule(rule: &Rule, call: &ToolCall, cwd: &str) -> Option<Wide> {
    let content = rule.rule_content.as_deref();
    match (rule.tool_name.as_str(), content) {
        ("Bash" | "PowerShell" | "WebFetch" | "Read" | "Edit" | "Write" | "MultiEdit" | "NotebookEdit", None) => {
            Some(Wide::Tool)
        }
        ("Bash" | "PowerShell", Some("" | "*" | ":*")) => Some(Wide::Tool),
        ("Bash", Some(text)) if call.tool == "Bash" => command(text, string(&call.input, "command")),
        ("PowerShell", Some(text)) if call.tool == "PowerShell" => {
            (text != string(&call.input, "command")).then_some(Wide::Wildcard)
        }
        ("WebFetch", Some(text)) if call.tool == "WebFetch" => {
            let host = host(string(&call.input, "url"));
            let same = text.strip_prefix("domain:").is_some_and(|domain| Some(domain) == host);
            (!same).then_some(Wide::Wildcard)
        }
        ("Read" | "Edit" | "Write" | "MultiEdit" | "NotebookEdit", Some(pattern)) => {
            file(pattern, &paths(call, cwd), cwd)
        }
        (tool, content) => {
            let other = tool != call.tool || tool.contains('*');
            (other || content.is_some_and(|content| content.contains('*'))).then_some(Wide::Wildcard)
        }
    }
}

/// Why a directory reaches further than the project, if it does.
pub(super) fn directory(directory: &str, cwd: &str) -> Option<Wide> {
    let parts = parts(directory);
    let plain = directory.starts_with('/') && !directory.contains(['*', '?', '[']) && !parts.contains(&"..");
    let home = matches!(parts.as_slice(), [] | ["root"] | ["home" | "Users"] | ["home" | "Users", _]);
    let own = parts == self::parts(cwd);
    let above = self::parts(cwd).starts_with(&parts);
    (!plain || (!own && (home || above)) || parts.is_empty()).then_some(Wide::Wildcard)
}

fn command(text: &str, line: &str) -> Option<Wide> {
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
    if let Some(count) = lint::starter(words) {
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
    (!suggest::says_what_is_done(words)).then(|| power(&name).map_or(Wide::Wildcard, runs))
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

fn file(pattern: &str, called: &[String], cwd: &str) -> Option<Wide> {
    let pattern = match pattern {
        // The client's way to write an absolute path; with one slash it is below the settings' folder.
        _ if pattern.starts_with("//") => pattern.get(1..).unwrap_or_default().to_owned(),
        _ if pattern.starts_with('~') => return Some(Wide::Wildcard),
        _ => format!("{cwd}/{}", pattern.trim_start_matches("./").trim_start_matches('/')),
    };
    let folder = pattern.strip_suffix("/**").or_else(|| pattern.strip_suffix("/*"));
    let path = folder.unwrap_or(&pattern);
    if path.contains(['*', '?', '[', '{', '!']) || path.split('/').any(|part| part == "..") {
        return Some(Wide::Wildcard);
    }
    let (path, own) = (parts(path), parts(cwd));
    let holds = |called: &String| {
        let called = parts(called);
        match folder {
            None => called == path,
            Some(_) => {
                let parent = called.split_last().map(|(_, parent)| parent).unwrap_or_default();
                let of_project = path.starts_with(&own) && called.starts_with(&path);
                parent == path || called == path || of_project
            }
        }
    };
    if !called.iter().any(holds) {
        return Some(Wide::Wildcard);
    }
    folder.and_then(|folder| directory(if folder.is_empty() { "/" } else { folder }, cwd))
}

/// The files that a call names, absolute.
fn paths(call: &ToolCall, cwd: &str) -> Vec<String> {
    let absolute = |path: &str| if path.starts_with('/') { path.to_owned() } else { format!("{cwd}/{path}") };
    let named = ["file_path", "notebook_path", "path"].map(|key| string(&call.input, key));
    let commands = shell::read(string(&call.input, "command")).commands;
    let words = commands.iter().flat_map(|command| &command.words).filter_map(|word| word.text());
    let all = named.into_iter().filter(|path| !path.is_empty()).chain(words).map(absolute);
    all.filter(|path| !path.split('/').any(|part| part == "..")).collect()
}

fn parts(path: &str) -> Vec<&str> {
    path.split('/').filter(|part| !matches!(*part, "" | ".")).collect()
}

fn string<'a>(input: &'a Map<String, Value>, key: &str) -> &'a str {
    input.get(key).and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests;
