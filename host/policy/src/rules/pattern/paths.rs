//! Paths as gitignore writes them.
//!
//! | pattern | matches |
//! |---|---|
//! | `*.md`, `.env` | that name at any depth below the root |
//! | `/x`, `./x`, `a/b` | that path below the root |
//! | `~/x` | below the home directory |
//! | `//x` | below the root of the file system |
//! | `x/` | the directory `x`: what is below it, not a file of that name |
//! | `x/**` | what is below `x`, not `x` itself |
//! | `!x` | excludes `x` from what earlier lines match; a later line may include it again |
//!
//! In a name `*` and `?` do not match `/`, `**` as a whole name matches any number of names, `[ab]`, `[!a]` and
//! `{a,b}` match one of several, and `\` escapes the next character. A pattern that matches a directory matches
//! everything in it.
//!
//! A path is judged by its text: `.`, `..` and `//` are resolved first, and no link is followed
//! ([`crate::call::targets`] checks again with the target of links).
//!
//! | | narrow | broad |
//! |---|---|---|
//! | `*.md`, `**/x` | below the root | anywhere |
//! | `/x` | below the root | also `//x` |
//! | `x/` | not `x` itself | also `x` itself: it may be a directory |
//! | letters | exact | in either case and spelling, as on macOS and Windows |
//! | a relative path and an unknown directory | no | maybe |
//!
//! An exception is read the other way round: the exception to an allow is read broadly.

mod body;
mod fold;
mod line;
mod location;

use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use body::Extent;
pub(crate) use fold::fold;
pub use line::Line;
pub(crate) use location::places;
use location::tidy;

use crate::{Match, Reading};

/// The patterns of `paths`.
#[derive(Debug, Clone)]
pub struct Paths {
    lines: Arc<[Line]>,
}

/// The folders for the beginnings of a pattern. All are absolute.
#[derive(Debug, Clone, Copy, Default)]
pub struct Anchors<'a> {
    /// For `/x` and `a/b`: the folder of a workspace's policy, else the agent's working directory.
    pub root: Option<&'a Path>,
    /// For `~/x`: the home directory.
    pub home: Option<&'a Path>,
}

/// Why a pattern cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    /// It is empty.
    #[error("an empty pattern matches nothing")]
    Empty,
    /// It is `/`.
    #[error("`/` is the root of the workspace: write `/**` for all of it, or `//**` for the whole disk")]
    Root,
    /// It is an exception, and the first pattern.
    #[error("there is nothing before it that it could be an exception to")]
    NothingBefore,
    /// `..` is in its middle.
    #[error("`..` is only understood at its beginning")]
    Parent,
    /// It names the home directory of a user.
    #[error("only `~/` is understood: no user's name after `~`")]
    HomeOfUser,
    /// A class has other characters than ASCII.
    #[error("only ASCII is understood in `[ ]`; write `{{ä,ö}}`")]
    NotAscii,
    /// The parser of globs rejects it.
    #[error("{0}")]
    Glob(globset::ErrorKind),
}

impl Paths {
    /// Makes a list of patterns, of which a later one overrides an earlier one.
    ///
    /// # Errors
    /// Returns [`PathError::NothingBefore`] if the first is an exception, or there is none.
    pub fn new(lines: Vec<Line>) -> Result<Self, PathError> {
        if lines.first().is_none_or(Line::is_exception) {
            return Err(PathError::NothingBefore);
        }
        Ok(Self { lines: lines.into() })
    }

    /// Returns the patterns as written.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().map(Line::as_str)
    }

    /// Returns keys of which every matching path has at least one among its [`keys`]. `None` if there is no such
    /// list.
    pub fn keys(&self) -> Option<Vec<String>> {
        self.lines.iter().filter(|line| !line.is_exception()).map(Line::key).collect()
    }

    /// Returns a name of each pattern that has one: of a path that matches, one name begins or ends so, or is that name.
    /// `*` in it is any text.
    pub fn names(&self) -> impl Iterator<Item = String> {
        self.lines.iter().filter(|line| !line.is_exception()).filter_map(Line::name)
    }

    /// Returns whether a pattern has a folder in it: `secrets/**`, `a/b` and `secrets/`, but not `**/.env`.
    pub(crate) fn has_folder(&self) -> bool {
        let mut lines = self.lines().filter(|line| !line.starts_with('!'));
        lines.any(|line| line.strip_prefix("**/").unwrap_or(line).contains('/'))
    }

    /// Returns whether a pattern with a folder in it may match something below a path. The base of a relative path is `cwd`.
    pub(crate) fn may_be_below(&self, path: &str, at: &Anchors<'_>, cwd: Option<&Path>) -> bool {
        let Some(places) = places(path, at.home, cwd) else { return true };
        let mut lines = self.lines.iter().filter(|line| !line.is_exception() && line.is_anchored());
        lines.any(|line| {
            places.iter().any(|place| {
                let exact = tidy("", place);
                let place = Place { folded: fold(&exact).into_owned(), exact };
                line.matches(&place, at, Reading::Broad, Extent::Below) != Match::No
            })
        })
    }

    /// Returns the paths that patterns without wildcards mean, and of each whether only what is below it is meant.
    pub(crate) fn fixed(&self, at: &Anchors<'_>) -> impl Iterator<Item = (PathBuf, bool)> {
        self.lines.iter().filter(|line| !line.is_exception()).flat_map(|line| line.fixed(at))
    }

    /// Returns whether what a path stands for matches. `cwd` is the base of a relative path. [`Match::Maybe`] of
    /// everything below a folder: something below it may match.
    pub fn matches(&self, path: &str, extent: Extent, at: &Anchors<'_>, cwd: Option<&Path>, reading: Reading) -> Match {
        let Some(places) = places(path, at.home, cwd) else { return unknown(reading) };
        let each = places.iter().map(|place| {
            let exact = tidy("", place);
            let place = &Place { folded: fold(&exact).into_owned(), exact };
            self.lines.iter().fold(Match::No, |so_far, line| {
                if !line.is_exception() {
                    return so_far.or(line.matches(place, at, reading, extent));
                }
                match (line.matches(place, at, opposite(reading), extent.of_exception(reading)), reading) {
                    (Match::Yes, _) => Match::No,
                    (Match::Maybe, Reading::Narrow) => so_far.min(Match::Maybe),
                    (Match::Maybe, Reading::Broad) | (Match::No, _) => so_far,
                }
            })
        });
        match reading {
            Reading::Narrow => each.min(),
            Reading::Broad => each.max(),
        }
        .unwrap_or(unknown(reading))
    }
}

/// Returns the absolute form of a path, without `.` and `..`.
struct Place {
    exact: String,
    folded: String,
}

/// Returns the keys of a path, by which patterns that may match it are found: its names, and their endings.
pub fn keys(path: &Path) -> impl Iterator<Item = String> {
    path.components().filter_map(|part| part.as_os_str().to_str()).flat_map(|name| {
        let name = fold(name).into_owned();
        let ending = name.rsplit_once('.').map(|(_, ending)| format!("*.{ending}"));
        std::iter::once(name).chain(ending)
    })
}

fn unknown(reading: Reading) -> Match {
    match reading {
        Reading::Narrow => Match::No,
        Reading::Broad => Match::Maybe,
    }
}

fn opposite(reading: Reading) -> Reading {
    match reading {
        Reading::Narrow => Reading::Broad,
        Reading::Broad => Reading::Narrow,
    }
}

#[cfg(test)]
mod tests;
