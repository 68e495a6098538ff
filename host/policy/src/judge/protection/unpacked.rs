//! Paths below a folder that an archive or a repository is unpacked into by the same line: each of them may be a link then, which cannot
//! be looked up before.
//!
//! | written | is held back |
//! |---|---|
//! | `tar xf a.tar -C v && cat v/x` | yes: `v/x` may lead to a secret |
//! | `git clone URL v && cd v && cat x` | yes |
//! | `unzip a.zip -d v && cp -r v w` | yes: the links would have other names |
//! | `svn checkout URL v`, `docker cp X:/p v`, `rsync -a host:p v`, and `cat v/x` | yes |
//! | `patch a < p && cat a` | yes: a patch may make a link of `a` itself |
//! | `tar xf a.tar -C v && ls v/x && rg x v` | no: neither follows a link below `v` |
//!
//! The order of the commands does not matter, because a loop or a function may run them in another one.

use std::path::{Path, PathBuf};

use super::values;
use crate::call::Call;
use crate::call::paths::{self, Source};
use crate::places::{Spot, Use};
use crate::programs::{self, Touched};
use crate::shell::{Command, Word};
use crate::why::Hold;

/// Returns a word that may name something below such a folder.
pub(in super::super) fn of(call: &Call<'_>, commands: &[Command]) -> Option<Hold> {
    if call.places.is_empty() {
        return None;
    }
    commands.iter().enumerate().find_map(|(at, command)| {
        let source = Source::of(call, command);
        let touched = programs::touched(command);
        touched.iter().filter(|touched| touched.unpacked || touched.relinked).find_map(|into| {
            let others = || commands.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, other)| other);
            let folders = folders(&into.word, &source, call);
            others().find_map(|other| match &folders {
                Some(folders) => folders.iter().find_map(|folder| below(folder, into.relinked, other, call)),
                None => Some(Hold::MayReach(into.word.to_string())),
            })
        })
    })
}

/// Returns the folders that a word names. `None` if they are not known.
fn folders(word: &Word, source: &Source<'_>, call: &Call<'_>) -> Option<Vec<PathBuf>> {
    let text = word.text().filter(|_| source.is_known())?;
    let mut folders: Vec<PathBuf> =
        source.paths().map(|folder| paths::located(text, folder, call)).collect::<Option<_>>()?;
    let real: Vec<PathBuf> = folders.iter().filter_map(|folder| (call.real_path)(folder)).collect();
    folders.extend(real);
    Some(folders)
}

/// Returns a word of a command by which it may follow a link below a folder, or the link that a file is.
fn below(folder: &Path, is_file: bool, command: &Command, call: &Call<'_>) -> Option<Hold> {
    let source = Source::of(call, command);
    let is_below = |word: &Word| {
        let may_be = |spot: &Spot| spot.may_be_below(folder) || is_file && spot.may_be_at(folder);
        word.text() != Some("-") && paths::of_word(word, &source).iter().any(may_be)
    };
    let is_at = |word: &Word| paths::of_word(word, &source).iter().any(|spot| spot.may_be_at(folder));
    let follows = |touched: &Touched<'_>| {
        let word = &*touched.word;
        let is_used = touched.how != Use::Names && !touched.own;
        let copies = || touched.linked.iter().any(|word| holds_or_is_in(word, folder, &source, call));
        let parts = || touched.how == Use::Anything && values(word).iter().any(is_below);
        // What comes into a folder follows the links in that folder alone.
        let through = touched.through && (touched.sources.is_empty() && !touched.unpacked || is_at(word));
        through || is_used && (is_below(word) || parts()) || copies()
    };
    let redirected = command.redirects.iter().map(|redirect| &redirect.target).find(|target| is_below(target));
    let touched = programs::touched(command);
    let named = || touched.iter().find(|touched| follows(touched)).map(|touched| &*touched.word);
    redirected.or_else(named).map(|word| Hold::MayReach(word.to_string()))
}

/// Returns whether a word may be a folder, above it or below it.
fn holds_or_is_in(word: &Word, folder: &Path, source: &Source<'_>, call: &Call<'_>) -> bool {
    let Some(others) = folders(word, source, call) else { return true };
    let meets = |other: &PathBuf| {
        let (other, folder) = (Spot::of(other), Spot::of(folder));
        other.begins(&folder) || folder.begins(&other)
    };
    others.iter().any(meets)
}
