//! One pattern.

use std::path::PathBuf;

use super::body::{Body, Extent, inside};
use super::fold::fold;
use super::location::{text, tidy};
use super::{Anchors, PathError, Place, unknown};
use crate::{Match, Reading};

/// A pattern that was checked, and is compiled when it is first asked.
#[derive(Debug)]
pub struct Line {
    text: String,
    exception: bool,
    anchor: Anchor,
    /// How many folders above the anchor it begins: `../x` is 1.
    up: usize,
    exact: Body,
    folded: Body,
}

/// Where a pattern begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Anchor {
    /// `x` and `**/x` match at any depth.
    AnyDepth,
    /// `/x` begins at [`Anchors::root`](super::Anchors), and a deny takes it more broadly.
    Slash,
    /// `a/b` and `./x` begin at [`Anchors::root`](super::Anchors).
    Root,
    /// `~/x` begins at the home directory.
    Home,
    /// `//x` begins at the root of the file system.
    FileSystem,
}

impl Line {
    /// Parses a pattern as it stands in `paths` of a policy file.
    ///
    /// # Errors
    /// Returns an error if it is empty, or not a glob.
    pub fn read(line: &str) -> Result<Self, PathError> {
        let (exception, rest) = line.strip_prefix('!').map_or((false, line), |rest| (true, rest));
        let (anchor, rest) = anchor(rest)?;
        let (up, rest) = climb(rest);
        let (folder, body) = match rest.trim_end_matches('/') {
            body if body.len() < rest.len() => (true, body),
            body => (false, body),
        };
        if body.is_empty() && (anchor == Anchor::AnyDepth || line.trim() == "/") {
            return Err(if line.trim() == "/" { PathError::Root } else { PathError::Empty });
        }
        if body.split('/').any(|name| name == "..") {
            return Err(PathError::Parent);
        }
        let body = tidy("", body);
        let body = body.trim_start_matches('/');
        if body.split('[').skip(1).any(|class| !class.split(']').next().is_some_and(str::is_ascii)) {
            // globset takes the bytes of other letters one by one there.
            return Err(PathError::NotAscii);
        }
        let read = |reading| Body::read(body, anchor == Anchor::AnyDepth, folder, reading);
        Ok(Self {
            text: line.to_owned(),
            exception,
            anchor,
            up,
            exact: read(Reading::Narrow)?,
            folded: read(Reading::Broad)?,
        })
    }

    /// Returns the pattern as written.
    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the key that every matching path has among its [`keys`](super::keys), if there is one.
    pub(super) fn key(&self) -> Option<String> {
        self.folded.key()
    }

    /// Returns the key, or the beginning of the last name before a `*`.
    pub(super) fn name(&self) -> Option<String> {
        self.folded.name()
    }

    /// Returns whether it begins at a folder, so that it means no name at any depth.
    pub(super) fn is_anchored(&self) -> bool {
        self.anchor != Anchor::AnyDepth
    }

    /// Returns the paths that it means, if they are certain, and whether it only means what is below them.
    pub(super) fn fixed(&self, at: &Anchors<'_>) -> Vec<(PathBuf, bool)> {
        let Some((body, below)) = self.folded.plain() else { return Vec::new() };
        let above = |folder| Some(tidy(text(folder)?, &"../".repeat(self.up)));
        let bases = match self.anchor {
            Anchor::AnyDepth => [None, None],
            Anchor::FileSystem => [Some(String::new()), None],
            Anchor::Slash => [above(at.root), Some(String::new())],
            Anchor::Root => [above(at.root), None],
            Anchor::Home => [above(at.home), None],
        };
        bases.into_iter().flatten().map(|base| (PathBuf::from(format!("{base}/{body}")), below)).collect()
    }

    pub(super) fn is_exception(&self) -> bool {
        self.exception
    }

    /// Returns whether it means a place.
    pub(super) fn matches(&self, place: &Place, at: &Anchors<'_>, reading: Reading, extent: Extent) -> Match {
        let above = |folder| Some(tidy(text(folder)?, &"../".repeat(self.up)));
        let anywhere = || Some(String::new());
        let bases = match (self.anchor, reading) {
            (Anchor::AnyDepth, Reading::Broad) | (Anchor::FileSystem, _) => [anywhere(), None],
            (Anchor::Slash, Reading::Broad) => [above(at.root), anywhere()],
            (Anchor::AnyDepth | Anchor::Slash | Anchor::Root, _) => [above(at.root), None],
            (Anchor::Home, _) => [above(at.home), None],
        };
        let [first, second] = bases.map(|base| base.map(|base| self.below(&base, place, reading, extent)));
        match (first, second) {
            (None, second) => unknown(reading).or(second.unwrap_or(Match::No)),
            (Some(first), second) => first.or(second.unwrap_or(Match::No)),
        }
    }

    fn below(&self, base: &str, place: &Place, reading: Reading, extent: Extent) -> Match {
        let (body, base, path) = match reading {
            Reading::Narrow => (&self.exact, base.into(), place.exact.as_str()),
            Reading::Broad => (&self.folded, fold(base), place.folded.as_str()),
        };
        let may_be_in = match inside(&base, path) {
            Some(rest) if body.covers(rest, extent) => return Match::Yes,
            Some(rest) => body.may_be_in(rest),
            // All of it is below the path, or nothing.
            None => inside(path, &base).is_some(),
        };
        match extent {
            Extent::Below if may_be_in => Match::Maybe,
            Extent::AnyBelow if may_be_in => Match::Yes,
            _ => Match::No,
        }
    }
}

/// Splits a pattern into its anchor and the rest.
fn anchor(pattern: &str) -> Result<(Anchor, &str), PathError> {
    if let Some(rest) = pattern.strip_prefix("//") {
        return Ok((Anchor::FileSystem, rest));
    }
    if let Some(rest) = pattern.strip_prefix('/') {
        return Ok((Anchor::Slash, rest));
    }
    match pattern.strip_prefix('~') {
        Some("") => return Ok((Anchor::Home, "")),
        Some(rest) if rest.starts_with('/') => return Ok((Anchor::Home, rest.trim_start_matches('/'))),
        Some(_) => return Err(PathError::HomeOfUser),
        None => {}
    }
    if let Some(rest) = pattern.strip_prefix("./") {
        return Ok((Anchor::Root, rest));
    }
    let inner = pattern.trim_end_matches('/');
    let any_depth = inner.starts_with("**/") || !(inner.contains('/') || inner == "." || inner == "..");
    Ok((if any_depth { Anchor::AnyDepth } else { Anchor::Root }, pattern))
}

/// Takes `../` off the beginning.
fn climb(pattern: &str) -> (usize, &str) {
    let mut up = 0;
    let mut rest = pattern;
    loop {
        match rest.strip_prefix("../").or_else(|| rest.strip_prefix("./")) {
            Some(after) => {
                up += usize::from(rest.starts_with(".."));
                rest = after;
            }
            None if rest == ".." => return (up + 1, ""),
            None => return (up, rest),
        }
    }
}
