//! Files and folders that a program puts elsewhere: copies, links, clones, and what is in an archive.
//!
//! | written | becomes |
//! |---|---|
//! | `cp a b`, `mv a b`, `ln a b` | `b`, or `b/a` if `b` is a folder |
//! | `ln -s x/a` | `./a`, a link with the text `x/a` |
//! | `git clone https://host/a.git` | `a`, and files below it that may be links |
//! | `tar xf a.tar -C b` | files below `b`, which may be links |
//! | `docker cp c:/a b` | `b`, and files below it that may be links |

use std::borrow::Cow;

use super::super::operands::Operands;
use super::url::name_of_clone;
use super::{Call, FOLDER, TARGET, Touched, here};
use crate::places::Use;
use crate::shell::Word;

/// Options by which a copy includes everything in a folder.
const RECURSIVE: [&str; 6] = ["-r", "-R", "-a", "--recursive", "--archive", "--dereference-recursive"];

/// Options by which a copy of a link is a link.
const KEEPS_LINKS: [&str; 5] = ["-P", "-d", "-l", "--no-dereference", "--links"];

/// Options by which a link is symbolic.
const SYMBOLIC: [&str; 4] = ["-s", "--symbolic", "--symbolic-link", "--relative"];

/// Options by which the last operand is the copy itself, even if it is a folder.
const NO_TARGET: [&str; 2] = ["-T", "--no-target-directory"];

/// Other options that name it, each of some programs: `7z -o`, `unar -o`, `unzip -d`, `cpio -D`.
const OTHER_FOLDER: [&str; 4] = ["-d", "-D", "-o", "--output-directory"];

/// The option of `tar` that names the folder of an archive's files below that of the others.
const TOP_LEVEL: &str = "--one-top-level";

impl<'a> Call<'a> {
    /// Handles `cp SOURCE... TARGET`, `mv`, `ln`.
    pub(super) fn copied(&self, kind: Operands) -> Vec<Touched<'a>> {
        let recursive = kind != Operands::Copies || self.given.has(&RECURSIVE);
        let target = self.given.options.iter().rev().find(|known| TARGET.contains(&known.name.as_str()));
        let sources = match target {
            Some(_) => self.given.operands.as_slice(),
            None => self.given.operands.split_last().map_or(&[][..], |(_, sources)| sources),
        };
        let how = if recursive { Use::WritesBelow } else { Use::Writes };
        let from = match kind {
            // Moving a file deletes it at its old place, and an additional name allows changing it.
            Operands::Moves | Operands::Links => Use::WritesBelow,
            _ if recursive => Use::ReadsBelow,
            _ => Use::Reads,
        };
        let mut touched: Vec<Touched<'a>> = sources.iter().filter_map(|at| self.operand(*at, from)).collect();
        let words: Vec<Word> = sources.iter().filter_map(|at| self.given.words.get(*at).cloned()).collect();
        let to = match target {
            Some(known) => known.value.clone().map(|word| (Cow::Owned(word), known.at)),
            None => self.given.operands.last().and_then(|at| Some((Cow::Borrowed(self.given.words.get(*at)?), *at))),
        };
        let symbolic = kind == Operands::Links && self.given.has(&SYMBOLIC);
        let keeps_links = recursive || self.given.has(&KEEPS_LINKS);
        let remote = kind == Operands::Copies && keeps_links && words.iter().any(is_elsewhere);
        let linked = if keeps_links { words.clone() } else { Vec::new() };
        // With one operand the link is created in the current folder.
        let to = match (to, kind, self.given.operands.len()) {
            (Some((word, at)), Operands::Links, 1) if target.is_none() => {
                touched.extend(self.operand(at, Use::WritesBelow));
                let sources = vec![word.into_owned()];
                touched.push(Touched { linked: sources.clone(), sources, symbolic, ..here(at, Use::Writes) });
                None
            }
            (to, ..) => to,
        };
        let sources = if self.given.has(&NO_TARGET) { Vec::new() } else { words };
        // A link that is there already is written through, and not replaced as by `mv`.
        let through = kind == Operands::Copies;
        // What another machine sends may be links.
        let to = to.map(|(word, at)| Touched { sources, linked, symbolic, through, ..Touched::new(word, at, how) });
        touched.extend(to.map(|touched| Touched { unpacked: remote, ..touched }));
        self.add_backup(&mut touched);
        touched
    }

    /// Handles `docker cp SOURCE... TARGET`. Which files a copy of another machine becomes is not known, nor whether they are links.
    pub(super) fn exchanged(&self) -> Vec<Touched<'a>> {
        let is_here = |at: &&usize| !self.given.words.get(**at).is_some_and(is_elsewhere);
        let Some((to, from)) = self.given.operands.split_last() else { return Vec::new() };
        let read = from.iter().filter(is_here).filter_map(|at| self.operand(*at, Use::ReadsBelow));
        let written = Some(to).filter(is_here).and_then(|at| self.operand(*at, Use::WritesBelow));
        read.chain(written.map(Touched::unpacked)).collect()
    }

    /// Returns the folder that a clone makes if only the repository is named.
    pub(super) fn named_like_repository(&self) -> Option<Touched<'a>> {
        let [at] = self.given.operands.as_slice() else { return None };
        let word = match self.given.words.get(*at)?.text() {
            Some(url) => Word::exact(name_of_clone(url)),
            None => Word::beginning(""),
        };
        Some(Touched::new(Cow::Owned(word), *at, Use::WritesBelow))
    }

    /// Handles an archive, whose contents are written below the folder.
    pub(super) fn unpacked(&self) -> Vec<Touched<'a>> {
        let mut touched: Vec<Touched<'a>> =
            self.given.operands.iter().filter_map(|at| self.operand(*at, Use::Reads)).collect();
        let others = self.given.options.iter().filter(|known| OTHER_FOLDER.contains(&known.name.as_str()));
        let others = others.filter_map(|known| Some((known.at, known.value.clone()?)));
        let before = touched.len();
        let folders = self.entered().into_iter().chain(others);
        let folders = folders.map(|(at, folder)| Touched::new(Cow::Owned(folder), at, Use::WritesBelow));
        touched.extend(folders.map(Touched::unpacked));
        if touched.len() == before {
            touched.push(here(0, Use::WritesBelow).unpacked());
        }
        touched
    }

    /// Returns the folders that options name, by the index of the word. Each is relative to the one before it.
    pub(super) fn entered(&self) -> Vec<(usize, Word)> {
        let named = |is_name: fn(&str) -> bool| self.given.options.iter().filter(move |known| is_name(&known.name));
        let named = named(|name| FOLDER.contains(&name)).chain(named(|name| name == TOP_LEVEL));
        let mut folders: Vec<(usize, Word)> = Vec::new();
        for (at, folder) in named.filter_map(|known| Some((known.at, known.value.as_ref()?))) {
            let folder = match folders.last() {
                Some((_, before)) => below(before, folder),
                None => folder.clone(),
            };
            folders.push((at, folder));
        }
        folders
    }
}

/// Returns a folder that is named from another one.
fn below(before: &Word, folder: &Word) -> Word {
    match (before.text(), folder.text()) {
        (_, Some(path)) if path.starts_with(['/', '~']) => folder.clone(),
        (Some(before), Some(path)) => Word::exact(format!("{before}/{path}")),
        _ => Word::beginning(""),
    }
}

/// Returns whether a word certainly names a file of another machine or container: `X:/p`.
fn is_elsewhere(word: &Word) -> bool {
    word.exact && word.known.contains(':') && !word.known.starts_with(['/', '.'])
}
