//! The possible locations of a path, step by step, compared with protected places.

use std::path::{Component, Path};

use dmplz_core::wildcard::spells;

use crate::rules::pattern::fold;

/// The links to folders anywhere that Linux shows for each process.
const LINKS: [&str; 2] = ["cwd", "root"];

/// The folders of a process that contain links to files and folders anywhere.
const OPEN: [&str; 2] = ["fd", "map_files"];

/// The descriptors of a command itself, each of which may be a folder.
const OWN: [&str; 3] = ["stdin", "stdout", "stderr"];

/// The files in which Linux shows a process's variables, which may hold tokens, and its memory.
const INSIDES: [&str; 2] = ["environ", "mem"];

/// A protected file or folder.
#[derive(Debug, Clone)]
pub(crate) struct Pattern {
    /// The names of its steps, in lower case, with `/` between them. One text, because a hook may need hundreds of places.
    names: String,
    /// Whether it may be below any folder.
    anywhere: bool,
}

/// A possible location of a path. Absolute, in lower case, without `.` and `..`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Spot {
    steps: Vec<Step>,
}

/// A step of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// A folder or file of this name.
    Name(String),
    /// A name that consists of these texts with anything between them. It matches a name that begins with a dot only
    /// if the first text is not empty.
    Glob(Vec<String>),
    /// Any number of folders, including none.
    Any,
}

impl Pattern {
    /// Returns the place of a known path. `None` if the path is not absolute.
    pub(super) fn fixed(path: &Path) -> Option<Self> {
        path.is_absolute().then(|| Self { names: names(path), anywhere: false })
    }

    /// Returns a place below a known one.
    pub(super) fn join(&self, path: &str) -> Self {
        let mut place = self.clone();
        append(&mut place.names, Path::new(path));
        place
    }

    /// Returns a place below any folder.
    pub(super) fn anywhere(path: &str) -> Self {
        Self { names: names(Path::new(path)), anywhere: true }
    }
}

fn names(path: &Path) -> String {
    let mut names = String::new();
    append(&mut names, path);
    names
}

/// Appends the names of a path's steps.
fn append(names: &mut String, path: &Path) {
    for part in path.components() {
        match part {
            Component::Normal(name) => {
                if !names.is_empty() {
                    names.push('/');
                }
                names.push_str(&fold(&name.to_string_lossy()));
            }
            Component::ParentDir => names.truncate(names.rfind('/').unwrap_or(0)),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
}

/// Returns the first name and the others; `None` if there is none.
fn split_first(names: &str) -> Option<(&str, &str)> {
    (!names.is_empty()).then(|| names.split_once('/').unwrap_or((names, "")))
}

impl Spot {
    /// Returns an unknown location.
    pub(crate) fn anywhere() -> Self {
        Self { steps: vec![Step::Any] }
    }

    /// Returns a known path.
    pub(crate) fn of(path: &Path) -> Self {
        let mut spot = Self { steps: Vec::new() };
        for part in path.components() {
            match part {
                Component::Normal(name) => spot.push(Step::Name(name.to_string_lossy().into_owned())),
                Component::ParentDir => spot.up(),
                Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
            }
        }
        spot
    }

    /// Appends a step.
    pub(crate) fn push(&mut self, step: Step) {
        // The target of a process's link depends on the process: `/proc/self/cwd`.
        let of_process = self.steps.len() >= 2 && self.steps.first().is_some_and(|first| first.may_be("proc"));
        let may_be_open = |last: &Step| *last != Step::Any && OPEN.iter().any(|folder| last.may_be(folder));
        let in_open = self.steps.get(2..).and_then(|steps| steps.last()).is_some_and(may_be_open);
        if of_process && (in_open || LINKS.iter().any(|link| step.may_be(link))) {
            *self = Self::anywhere();
            return;
        }
        if self.may_be_descriptor() {
            *self = Self::anywhere();
        }
        match step {
            Step::Any if self.steps.last() == Some(&Step::Any) => {}
            Step::Name(name) => match name.as_str() {
                "" | "." => {}
                ".." => self.up(),
                _ => self.steps.push(Step::Name(fold(&name).into_owned())),
            },
            Step::Glob(texts) => {
                self.steps.push(Step::Glob(texts.iter().map(|text| fold(text).into_owned()).collect()));
            }
            step => self.steps.push(step),
        }
    }

    /// Returns whether it may be a descriptor of the command: `/dev/fd/3`, `/dev/stdin`.
    fn may_be_descriptor(&self) -> bool {
        match self.steps.as_slice() {
            [Step::Any, ..] => false,
            [dev, own] => dev.may_be("dev") && OWN.iter().any(|name| own.may_be(name)),
            [dev, folder, _] => dev.may_be("dev") && folder.may_be("fd"),
            _ => false,
        }
    }

    /// Moves one folder up. From an unknown location the result is unknown.
    fn up(&mut self) {
        match self.steps.last() {
            Some(Step::Any) => self.steps = vec![Step::Any],
            Some(_) => drop(self.steps.pop()),
            None => {}
        }
    }

    /// Returns a file or folder in this one.
    pub(crate) fn join(&self, other: &Spot) -> Self {
        let mut joined = self.clone();
        other.steps.iter().cloned().for_each(|step| joined.push(step));
        joined
    }

    /// Returns the last step alone: the name of a copy.
    pub(crate) fn name(&self) -> Self {
        Self { steps: self.steps.last().cloned().into_iter().collect() }
    }

    /// Returns whether it certainly is a folder, or below one.
    pub(crate) fn is_inside(&self, folder: &Path) -> bool {
        let names = names(folder);
        let (mut names, mut steps) = (names.as_str(), self.steps.iter());
        while let Some((name, fewer)) = split_first(names) {
            if !matches!(steps.next(), Some(Step::Name(own)) if own == name) {
                return false;
            }
            names = fewer;
        }
        true
    }

    /// Returns whether another one is it, or below it. Only for known paths.
    pub(crate) fn begins(&self, other: &Spot) -> bool {
        other.steps.starts_with(&self.steps)
    }

    /// Returns whether it may be below a folder.
    pub(crate) fn may_be_below(&self, folder: &Path) -> bool {
        let names = names(folder);
        let is_open = self.steps.last() == Some(&Step::Any);
        is_open && meets(&self.steps, &names, false)
            || (0..self.steps.len()).any(|end| meets(self.steps.get(..end).unwrap_or_default(), &names, false))
    }

    /// Returns whether it may be a path.
    pub(crate) fn may_be_at(&self, path: &Path) -> bool {
        Pattern::fixed(path).is_none_or(|path| self.may_be(&path))
    }

    /// Returns whether it may be a folder, or above it.
    pub(crate) fn may_be_or_hold(&self, folder: &Path) -> bool {
        Pattern::fixed(folder).is_none_or(|folder| self.may_hold(&folder))
    }

    /// Returns whether it may have one of these names, or be below one, in a folder or above it.
    pub(crate) fn may_be_around(&self, names: &[&str], folder: &Path) -> bool {
        self.steps.iter().enumerate().any(|(at, step)| {
            let above = || Self { steps: self.steps.iter().take(at).cloned().collect() };
            names.iter().any(|name| step.may_be(name)) && above().may_be_or_hold(folder)
        })
    }

    /// Returns whether its last name may be this one, and something of it is known.
    pub(crate) fn may_end_in(&self, name: &str) -> bool {
        self.steps.last().is_some_and(|step| match step {
            Step::Any => false,
            Step::Glob(texts) => step.may_be(name) && texts.iter().any(|text| !text.is_empty()),
            Step::Name(_) => step.may_be(name),
        })
    }

    /// Returns whether every step of it is known.
    pub(crate) fn is_known(&self) -> bool {
        self.steps.iter().all(|step| matches!(step, Step::Name(_)))
    }

    /// Returns whether it may be a file with the variables or the memory of a process.
    pub(super) fn may_be_inside_of_process(&self) -> bool {
        match self.steps.as_slice() {
            [Step::Any, ..] | [.., Step::Any] => false,
            [first, _, .., last] => first.may_be("proc") && INSIDES.iter().any(|name| last.may_be(name)),
            _ => false,
        }
    }

    /// Returns whether it is completely unknown.
    pub(crate) fn is_anywhere(&self) -> bool {
        self.steps == [Step::Any]
    }

    /// Returns whether its beginning is unknown.
    pub(crate) fn begins_anywhere(&self) -> bool {
        self.steps.first() == Some(&Step::Any)
    }

    /// Returns whether it is the root, or at most two folders below it: the usual home directories, and their
    /// parents.
    pub(super) fn is_short(&self) -> bool {
        self.steps.len() <= 2 && self.is_known()
    }

    /// Returns whether it may be a place itself.
    pub(super) fn may_be(&self, place: &Pattern) -> bool {
        self.reaches(place, false)
    }

    /// Returns whether it may be a place, or below it.
    pub(super) fn may_be_inside(&self, place: &Pattern) -> bool {
        self.reaches(place, true)
    }

    fn reaches(&self, place: &Pattern, below: bool) -> bool {
        match place.anywhere {
            false => meets(&self.steps, &place.names, below),
            true => (0..=self.steps.len()).any(|from| {
                let rest = self.steps.get(from..).unwrap_or_default();
                meets(rest, &place.names, below)
            }),
        }
    }

    /// Returns whether it ends with an unknown part or has none, or a known step of it satisfies a condition.
    pub(super) fn ends_open_or(&self, holds: impl Fn(&Step) -> bool) -> bool {
        let is_unknown = |step: &Step| *step == Step::Any;
        !self.steps.iter().any(is_unknown)
            || self.steps.last().is_some_and(is_unknown)
            || self.steps.iter().any(|step| !is_unknown(step) && holds(step))
    }

    /// Returns whether it may be a folder, or above it. Only for a folder with a fixed path.
    pub(super) fn may_hold(&self, folder: &Pattern) -> bool {
        self.may_be(folder) || self.may_be_above(folder)
    }

    /// Returns whether a place may be below it. For a place in any folder: whether its last steps may be the first
    /// steps of the place.
    pub(super) fn may_be_above(&self, place: &Pattern) -> bool {
        let mut beginnings = place.names.match_indices('/').filter_map(|(end, _)| place.names.get(..end));
        match place.anywhere {
            false => {
                let has_names = !place.names.is_empty();
                has_names && (meets(&self.steps, "", false) || beginnings.any(|names| meets(&self.steps, names, false)))
            }
            true => beginnings.any(|names| {
                (0..self.steps.len()).any(|from| {
                    let rest = self.steps.get(from..).unwrap_or_default();
                    // An unknown location is compared with fixed places only.
                    !matches!(rest.first(), Some(Step::Any)) && meets(rest, names, false)
                })
            }),
        }
    }
}

/// Returns whether steps may match names, and with `below` any further names.
fn meets(steps: &[Step], names: &str, below: bool) -> bool {
    match (steps.split_first(), split_first(names)) {
        (None, None) => true,
        (Some(_), None) => below || steps.iter().all(|step| *step == Step::Any),
        (Some((Step::Any, rest)), Some((_, fewer))) => meets(rest, names, below) || meets(steps, fewer, below),
        (None, Some(_)) => false,
        (Some((step, rest)), Some((name, fewer))) => step.may_be(name) && meets(rest, fewer, below),
    }
}

impl Step {
    pub(crate) fn may_be(&self, name: &str) -> bool {
        match self {
            Self::Name(own) => own == name,
            Self::Glob(texts) => may_spell(texts, name),
            Self::Any => true,
        }
    }

    /// Moves to the parent folder, as `..` does.
    pub(crate) fn up() -> Self {
        Self::Name("..".to_owned())
    }

    /// Returns whether some shells expand it to the parent folder as well: `.*`.
    pub(crate) fn may_be_up(&self) -> bool {
        matches!(self, Self::Glob(texts) if may_spell(texts, ".."))
    }
}

/// Returns whether a name consists of texts with anything between them.
fn may_spell(texts: &[String], name: &str) -> bool {
    let Some(first) = texts.first() else { return true };
    let may_begin = !first.is_empty() || !name.starts_with('.');
    may_begin && spells(texts.iter().map(String::as_str), name)
}
