//! The part of a pattern below the folder where it begins, in one reading.

use std::borrow::Cow;
use std::sync::OnceLock;

use globset::{Glob, GlobBuilder, GlobMatcher};

use super::PathError;
use super::fold::fold;
use crate::Reading;
use crate::rules::pattern::Glob as Name;

/// The names of a pattern. Both they and the paths that they are asked about are folded where it is read broadly.
#[derive(Debug)]
pub(super) struct Body {
    /// The text, without a `/` at either end.
    text: String,
    shape: Shape,
    /// Whether it matches at any depth below the folder.
    deep: bool,
    /// Whether it ends with `/`, so that it means only a directory.
    folder: bool,
    reading: Reading,
    glob: OnceLock<Option<GlobMatcher>>,
}

/// What a path stands for: a file, a folder, or the content of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// A file, or what may be one.
    File,
    /// A folder: `x`, `x/` and `x/**` all match the folder `x`.
    Folder,
    /// Everything in a folder.
    Below,
    /// Anything in a folder.
    AnyBelow,
}

impl Extent {
    /// Returns what an exception must match to apply to a rule of this reading. For an allow of everything in a folder,
    /// an exception for anything in it is enough.
    pub(super) fn of_exception(self, reading: Reading) -> Self {
        match (self, reading) {
            (Self::Below, Reading::Narrow) => Self::AnyBelow,
            (other, _) => other,
        }
    }
}

/// The kind of a pattern. Most patterns need no glob, and a hook has no time to compile unneeded ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// A path without wildcards.
    Path,
    /// Such a path and `/**`.
    Contents,
    /// A path, or a single name at any depth, with no wildcard but single `*`, if any.
    Stars,
    Glob,
}

impl Body {
    /// Reads the names of a pattern, `**/` at its beginning taken off where it is `deep`.
    ///
    /// # Errors
    /// They are no glob.
    pub(super) fn read(body: &str, deep: bool, folder: bool, reading: Reading) -> Result<Self, PathError> {
        let (shape, text) = shape(deep, body);
        let text = match reading {
            // `[A-z]` in lower case would be another class; the glob looks past the case itself.
            Reading::Broad if !text.contains('[') => fold(text).into_owned(),
            _ => text.to_owned(),
        };
        let body = Self { text, shape, deep, folder, reading, glob: OnceLock::new() };
        if shape == Shape::Glob {
            body.build().map_err(|error| PathError::Glob(error.kind().clone()))?;
        }
        Ok(body)
    }

    /// Returns whether there is nothing: the folder itself is meant.
    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Returns its text without what is at its end, and whether only what is below that is meant. `None` if it has a wildcard.
    pub(super) fn plain(&self) -> Option<(&str, bool)> {
        match self.shape {
            Shape::Path => Some((&self.text, false)),
            Shape::Contents => Some((&self.text, true)),
            Shape::Stars | Shape::Glob => None,
        }
    }

    /// Returns whether it means `rest`, a path below the folder, or a folder that `rest` is in.
    pub(super) fn covers(&self, rest: &str, extent: Extent) -> bool {
        let file = extent == Extent::File;
        if self.is_empty() {
            return !file || !rest.is_empty();
        }
        // A pattern of files does not mean the file `x` by `x/`; broadly, `x` may be a directory.
        let itself = !(self.folder && file && self.reading == Reading::Narrow);
        match self.shape {
            Shape::Path => inside(&self.text, rest).is_some_and(|below| itself || !below.is_empty()),
            Shape::Contents => inside(&self.text, rest).is_some_and(|below| !file || !below.is_empty()),
            Shape::Stars if self.deep => {
                let mut names = rest.rsplit('/').filter(|name| !name.is_empty());
                let last = names.next().is_some_and(|name| itself && starred(&self.text, name));
                last || names.any(|name| starred(&self.text, name))
            }
            Shape::Stars => {
                let mut names = rest.split('/');
                let all = self.text.split('/').all(|text| names.next().is_some_and(|name| starred(text, name)));
                all && (itself || names.next().is_some())
            }
            Shape::Glob => self.glob().map_or(self.reading == Reading::Broad, |glob| {
                let mut folders = rest.rmatch_indices('/').filter_map(|(at, _)| rest.get(..at));
                // A name that nothing has shows whether everything in a folder is meant.
                let contents = || glob.is_match(format!("{rest}/\u{1}").trim_start_matches('/'));
                (itself && !rest.is_empty() && glob.is_match(rest))
                    || (!file && self.text.ends_with("**") && contents())
                    || folders.any(|folder| glob.is_match(folder))
            }),
        }
    }

    /// Returns whether something in `rest`, a folder below its own that it does not cover, may be meant.
    pub(super) fn may_be_in(&self, rest: &str) -> bool {
        if self.deep {
            return true;
        }
        let mut names = self.text.split('/');
        for folder in rest.split('/').filter(|name| !name.is_empty()) {
            match names.next() {
                None => return self.shape == Shape::Contents,
                Some(name) if name.contains("**") => return true,
                Some(name) if name.contains(WILD) || self.folded(name) == folder => {}
                Some(_) => return false,
            }
        }
        true
    }

    /// Returns the key that every matching path has among its names: the last name without wildcards, or an ending, in
    /// folded text. `None` if the pattern has neither.
    pub(super) fn key(&self) -> Option<String> {
        let names = || self.text.rsplit('/');
        let plain = |name: &&str| !matches!(*name, "" | "." | "..") && !name.contains(WILD);
        let ending = |name: &str| {
            let ending = name.strip_prefix('*').and_then(|rest| rest.rsplit_once('.'))?.1;
            (!ending.contains(WILD)).then(|| format!("*.{ending}"))
        };
        names().find(plain).map(str::to_owned).or_else(|| names().find_map(ending)).map(|key| fold(&key).into_owned())
    }

    /// Returns the key, or the beginning of the last name before a `*`, in folded text. `None` if the pattern has neither.
    pub(super) fn name(&self) -> Option<String> {
        let begun = || self.text.rsplit('/').next()?.split(WILD).next().filter(|begun| !begun.is_empty());
        self.key().or_else(|| Some(format!("{}*", fold(begun()?))))
    }

    fn folded<'a>(&self, name: &'a str) -> Cow<'a, str> {
        if self.reading == Reading::Broad { fold(name) } else { name.into() }
    }

    fn glob(&self) -> Option<&GlobMatcher> {
        self.glob.get_or_init(|| self.build().ok().map(|glob| glob.compile_matcher())).as_ref()
    }

    fn build(&self) -> Result<Glob, globset::Error> {
        let text = format!("{}{}", if self.deep { "**/" } else { "" }, self.text);
        let fold = self.reading == Reading::Broad;
        GlobBuilder::new(&text).literal_separator(true).backslash_escape(true).case_insensitive(fold).build()
    }
}

/// The characters with a meaning in a pattern.
const WILD: [char; 8] = ['*', '?', '[', ']', '{', '}', ',', '\\'];

/// Returns the shape of a pattern, and the text without what the shape or the depth already expresses.
fn shape(deep: bool, body: &str) -> (Shape, &str) {
    let plain = |text: &str| !text.contains(WILD);
    let stars = |text: &str| {
        !text.contains("**") && plain(&text.replace('*', "")) && text.split('/').all(|name| !name.is_empty())
    };
    if deep {
        let body = body.trim_start_matches("**/");
        return (if !body.contains('/') && stars(body) { Shape::Stars } else { Shape::Glob }, body);
    }
    match body.strip_suffix("/**") {
        _ if plain(body) => (Shape::Path, body),
        Some(folder) if plain(folder) => (Shape::Contents, folder),
        _ if stars(body) => (Shape::Stars, body),
        _ => (Shape::Glob, body),
    }
}

/// Returns whether a name of a path is what a text with `*` means.
fn starred(text: &str, name: &str) -> bool {
    !name.is_empty() && Name::new(text).matches(name)
}

/// Returns what follows a folder in a path; empty for the folder itself.
pub(super) fn inside<'a>(folder: &str, path: &'a str) -> Option<&'a str> {
    let rest = path.strip_prefix(folder)?;
    if rest.is_empty() { Some("") } else { rest.strip_prefix('/') }
}
