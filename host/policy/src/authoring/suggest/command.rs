//! Suggests rules for commands.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::candidate::Candidate;
use super::evidence::Case;
use super::group::{Group, Item, offer};
use super::trial::Trial;
use crate::authoring::write::literal;
use crate::programs::{self, Power, power};
use crate::rules::decision::Decision;
use crate::shell::{Command, name, quoted};

/// Returns candidates for commands that were always answered this way.
pub(super) fn candidates(cases: &[Case<'_>], decision: Decision, trial: &Trial<'_>) -> Vec<Candidate> {
    let mut items = Vec::new();
    for (at, case) in cases.iter().enumerate().filter(|(_, case)| case.speaks && case.asked.answer == decision) {
        let cwd = case.cwd();
        let commands = case.commands().unwrap_or_default().into_iter();
        let open: Vec<Command> =
            commands.filter(|command| !trial.allows(&command.to_string(), cwd.as_deref())).collect();
        // It is not known which of several commands a person denied.
        if decision == Decision::Allow || open.len() == 1 {
            items.extend(open.iter().filter_map(|command| item(command, at)));
        }
    }
    offer(&items.iter().collect::<Vec<_>>(), trial.wanted.least, &mut |group| {
        candidate(group, cases, decision, trial).filter(|candidate| !trial.contradicts(candidate, cases))
    })
}

/// Returns the words of a command up to the first unknown one.
fn item(command: &Command, case: usize) -> Option<Item> {
    let known = command.words.iter().map_while(|word| word.text());
    let mut words: Vec<String> = known.map(str::to_owned).collect();
    let ends = words.len() == command.words.len();
    let first = words.first_mut()?;
    *first = name::narrow(first).to_owned();
    Some(Item { words, ends, moved: command.moved, case })
}

fn candidate(group: &Group<'_>, cases: &[Case<'_>], decision: Decision, trial: &Trial<'_>) -> Option<Candidate> {
    let words = group.beginning;
    let text = quoted(words);
    let (about, condition) = if is_narrow(words, decision) {
        (format!("{text} *"), ("commandPrefix", text.clone()))
    } else if group.same && may_be_exact(words, decision) {
        (text.clone(), ("commandRegex", format!("{}$", literal(&text))))
    } else {
        return None;
    };
    let reads = words.first().is_some_and(|name| programs::only_shows(name));
    // The folder after a `cd` is not known, and a rule of the project does not apply there.
    let known: BTreeSet<usize> = group.items.iter().filter(|item| !item.moved).map(|item| item.case).collect();
    let everywhere = reads || decision == Decision::Deny || known.len() < trial.wanted.least;
    let within = if everywhere { None } else { project(group, cases, trial.wanted.home) };
    let examples: BTreeSet<String> =
        group.items.iter().filter(|item| item.ends).map(|item| quoted(&item.words)).collect();
    let mut examples: Vec<String> = examples.into_iter().collect();
    examples.sort_by_key(String::len);
    Some(Candidate {
        decision,
        tool: "Bash".to_owned(),
        about,
        condition: Some(condition),
        within,
        cases: group.cases(),
        examples,
    })
}

/// Returns whether a prefix is narrow enough to be suggested.
pub(super) fn is_narrow(words: &[String], decision: Decision) -> bool {
    let names_power = || words.first().is_some_and(|name| power(name).is_some());
    (decision == Decision::Deny && names_power()) || programs::says_what_is_done(words) || programs::only_checks(words)
}

/// Returns whether a whole command may be suggested as it is.
fn may_be_exact(words: &[String], decision: Decision) -> bool {
    let power = words.first().and_then(|name| power(name));
    match power {
        None => true,
        Some(Power::Destroys) => decision == Decision::Deny,
        Some(_) => decision == Decision::Deny || words.len() > 1,
    }
}

/// Returns the folder that all requests came from, unless it is the home directory or above it.
fn project(group: &Group<'_>, cases: &[Case<'_>], home: Option<&Path>) -> Option<String> {
    let folders = group.cases().into_iter().map(|at| cases.get(at)?.cwd());
    let shared = folders.reduce(|a, b| shared(&a?, &b?))??;
    let wide = shared.components().count() < 2 || home.is_some_and(|home| home.starts_with(&shared));
    (!wide).then(|| shared.to_str().map(str::to_owned)).flatten()
}

fn shared(a: &Path, b: &Path) -> Option<PathBuf> {
    Some(a.components().zip(b.components()).take_while(|(a, b)| a == b).map(|(part, _)| part).collect())
}
