//! One pattern.

use std::sync::OnceLock;

use globset::{Glob, GlobBuilder, GlobMatcher};

use super::location::{text, tidy};
use super::{Anchors, unknown};
use crate::policy::{Match, Reading};

/// A pattern that was checked, and is compiled when it is first asked.
#[derive(Debug)]
pub(super) struct Line {
    exception: bool,
    anchor: Anchor,
    /// How many folders above the anchor it begins: `../x` is 1.
    up: usize,
    /// Below the anchor, without a `/` at either end.
    body: String,
    /// A `/` at its end: only a directory is meant.
    folder: bool,
    shape: Shape,
    exact: OnceLock<Option<GlobMatcher>>,
    folded: OnceLock<Option<GlobMatcher>>,
}

/// Where a pattern begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Anchor {
    /// `x`, `**/x`
    AnyDepth,
    /// `/x`
    Slash,
    /// `a/b`, `./x`
    Root,
    /// `~/x`
    Home,
    /// `//x`
    FileSystem,
}

/// What kind of body it is. Most need no glob, and a hook has no time to compile what it does not need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// A path without `*`, `?`, `[`, `{` and `\\`.
    Path,
    /// A single name without them, at any depth.
    Name,
    /// Such a path and `/**`.
    Contents,
    Glob,
}

/// What a path stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// A file, or what may be one.
    File,
    /// A folder.
    Folder,
    /// Everything in a folder.
    Below,
    /// Anything in a folder.
    AnyBelow,
}

impl Extent {
    /// What an exception to a rule of this reading has to mean: to an allow for everything in a folder, anything in it.
    pub(super) fn of_exception(self, reading: Reading) -> Self {
        match (self, reading) {
            (Self::Below, Reading::Narrow) => Self::AnyBelow,
            (other, _) => other,
        }
    }
}

/// What has a meaning in a pattern.
const WILD: [char; 8] = ['*', '?', '[', ']', '{', '}', ',', '\\'];

impl Line {
    /// What every path that it means has among its names: the last name of the pattern without wildcards, or an ending.
    /// In lower case. None when it has neither.
    pub(super) fn clue(&self) -> Option<String> {
        let names = || self.body.rsplit('/');
        let plain = |name: &&str| !matches!(*name, "" | "." | "..") && !name.contains(WILD);
        let ending = |name: &str| {
            let ending = name.strip_prefix('*').and_then(|rest| rest.rsplit_once('.'))?.1;
            (!ending.contains(WILD)).then(|| format!("*.{ending}"))
        };
        names()
            .find(plain)
            .map(str::to_owned)
            .or_else(|| names().find_map(ending))
            .map(|clue| clue.to_ascii_lowercase())
    }

    pub(super) fn read(line: &str) -> Result<Self, String> {
        let (exception, rest) = line.strip_prefix('!').map_or((false, line), |rest| (true, rest));
        let (anchor, rest) = anchor(rest)?;
        let (up, rest) = climb(rest);
        let (folder, body) = match rest.trim_end_matches('/') {
            body if body.len() < rest.len() => (true, body),
            body => (false, body),
        };
        if body.is_empty() && (anchor == Anchor::AnyDepth || line.trim() == "/") {
            return Err(match line.trim() {
                "/" => {
                    "`/` is the root of the workspace: write `/**` for all of it, or `//**` for the whole disk".into()
                }
                _ => "an empty pattern matches nothing".into(),
            });
        }
        if body.split('/').any(|name| name == "..") {
            return Err("`..` is only understood at its beginning".into());
        }
        let body = tidy("", body);
        let body = body.trim_start_matches('/');
        if body.split('[').skip(1).any(|class| !class.split(']').next().is_some_and(str::is_ascii)) {
            // globset takes the bytes of other letters one by one there.
            return Err("only ASCII is understood in `[ ]`; write `{ä,ö}`".into());
        }
        let (shape, body) = shape(anchor, body);
        if shape == Shape::Glob {
            build(body, false).map_err(|error| error.kind().to_string())?;
        }
        let body = body.to_owned();
        Ok(Self { exception, anchor, up, body, folder, shape, exact: OnceLock::new(), folded: OnceLock::new() })
    }

    pub(super) fn is_exception(&self) -> bool {
        self.exception
    }

    /// Whether it means the absolute `path`.
    pub(super) fn matches(&self, path: &str, at: &Anchors<'_>, reading: Reading, extent: Extent) -> Match {
        let root = || text(at.root).map(|root| self.above(root));
        let anywhere = || Some(String::new());
        let bases = match (self.anchor, reading) {
            (Anchor::AnyDepth, Reading::Broad) | (Anchor::FileSystem, _) => [anywhere(), None],
            (Anchor::Slash, Reading::Broad) => [root(), anywhere()],
            (Anchor::AnyDepth | Anchor::Slash | Anchor::Root, _) => [root(), None],
            (Anchor::Home, _) => [text(at.home).map(|home| self.above(home)), None],
        };
        let [first, second] = bases.map(|base| base.map(|base| self.below(&base, path, reading, extent)));
        match (first, second) {
            (None, second) => unknown(reading).or(second.unwrap_or(Match::No)),
            (Some(first), second) => first.or(second.unwrap_or(Match::No)),
        }
    }

    fn above(&self, base: &str) -> String {
        tidy(base, &"../".repeat(self.up))
    }

    fn below(&self, base: &str, path: &str, reading: Reading, extent: Extent) -> Match {
        let base = base.trim_end_matches('/');
        if let Some(rest) = inside(base, path, reading) {
            if self.covers(rest, reading, extent) {
                return Match::Yes;
            }
        } else if inside(path, base, reading).is_none() {
            // Neither is inside the other.
            return Match::No;
        }
        match extent {
            Extent::Below if self.may_be_below(base, path, reading) => Match::Maybe,
            Extent::AnyBelow if self.may_be_below(base, path, reading) => Match::Yes,
            _ => Match::No,
        }
    }

    /// Whether it means `rest`, a path below the anchor, or a folder that `rest` is in.
    fn covers(&self, rest: &str, reading: Reading, extent: Extent) -> bool {
        let file = extent == Extent::File;
        if self.body.is_empty() {
            return !file || !rest.is_empty();
        }
        // A pattern of files does not mean the file `x` by `x/`; broadly, `x` may be a directory.
        let itself = !(self.folder && file && reading == Reading::Narrow);
        match self.shape {
            Shape::Path => inside(&self.body, rest, reading).is_some_and(|below| itself || !below.is_empty()),
            Shape::Contents => inside(&self.body, rest, reading).is_some_and(|below| !file || !below.is_empty()),
            Shape::Name => {
                let mut names = rest.rsplit('/').filter(|name| !name.is_empty());
                let last = names.next().is_some_and(|name| itself && same(&self.body, name, reading));
                last || names.any(|name| same(&self.body, name, reading))
            }
            Shape::Glob => self.glob(reading).map_or(reading == Reading::Broad, |glob| {
                let mut folders = rest.rmatch_indices('/').filter_map(|(at, _)| rest.get(..at));
                // A name that nothing has shows whether everything in a folder is meant.
                let contents = || glob.is_match(format!("{rest}/\u{1}").trim_start_matches('/'));
                (itself && !rest.is_empty() && glob.is_match(rest))
                    || (!file && self.body.ends_with("**") && contents())
                    || folders.any(|folder| glob.is_match(folder))
            }),
        }
    }

    /// Whether something in the folder `path` may be meant.
    fn may_be_below(&self, base: &str, path: &str, reading: Reading) -> bool {
        if self.anchor == Anchor::AnyDepth {
            return true;
        }
        let Some(rest) = inside(base, path, reading) else { return true };
        let mut names = self.body.split('/');
        for folder in rest.split('/').filter(|name| !name.is_empty()) {
            match names.next() {
                // What is below the whole pattern was seen before.
                None => return self.shape == Shape::Contents,
                Some(name) if name.contains("**") => return true,
                Some(name) if name.contains(['*', '?', '[', '{', '\\']) => {}
                Some(name) if same(name, folder, reading) => {}
                Some(_) => return false,
            }
        }
        true
    }

    fn glob(&self, reading: Reading) -> Option<&GlobMatcher> {
        let (place, fold) = match reading {
            Reading::Narrow => (&self.exact, false),
            Reading::Broad => (&self.folded, true),
        };
        let any_depth = if self.anchor == Anchor::AnyDepth { "**/" } else { "" };
        let body = || format!("{any_depth}{}", self.body);
        place.get_or_init(|| build(&body(), fold).ok().map(|glob| glob.compile_matcher())).as_ref()
    }
}

/// Takes off what the shape or the anchor says by itself.
fn shape(anchor: Anchor, body: &str) -> (Shape, &str) {
    let plain = |text: &str| !text.contains(['*', '?', '[', ']', '{', '}', '\\']);
    let body = if anchor == Anchor::AnyDepth { body.trim_start_matches("**/") } else { body };
    match (anchor, body.strip_suffix("/**")) {
        (Anchor::AnyDepth, _) if plain(body) && !body.contains('/') => (Shape::Name, body),
        (Anchor::AnyDepth, _) => (Shape::Glob, body),
        (_, _) if plain(body) => (Shape::Path, body),
        (_, Some(folder)) if plain(folder) => (Shape::Contents, folder),
        (_, _) => (Shape::Glob, body),
    }
}

fn build(body: &str, fold: bool) -> Result<Glob, globset::Error> {
    GlobBuilder::new(body).literal_separator(true).backslash_escape(true).case_insensitive(fold).build()
}

/// Where a pattern begins, and the rest of it.
fn anchor(pattern: &str) -> Result<(Anchor, &str), String> {
    if let Some(rest) = pattern.strip_prefix("//") {
        return Ok((Anchor::FileSystem, rest));
    }
    if let Some(rest) = pattern.strip_prefix('/') {
        return Ok((Anchor::Slash, rest));
    }
    match pattern.strip_prefix('~') {
        Some("") => return Ok((Anchor::Home, "")),
        Some(rest) if rest.starts_with('/') => return Ok((Anchor::Home, rest.trim_start_matches('/'))),
        Some(_) => return Err("only `~/` is understood: no user's name after `~`".into()),
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

/// What follows a folder in a path; empty for the folder itself.
fn inside<'a>(folder: &str, path: &'a str, reading: Reading) -> Option<&'a str> {
    let (head, rest) = path.split_at_checked(folder.len())?;
    if !same(head, folder, reading) {
        return None;
    }
    if rest.is_empty() { Some("") } else { rest.strip_prefix('/') }
}

fn same(a: &str, b: &str, reading: Reading) -> bool {
    match reading {
        Reading::Narrow => a == b,
        Reading::Broad => a.eq_ignore_ascii_case(b),
    }
}
