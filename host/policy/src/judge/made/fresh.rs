//! Repositories that git itself makes where there is none yet. Their settings and hooks are git's own and those of the person's templates,
//! so that nothing has to be looked up in them.
//!
//! | written | starts nothing but what the person's own settings say |
//! |---|---|
//! | `git init`, `git init -b main v`, with no `.git` on the disk | in that folder and below it |
//! | `git clone --depth 1 URL v && git -C v log`, and the line makes nothing else | in `v` alone: its files may be a repository in a folder below |
//! | the same with any other option, or a word that is not known | no: `--template`, `--separate-git-dir`, `--bare`, `-c` |
//! | the same where there is a `.git`, even one that is no repository | no: git keeps the settings and hooks in it |

use std::path::{Path, PathBuf};

use super::Git;
use crate::call::Call;
use crate::call::paths;
use crate::programs;
use crate::programs::repository::Repository;
use crate::shell::Word;

/// The subcommands that make a repository.
const MAKERS: [&str; 2] = ["init", "init-db"];

/// The words that both may have.
const FLAGS: [&str; 10] = [
    "-q", "--quiet", "-v", "--verbose", "-n", "--no-checkout", "--progress", "--no-progress", "--no-tags",
    "--single-branch",
];

/// The options that both may have, with a value.
const VALUED: [&str; 4] = ["-b", "--branch", "--initial-branch", "--depth"];

/// Returns whether a git is one that makes a repository.
pub(super) fn is_maker(git: &Git) -> bool {
    git.command.words.get(1).and_then(Word::text).is_some_and(|sub| MAKERS.contains(&sub))
}

/// Returns the folders in which a `git init` makes a repository with nothing in it that was there before, under each of their
/// names. `None` if that is not certain.
pub(super) fn init(call: &Call<'_>, git: &Git) -> Option<Vec<PathBuf>> {
    let operands = operands(git).filter(|_| is_maker(git))?;
    match operands.as_slice() {
        [] => located(call, git, "."),
        [folder] => located(call, git, folder),
        _ => None,
    }
}

/// Returns the folders that a `git clone` certainly makes, under each of their names. `None` if it may make another one, or if
/// the repository there may not be git's own.
pub(super) fn clone(call: &Call<'_>, git: &Git, target: Option<&Word>) -> Option<Vec<PathBuf>> {
    let is_clone = git.command.words.get(1)?.text() == Some("clone");
    let is_plain = is_clone && programs::escape(&git.command.words, 2).is_none();
    let named = operands(git).is_some_and(|operands| matches!(operands.len(), 1 | 2));
    if is_plain && named { located(call, git, target?.text()?) } else { None }
}

/// Returns the words of a git that name no option. `None` if not every option is a harmless one.
fn operands(git: &Git) -> Option<Vec<&str>> {
    if !git.command.assignments.is_empty() {
        return None;
    }
    let mut operands = Vec::new();
    let mut words = git.command.words.iter().skip(2).map(Word::text);
    while let Some(word) = words.next() {
        let word = word?;
        let name = word.split_once('=').map_or(word, |(name, _)| name);
        match word {
            _ if FLAGS.contains(&word) || name.starts_with("--") && name != word && VALUED.contains(&name) => {}
            _ if VALUED.contains(&word) => drop(words.next()?.filter(|value| !value.starts_with('-'))?),
            _ if word.is_empty() || word.starts_with('-') => return None,
            _ => operands.push(word),
        }
    }
    Some(operands)
}

/// Returns the folder that a text names wherever the git may run, under each of its names. `None` if something there may be, or
/// may become, a part of the repository.
fn located(call: &Call<'_>, git: &Git, folder: &str) -> Option<Vec<PathBuf>> {
    let folders = git.folders.as_deref().filter(|folders| !folders.is_empty())?;
    let mut tops: Vec<PathBuf> =
        folders.iter().map(|from| paths::located(folder, from, call)).collect::<Option<_>>()?;
    let real: Vec<PathBuf> = tops.iter().filter_map(|top| (call.real_path)(top)).collect();
    tops.extend(real);
    tops.iter().all(|top| is_free(call, top)).then_some(tops)
}

/// Returns whether there is no repository in a folder, nor what git would make one of.
fn is_free(call: &Call<'_>, folder: &Path) -> bool {
    let Some(entries) = (call.entries_in)(folder) else { return false };
    // Some disks ignore case, and signs that are not seen. A file `.git` leads to a repository, which is looked at.
    let is_git = |name: String| name.chars().filter(char::is_ascii).collect::<String>().eq_ignore_ascii_case(".git");
    let mut names = entries.links.iter().chain(&entries.folders).map(|name| name.to_string_lossy().into_owned());
    !names.any(is_git) && (call.repository)(folder) == Repository::Plain
}
