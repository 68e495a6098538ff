//! Files whose names a program derives from its words.
//!
//! | written | also written |
//! |---|---|
//! | `gunzip a.json.gz` | `a.json` |
//! | `cp -b -S .json e a` | `a.json`, with what was in `a` |
//! | `split --additional-suffix=.json x a` | `aaa.json`, and so on: any name that begins with `a` |
//! | `wget https://host/a.json` | `a.json` |

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use super::{Call, Touched, here};
use crate::places::Use;
use crate::shell::{Part, Shape, Word};

/// Options by which a copy leaves a backup of what it replaces, whose name begins with that of the file.
const BACKUP: [&str; 5] = ["-b", "-B", "-S", "--backup", "--suffix"];

/// The same for `patch`.
const PATCH_BACKUP: [&str; 6] = ["-b", "-z", "-V", "--backup", "--suffix", "--version-control"];

/// Options of `patch` that give a backup any other name.
const PATCH_PREFIX: [&str; 4] = ["-B", "-Y", "--prefix", "--basename-prefix"];

/// Options by which the name of an uncompressed file is not that of the compressed one without a usual ending.
const OTHER_NAME: [&str; 4] = ["-N", "-S", "--name", "--suffix"];

/// Options of `wget` with which it writes one file that they name, or none.
const ONE_FILE: [&str; 3] = ["-O", "--output-document", "--spider"];

/// Options of `wget` with which pages and servers name files as well.
const MORE_FILES: [&str; 7] =
    ["-m", "-p", "-r", "--content-disposition", "--mirror", "--page-requisites", "--recursive"];

impl<'a> Call<'a> {
    /// Adds the backup of a copy's target.
    pub(super) fn add_backup(&self, touched: &mut Vec<Touched<'a>>) {
        let Some(target) = touched.last().filter(|_| self.given.has(&BACKUP)).cloned() else { return };
        let target = Touched { linked: Vec::new(), ..target };
        let is_folder =
            |text: &str| text.ends_with('/') || text.rsplit('/').next().is_some_and(|name| matches!(name, "." | ".."));
        if !target.word.text().is_some_and(is_folder) {
            touched.push(Touched { word: Cow::Owned(longer(&target.word)), sources: Vec::new(), ..target.clone() });
        }
        // In a folder it is beside the copy, unless the source is what is in a folder.
        let sources: Vec<Word> = target.sources.iter().filter(|word| !word.names_contents()).map(longer).collect();
        if !sources.is_empty() {
            touched.push(Touched { sources, ..target });
        }
    }

    /// Returns the backups of files that `patch` changes.
    pub(super) fn patched(&self) -> Vec<Touched<'a>> {
        match () {
            () if self.given.has(&PATCH_PREFIX) => vec![anything(self.given.from)],
            () if self.given.has(&PATCH_BACKUP) => self.derived(0, |word| vec![longer(word)]),
            () => Vec::new(),
        }
    }

    /// Returns the files that compressed files become.
    pub(super) fn uncompressed(&self) -> Vec<Touched<'a>> {
        if self.given.has(&OTHER_NAME) { vec![anything(self.given.from)] } else { self.derived(0, shorter) }
    }

    /// Returns the files that URLs become.
    pub(super) fn downloaded(&self) -> Vec<Touched<'a>> {
        match () {
            () if self.given.has(&ONE_FILE) => Vec::new(),
            () if self.given.has(&MORE_FILES) => vec![here(self.given.from, Use::WritesBelow)],
            () => self.derived(0, named_by),
        }
    }

    /// Returns the parts of a file: `split FILE BEGINNING`.
    pub(super) fn parts(&self) -> Vec<Touched<'a>> {
        let first = self.given.operands.first().and_then(|at| self.given.words.get(*at));
        let skip = usize::from(first.is_some_and(|word| word.one));
        self.derived(skip, |word| vec![longer(word)])
    }

    /// Returns the files whose names are derived from operands, after the first ones.
    fn derived(&self, skip: usize, names: impl Fn(&Word) -> Vec<Word>) -> Vec<Touched<'a>> {
        let operands = self.given.operands.iter().skip(skip).filter_map(|at| Some((*at, self.given.words.get(*at)?)));
        let derived = operands.flat_map(|(at, word)| names(word).into_iter().map(move |name| (at, name)));
        derived.map(|(at, name)| Touched::new(Cow::Owned(name), at, Use::Writes)).collect()
    }
}

/// Returns a file of any name.
fn anything<'a>(at: usize) -> Touched<'a> {
    Touched::new(Cow::Owned(Word::beginning("")), at, Use::Writes)
}

/// Returns a word with any other characters of a name behind it.
pub(super) fn longer(word: &Word) -> Word {
    let shapes: Vec<Shape> = match (word.text(), &word.shapes) {
        (Some(text), _) => vec![vec![Part::Text(text.to_owned()), Part::Name]],
        (None, Some(shapes)) => shapes.iter().map(|shape| [shape.as_slice(), &[Part::Name]].concat()).collect(),
        (None, None) => return Word::beginning(word.known.clone()),
    };
    Word { known: word.known.clone(), exact: false, one: word.one, shapes: Some(shapes.into()) }
}

/// Returns the names that a URL may end with.
fn named_by(url: &Word) -> Vec<Word> {
    let name = |text: &str| {
        let path = text.split(['?', '#']).next().unwrap_or_default();
        let path = percent_decode_str(path).decode_utf8_lossy();
        Word::exact(path.rsplit('/').next().unwrap_or_default())
    };
    let any = || Word::beginning("");
    match (url.text(), url.shapes.as_deref()) {
        (Some(text), _) => vec![name(text)],
        (None, None) => vec![any()],
        (None, Some(shapes)) => shapes
            .iter()
            .map(|shape| match shape.last() {
                Some(Part::Text(text)) if text.contains('/') => name(text),
                _ => any(),
            })
            .collect(),
    }
}

/// Returns what is left of a word without each of its possible endings: `a.json` of `a.json.gz`, also of `a.json-gz`.
fn shorter(word: &Word) -> Vec<Word> {
    let cut = |text: &str| -> Vec<String> {
        let name = text.rfind('/').map_or(0, |at| at + 1);
        let ends = text.match_indices(['.', '-', '_']).map(|(at, _)| at).filter(|at| *at >= name);
        ends.filter_map(|at| text.get(..at)).map(str::to_owned).collect()
    };
    if let Some(text) = word.text() {
        let names = cut(text).into_iter().filter(|name| !name.is_empty() && !name.ends_with('/'));
        return names.map(Word::exact).collect();
    }
    let mut shorter: Vec<Shape> = Vec::new();
    for shape in word.shapes.iter().flat_map(|shapes| shapes.iter()) {
        if let Some((Part::Text(text), before)) = shape.split_last() {
            shorter.extend(cut(text).into_iter().map(|text| [before, &[Part::Text(text)]].concat()));
        }
    }
    if shorter.is_empty() {
        return Vec::new();
    }
    vec![Word { known: String::new(), exact: false, one: word.one, shapes: Some(shorter.into()) }]
}
