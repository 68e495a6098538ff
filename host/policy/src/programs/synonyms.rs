//! Other words for what a command does. A deny or an ask of one of them stops the others; an allow means its own words.
//!
//! | written | is also |
//! |---|---|
//! | `npm i`, `cargo t`, `docker container rm` | `npm install`, `cargo test`, `docker rm`: names that the program itself gives |
//! | `npm publis`, `hg comm` | `npm publish`, `hg commit`: any beginning of a name will do |
//! | `make test deploy`, `gradle :app:publish` | `make deploy`, `gradle publish`: each target is an action of its own |
//! | `./gradlew x`, `pip3.12 x` | `gradle x`, `pip x` |

mod names;

use super::options::{Item, Reader};
use super::table;
use crate::shell::{Word, name};
use names::{ABBREVIATED, PROGRAMS, SUBCOMMANDS, TARGETS};

/// The most names with the same beginning. A program refuses what may be several, but which they are depends on its version.
const MAX_NAMES: usize = 4;

/// Returns the other commands that do what a command does.
pub(crate) fn synonyms(words: &[Word]) -> Vec<Vec<Word>> {
    let Some(program) = words.first().and_then(Word::text).map(name::bare) else { return Vec::new() };
    let program: &str = &program;
    let takes_targets = TARGETS.contains(&program);
    let has_names = takes_targets
        || SUBCOMMANDS.iter().any(|(programs, _)| programs.contains(&program))
        || ABBREVIATED.iter().any(|(other, _)| *other == program);
    let mut found = Vec::new();
    if has_names {
        let operands = operands(program, words);
        found.extend(other_subcommands(program, words, &operands));
        found.extend(takes_targets.then(|| other_targets(words, &operands)).into_iter().flatten());
    }
    let readings: Vec<&[Word]> = std::iter::once(words).chain(found.iter().map(Vec::as_slice)).collect();
    let named = |other: &'static str| {
        let rest = |words: &&[Word]| words.iter().skip(1).cloned().collect::<Vec<_>>();
        readings.iter().map(rest).map(move |rest| [vec![Word::exact(other)], rest].concat()).collect::<Vec<_>>()
    };
    let renamed: Vec<_> = other_programs(program).flat_map(named).collect();
    [found, renamed].concat()
}

/// Returns the indices of the operands of a command.
fn operands(program: &str, words: &[Word]) -> Vec<usize> {
    let Some(row) = table::find(program) else {
        return (1..words.len()).filter(|at| words.get(*at).is_some_and(|word| !word.known.starts_with('-'))).collect();
    };
    let mut reader = Reader::new(row.options, words, 1);
    let operand = |item| if let Item::Operand(at) = item { Some(at) } else { None };
    std::iter::from_fn(|| reader.next()).filter_map(operand).collect()
}

/// Returns a command with the other names of its subcommand.
fn other_subcommands(program: &str, words: &[Word], operands: &[usize]) -> Vec<Vec<Word>> {
    let text = |index: usize| operands.get(index).and_then(|at| words.get(*at)).and_then(Word::text);
    let Some(first) = text(0) else { return Vec::new() };
    let two = text(1).map(|second| format!("{first} {second}"));
    let mut found = Vec::new();
    for (count, written) in std::iter::once((1, first)).chain(two.as_deref().map(|two| (2, two))) {
        let end = operands.get(count - 1).map_or(words.len(), |at| at + 1);
        let rest = words.get(end..).unwrap_or_default();
        for other in other_names(program, written) {
            let named = words.first().cloned().into_iter().chain(other.split(' ').map(Word::exact));
            found.push(named.chain(rest.iter().cloned()).collect());
        }
    }
    found
}

/// Returns the other names of a subcommand.
fn other_names(program: &str, written: &str) -> Vec<&'static str> {
    let groups = SUBCOMMANDS.iter().filter(|(programs, _)| programs.contains(&program)).flat_map(|(_, groups)| *groups);
    let same = |name: &str| -> Vec<&'static str> {
        let with = groups.clone().filter(|group| group.split('|').any(|other| other == name));
        with.flat_map(|group| group.split('|')).collect()
    };
    let mut names = same(written);
    let listed = ABBREVIATED.iter().filter(|(other, _)| *other == program).flat_map(|(_, names)| names.split(' '));
    if names.is_empty() && !written.is_empty() && !listed.clone().any(|name| name == written) {
        let begun: Vec<&'static str> = listed.filter(|name| name.starts_with(written)).collect();
        if begun.len() <= MAX_NAMES {
            names.extend(begun.iter().flat_map(|name| same(name)));
            names.extend(begun);
        }
    }
    names.retain(|name| *name != written);
    names
}

/// Returns a command with each of its other targets in front. The path of one does not count: `:app:publish` is `publish`.
fn other_targets(words: &[Word], operands: &[usize]) -> Vec<Vec<Word>> {
    let mut found = Vec::new();
    for (index, at) in operands.iter().enumerate() {
        let Some(target) = words.get(*at).filter(|word| word.exact) else { continue };
        let name = target.known.rsplit(':').next().unwrap_or_default();
        if name.is_empty() || index == 0 && name == target.known {
            continue;
        }
        let others = words.iter().enumerate().skip(1).filter(|(other, _)| other != at).map(|(_, word)| word.clone());
        found.push(words.first().cloned().into_iter().chain([Word::exact(name)]).chain(others).collect());
    }
    found
}

/// Returns the other names of a program.
fn other_programs(program: &str) -> impl Iterator<Item = &'static str> {
    let plain = Some(name::unversioned(program)).filter(|plain| matches!(*plain, "pip" | "python")).unwrap_or(program);
    let same = PROGRAMS.iter().find(|names| names.contains(&plain)).copied().unwrap_or_default();
    same.iter().copied().filter(move |other| *other != program)
}

#[cfg(test)]
mod tests;
