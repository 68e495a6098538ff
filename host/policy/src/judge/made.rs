//! Repositories that the same line makes or changes. What git would run there is looked up before the line runs, when the repository is
//! not there yet.
//!
//! | written | is held back |
//! |---|---|
//! | `mkdir -p v/objects && echo 'ref: refs/heads/x' > v/HEAD && git -C v status` | yes: `v` is a repository then |
//! | `git clone URL v && cd v/sub && git log` | yes: the files of the clone may be one |
//! | `git clone URL v && git -C v log`, `git init v && cd v && git status` | no: git itself makes `v`, see `fresh` |
//! | `cp -r a v && git -C v status`, also with `mv`, `ln`, `tar x`, `unzip` | yes: `v` may hold one |
//! | `git pull && git -C v status` | yes: the branch may have one in `v`. In its own folder, git finds the `.git` first |
//! | `rm -r v/.git && git -C v status` | yes: git goes on to the folder above |
//! | `echo x > .githooks/post-index-change && git status` | yes |
//! | `mv ev .githooks && git status`, where the settings say that hooks are in `.githooks` | yes: `ev` may hold one |
//! | `mkdir v && git status`, `git clone URL v && git status` | no: git does not look below its folder |
//!
//! The order of the commands does not matter, because a loop or a function may run them in another one.

mod fresh;

use std::path::{Path, PathBuf};

use super::folder;
use crate::call::Call;
use crate::call::paths::{self, Source};
use crate::places::{Spot, Use};
use crate::programs::repository::Repository;
use crate::programs::{self, Touched};
use crate::shell::{Command, RedirectKind, Word, name};
use crate::why::Hold;

/// The names by which a folder becomes another repository, or none. Without the others that one needs, git goes on upwards.
const MAKING: [&str; 4] = [".git", "head", "objects", "commondir"];

/// The hook that reading commands run. The settings may say that hooks are in any folder.
const HOOK: &str = "post-index-change";

/// The files of a repository that say what git starts. They count where the folder is a repository on the disk.
const SETTINGS: [&str; 3] = ["config", "config.worktree", "commondir"];

/// The subcommands that write the files of a branch or a patch below the folder.
const WRITERS: [&str; 16] = [
    "am", "bisect", "checkout", "checkout-index", "cherry-pick", "merge", "pull", "read-tree", "rebase", "reset",
    "restore", "revert", "stash", "submodule", "switch", "worktree",
];

/// Returns a word by which a line may make the repository that a git of it uses.
pub(super) fn of(call: &Call<'_>, commands: &[Command]) -> Option<Hold> {
    let uses = |(at, command)| Some((at, Git::of(call, command)?));
    let mut gits: Vec<(usize, Git)> = commands.iter().enumerate().filter_map(uses).collect();
    if gits.is_empty() {
        return None;
    }
    if gits.len() > 1 {
        // Where a line makes a link, a `git init` behind it completes what another folder holds.
        let init = |(at, git): &(usize, Git)| {
            let folders = fresh::init(call, git)?;
            Some((*at, Git { command: git.command.clone(), folders: Some(folders) }))
        };
        let inits: Vec<(usize, Git)> = gits.iter().filter_map(init).collect();
        gits.extend(inits);
    }
    let made: Vec<Vec<(String, Made)>> = commands.iter().map(|command| made(call, command)).collect();
    let is_alone = made.iter().filter(|made| !made.is_empty()).count() == 1;
    made.into_iter().enumerate().find_map(|(at, made)| {
        let others = || gits.iter().filter(|(other, _)| *other != at).map(|(_, git)| git);
        let concerns = |made: &Made| others().any(|git| made.concerns(git, is_alone, call));
        made.into_iter().find(|(_, made)| concerns(made)).map(|(word, _)| Hold::Made(word))
    })
}

/// A git of a line.
struct Git {
    /// Its words without the options that only say where it runs.
    command: Command,
    /// Where it runs. `None` if that is not known.
    folders: Option<Vec<PathBuf>>,
}

impl Git {
    fn of(call: &Call<'_>, command: &Command) -> Option<Self> {
        if name::bare(command.name()?) != "git" {
            return None;
        }
        let mut entered = Vec::new();
        let plain = programs::without_front(&command.words, |path| {
            entered.push(Word::exact(path));
            true
        });
        let is_plain = command.words.get(1).is_none_or(|word| word.exact && !word.known.starts_with('-'));
        let is_known = plain.is_some() || is_plain;
        let words = plain.unwrap_or_else(|| command.words.clone());
        let command = folder::entered(Command { words, ..command.clone() }, if is_known { &entered } else { &[] });
        let source = Source::of(call, &command);
        let folders = (is_known && source.is_known()).then(|| {
            // Git does not see the links that a `cd` followed.
            let real = source.paths().filter_map(|folder| (call.real_path)(folder));
            source.paths().map(Path::to_owned).chain(real).collect()
        });
        Some(Self { command, folders })
    }
}

/// What a command makes or changes, as far as repositories are concerned.
enum Made {
    /// One file or folder.
    Entry(Vec<Spot>),
    /// A file or folder, and anything below it.
    Tree(Vec<Spot>),
    /// The same, where git itself makes the repository in these folders. Only if nothing else is made it surely stays so.
    Clone(Vec<Spot>, Vec<PathBuf>),
    /// Anything below these folders, but no repository in the folders themselves.
    Below(Vec<PathBuf>),
    /// What every git may use.
    Everywhere,
}

impl Made {
    /// Returns whether a git may use it. `is_alone`: nothing else is made in the line.
    fn concerns(&self, git: &Git, is_alone: bool, call: &Call<'_>) -> bool {
        let Some(folders) = &git.folders else { return true };
        let mut folders = folders.iter();
        match self {
            Self::Entry(spots) => folders.any(|folder| spots.iter().any(|spot| spot.may_be_around(&MAKING, folder))),
            Self::Tree(spots) => folders.any(|folder| reach(spots, folder, call)),
            Self::Clone(spots, tops) => folders.any(|folder| {
                let is_own = is_alone && tops.contains(folder);
                !is_own && reach(spots, folder, call)
            }),
            Self::Below(tops) => folders.any(|folder| tops.iter().any(|top| folder != top && folder.starts_with(top))),
            Self::Everywhere => true,
        }
    }
}

/// Returns whether the repository of a folder, or its folder of hooks, may be among what these spots hold.
fn reach(spots: &[Spot], folder: &Path, call: &Call<'_>) -> bool {
    let holds = |folder: &Path| spots.iter().any(|spot| spot.may_be_or_hold(folder));
    match (call.repository)(folder) {
        Repository::Hooks(hooks) => holds(folder) || hooks.iter().any(|hooks| holds(hooks)),
        Repository::Plain | Repository::Starts(_) => holds(folder),
    }
}

/// Returns what a command makes, each with a word that shows it.
fn made(call: &Call<'_>, command: &Command) -> Vec<(String, Made)> {
    let git = Git::of(call, command);
    if git.as_ref().is_some_and(|git| git.folders.is_none()) {
        return vec![(command.to_string(), Made::Everywhere)];
    }
    let plain = git.as_ref().map_or(command, |git| &git.command);
    let source = Source::of(call, plain);
    let written = plain.redirects.iter().filter(|redirect| redirect.kind == RedirectKind::Write);
    let mut made: Vec<(String, Made)> = written.flat_map(|redirect| entry(&redirect.target, &source, call)).collect();
    let touched = programs::touched(plain);
    let writes = |touched: &&Touched<'_>| match touched.how {
        Use::Writes | Use::WritesBelow => true,
        Use::Anything => git.is_none() && touched.word.known.contains('/'),
        Use::Names | Use::Reads | Use::ReadsBelow => touched.unpacked,
    };
    made.extend(touched.iter().filter(writes).flat_map(|touched| of_word(touched, &source, call)));
    let target = touched.iter().find(|touched| touched.unpacked).map(|touched| &*touched.word);
    let own = git.as_ref().and_then(|git| fresh::clone(call, git, target));
    made.extend(git.iter().filter_map(|git| by_git(call, git)));
    let of_clone = |(word, made)| match (made, &own) {
        (Made::Tree(spots), Some(tops)) => (word, Made::Clone(spots, tops.clone())),
        (made, _) => (word, made),
    };
    made.into_iter().map(of_clone).collect()
}

/// Returns what a command makes at a word.
fn of_word(touched: &Touched<'_>, source: &Source<'_>, call: &Call<'_>) -> Vec<(String, Made)> {
    let word = &*touched.word;
    let mut made = entry(word, source, call);
    let spots = paths::of_word(word, source);
    if touched.unpacked {
        made.push((word.to_string(), Made::Tree(spots)));
        return made;
    }
    let named = touched.sources.iter().flat_map(|from| paths::of_word(from, source)).map(|from| from.name());
    let copies: Vec<Spot> = named.flat_map(|name| spots.iter().map(move |spot| spot.join(&name))).collect();
    let is_hook = copies.iter().any(|copy| copy.may_end_in(HOOK));
    made.push((word.to_string(), if is_hook { Made::Everywhere } else { Made::Entry(copies.clone()) }));
    // Of several sources each gets a name of its own in the folder, which has to be there.
    let is_whole = |from: &Word| !from.exact || from.names_contents();
    // `cp -rT a b` copies into no folder.
    let is_target = touched.sources.is_empty() && !touched.linked.is_empty();
    let is_single = touched.sources.len() == 1 && !word.known.ends_with('/');
    let is_copy = is_target || is_single || touched.sources.iter().any(is_whole);
    if is_copy {
        made.push((word.to_string(), Made::Tree(spots)));
    }
    if !copies.is_empty() {
        made.push((word.to_string(), Made::Tree(copies)));
    }
    made
}

/// Returns a file or folder that is made or changed.
fn entry(word: &Word, source: &Source<'_>, call: &Call<'_>) -> Vec<(String, Made)> {
    let spots = paths::of_word(word, source);
    let is_hook = spots.iter().any(|spot| spot.may_end_in(HOOK));
    let in_repository = |path: PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase());
        let parent = path.parent().filter(|_| name.is_some_and(|name| SETTINGS.contains(&&*name)));
        parent.is_some_and(|folder| matches!((call.repository)(folder), Repository::Starts(_)))
    };
    let mut located = source.paths().filter_map(|folder| paths::located(word.text()?, folder, call));
    let made = match is_hook || located.any(in_repository) {
        true => Made::Everywhere,
        false => Made::Entry(spots),
    };
    vec![(word.to_string(), made)]
}

/// Returns what a git makes besides the files that it names.
fn by_git(call: &Call<'_>, git: &Git) -> Option<(String, Made)> {
    let (sub, folders) = (git.command.words.get(1)?, git.folders.as_deref()?);
    let made = match sub.text() {
        Some(_) if fresh::init(call, git).is_some() => return None,
        Some(_) if fresh::is_maker(git) => {
            let operand = git.command.words.iter().skip(2).rfind(|word| !word.known.starts_with('-'));
            let located =
                |folder: &PathBuf| operand.map_or(Some(folder.clone()), |word| Some(folder.join(word.text()?)));
            let tops: Option<Vec<PathBuf>> = folders.iter().map(located).collect();
            tops.map_or(Made::Everywhere, |tops| Made::Tree(tops.iter().map(|top| Spot::of(top)).collect()))
        }
        Some(sub) if WRITERS.contains(&sub) => Made::Below(folders.to_vec()),
        Some("config") if programs::escape(&git.command.words, 1).is_some() => Made::Everywhere,
        Some(_) => return None,
        None => Made::Everywhere,
    };
    Some((git.command.to_string(), made))
}

#[cfg(test)]
mod tests;
