//! Imports `Bash(...)`.
//!
//! Claude Code matches the text of a command: a `*` matches any text, and everything before the first `*` is literal.
//! The judge matches words, and the text of a command after quotes were removed, so a specifier with quotes or
//! expansions around a `*` has no exact counterpart. An allow of that kind is left out; a deny is replaced by a deny of
//! the words before that place.

use std::borrow::Cow;

use super::draft::Draft;
use super::entry::Entry;
use super::note::{Unsupported, Warning};
use super::others::{anywhere, constant, parameter};
use crate::authoring::write::literal;
use crate::commands::{self, only_command};
use crate::programs::power;
use crate::shell::{quote, quoted};

/// The parameters of `Bash`, besides its command, that an entry can name.
const FIELDS: [&str; 4] = ["description", "timeout", "run_in_background", "dangerouslyDisableSandbox"];

/// Returns the rules of an entry.
pub(super) fn drafts(entry: &Entry<'_>) -> Result<Vec<Draft>, Unsupported> {
    let Some(specifier) = entry.specifier else { return Ok(vec![everything(entry)]) };
    match entry.parameter() {
        Some(("command", command)) => {
            let warning = Warning::Ignored(format!("Bash({command})"));
            Ok(vec![by_shape(entry, command)?.warn(warning)])
        }
        Some((name, value)) if FIELDS.contains(&name) => Ok(vec![parameter(&["Bash"], name, value)]),
        _ => Ok(vec![by_shape(entry, specifier)?]),
    }
}

fn everything(entry: &Entry<'_>) -> Draft {
    let draft = Draft::of(&["Bash"]);
    if entry.allows() { draft.warn(Warning::EveryCommand) } else { draft }
}

fn by_shape(entry: &Entry<'_>, specifier: &str) -> Result<Draft, Unsupported> {
    // At the end, `:*` is another spelling of ` *`; anywhere else the colon is literal.
    let specifier = specifier.strip_suffix(":*").map_or(Cow::Borrowed(specifier), |words| format!("{words} *").into());
    let specifier = &*specifier;
    let parts: Vec<&str> = specifier.split('*').collect();
    match parts.as_slice() {
        [_] => exact(entry, specifier),
        // The judge's commands do not include the variables before them, so a deny of one is matched against the whole
        // line.
        _ if !entry.allows() && sets_a_variable(specifier) => {
            Ok(Draft::of(&["Bash"]).with("argsPattern", &[anywhere("command", specifier)]))
        }
        [before, ""] => match before.strip_suffix(' ').map(str::trim) {
            Some("") => Ok(everything(entry)),
            // It ends at a word, as `npm run *`.
            Some(text) => match only_command(text) {
                Some(words) => Ok(prefix(entry, &words)),
                None => words_before(entry, text, text),
            },
            None if before.is_empty() => Ok(everything(entry)),
            // It ends with `*` after a letter, as `ls*`, so it is not a prefix of words.
            None if is_plain(before) => {
                let draft = regex(&literal(before)).matching(*before).matching(format!("{before}x"));
                Ok(if entry.allows() { draft.warn(Warning::NoBlank((*before).to_owned())) } else { draft })
            }
            None => words_before(entry, before, complete(before)),
        },
        // It has texts with any text between them, as `* --version` or `git * main`.
        parts if parts.iter().all(|part| part.is_empty() || is_plain(part)) => Ok(wildcards(entry, parts)),
        parts => {
            let first = parts.first().copied().unwrap_or_default();
            words_before(entry, first, complete(first))
        }
    }
}

fn regex(pattern: &str) -> Draft {
    Draft::of(&["Bash"]).with("commandRegex", &[pattern])
}

fn prefix(entry: &Entry<'_>, words: &[String]) -> Draft {
    let text = quoted(words);
    let draft = Draft::of(&["Bash"]).with("commandPrefix", &[&text]).matching(&text).not_matching(format!("{text}-x"));
    warned(entry, words, draft)
}

/// Replaces a deny whose words are only known up to some place by a deny of the words before it.
fn words_before(entry: &Entry<'_>, text: &str, known: &str) -> Result<Draft, Unsupported> {
    let refusal = || Unsupported::NotWords(text.to_owned());
    if entry.allows() {
        return Err(refusal());
    }
    let chunks: Vec<&str> = known.split_whitespace().take(LONGEST).collect();
    let words =
        (1..=chunks.len()).rev().find_map(|count| only_command(&chunks.get(..count)?.join(" "))).ok_or_else(refusal)?;
    let draft = prefix(entry, &words);
    Ok(draft.warn(Warning::FirstWords(quoted(&words))))
}

/// The maximum number of words in a prefix that is searched for.
const LONGEST: usize = 16;

fn wildcards(entry: &Entry<'_>, parts: &[&str]) -> Draft {
    let pattern = parts.iter().map(|part| literal(part)).collect::<Vec<_>>().join(".*");
    let end = if parts.last().is_some_and(|last| last.is_empty()) { "" } else { "$" };
    let example = parts.join("x");
    let draft = regex(&format!("(?s){}{end}", pattern.strip_suffix(".*").unwrap_or(&pattern))).matching(example);
    if !entry.allows() {
        return draft;
    }
    let first = parts.first().copied().unwrap_or_default();
    let recorded = parts.windows(2).any(|pair| {
        matches!(pair, [before, after] if !(before.is_empty() || before.ends_with(' ')) || !(after.is_empty() || after.starts_with(' ')))
    });
    draft.warn(match () {
        () if !first.contains(' ') => Warning::AnyProgram,
        () if recorded => Warning::AnyText,
        () if !first.trim().contains(' ') => Warning::AnySubcommand,
        () => Warning::AnyWords,
    })
}

fn exact(entry: &Entry<'_>, text: &str) -> Result<Draft, Unsupported> {
    if let Some(words) = only_command(text) {
        let command = quoted(&words);
        let draft = regex(&format!("{}$", literal(&command))).matching(&command);
        return Ok(warned(entry, &words, draft.not_matching(format!("{command} x"))));
    }
    if entry.allows() {
        return Err(Unsupported::NotOneCommand);
    }
    // The command as it is written, in whatever call; and that of its words, when variables and files beside it are all
    // that is in the way.
    let script = commands::read(text);
    let [command] = script.commands.as_slice() else {
        return Ok(Draft::of(&["Bash"]).with("argsPattern", &[constant("command", text)]));
    };
    match command.texts().filter(|words| !words.is_empty() && script.unclear.is_none()) {
        Some(words) => Ok(regex(&format!("{}$", literal(&quoted(&words))))),
        None => Ok(Draft::of(&["Bash"]).with("argsPattern", &[constant("command", text)])),
    }
}

/// Adds the warnings that a person needs about an allow.
fn warned(entry: &Entry<'_>, words: &[String], draft: Draft) -> Draft {
    let Some(name) = words.first().filter(|_| entry.allows()) else { return draft };
    let text = quoted(words);
    if commands::read(&text).commands.iter().filter(|command| !command.possible).count() > 1 {
        return draft.warn(Warning::Starts(name.clone()));
    }
    let open = words.len() == 1 || words.last().is_some_and(|word| word.starts_with('-'));
    match power(name)
        .filter(|_| open || words.get(1).is_some_and(|word| ["exec", "run", "shell"].contains(&word.as_str())))
    {
        Some(power) => draft.warn(Warning::Power(name.clone(), power)),
        None => draft,
    }
}

/// Returns whether a text sets a variable for its command, as `FOO=x npm test`.
fn sets_a_variable(text: &str) -> bool {
    let name = text.split_once('=').map_or("", |(name, _)| name);
    !name.is_empty() && name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_')
}

/// Returns whether a shell leaves a text unchanged.
fn is_plain(text: &str) -> bool {
    !text.is_empty() && !text.contains("  ") && text.split(' ').all(|word| word.is_empty() || quote(word) == word)
}

/// Returns a text without its last word, which may be incomplete.
fn complete(text: &str) -> &str {
    text.rsplit_once(char::is_whitespace).map_or("", |(complete, _)| complete)
}

#[cfg(test)]
mod tests;
