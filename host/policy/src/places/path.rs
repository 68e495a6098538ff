//! Where a path may be, part by part, and whether that may be a protected place.

use std::path::{Component, Path};

use crate::rules::pattern::fold;

/// The links that Linux shows of each process, to folders and files anywhere.
const LINKS: [&str; 4] = ["cwd", "root", "fd", "map_files"];

/// A protected file or folder.
#[derive(Debug, Clone)]
pub(crate) struct Pattern {
    /// The names on the way, in lower case.
    names: Vec<String>,
    /// Whether the way may begin in any folder.
    anywhere: bool,
}

/// Where a path may be. Absolute, in lower case, without `.` and `..`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Spot {
    steps: Vec<Step>,
}

/// A step on the way to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    /// A folder or file of this name.
    Name(String),
    /// One whose name is made of these texts, with anything between them. A name that begins with a dot is meant only when
    /// the first text is not empty.
    Glob(Vec<String>),
    /// Any number of folders, none included.
    Any,
}

impl Pattern {
    /// A place whose path is known. None where it is not absolute.
    pub(super) fn fixed(path: &Path) -> Option<Self> {
        path.is_absolute().then(|| Self { names: names(path), anywhere: false })
    }

    /// A place below any folder.
    pub(super) fn anywhere(path: &str) -> Self {
        Self { names: names(Path::new(path)), anywhere: true }
    }
}

fn names(path: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => names.push(fold(&name.to_string_lossy()).into_owned()),
            Component::ParentDir => drop(names.pop()),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    names
}

impl Spot {
    /// The root.
    pub(super) fn root() -> Self {
        Self { steps: Vec::new() }
    }

    /// Anywhere at all.
    pub(super) fn anywhere() -> Self {
        Self { steps: vec![Step::Any] }
    }

    /// A path that is known.
    pub(crate) fn of(path: &Path) -> Self {
        let mut spot = Self::root();
        for part in path.components() {
            match part {
                Component::Normal(name) => spot.push(Step::Name(name.to_string_lossy().into_owned())),
                Component::ParentDir => spot.up(),
                Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
            }
        }
        spot
    }

    /// Goes on by a step.
    pub(super) fn push(&mut self, step: Step) {
        // Where a link of a process leads depends on the process: `/proc/self/cwd`.
        let of_process = self.steps.len() >= 2 && self.steps.first().is_some_and(|first| first.may_be("proc"));
        if of_process && LINKS.iter().any(|link| step.may_be(link)) {
            *self = Self::anywhere();
            return;
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

    /// One folder up. From a place that is not known that may be anywhere.
    fn up(&mut self) {
        match self.steps.last() {
            Some(Step::Any) => self.steps = vec![Step::Any],
            Some(_) => drop(self.steps.pop()),
            None => {}
        }
    }

    /// A file or folder in this one.
    pub(crate) fn join(&self, other: &Spot) -> Self {
        let mut joined = self.clone();
        other.steps.iter().cloned().for_each(|step| joined.push(step));
        joined
    }

    /// The last step alone: what a copy of it is called.
    pub(crate) fn name(&self) -> Self {
        Self { steps: self.steps.last().cloned().into_iter().collect() }
    }

    /// Whether it is surely a folder, or below it.
    pub(crate) fn is_inside(&self, folder: &Path) -> bool {
        let names = names(folder);
        let known =
            self.steps.iter().take(names.len()).zip(&names).all(|(step, name)| *step == Step::Name(name.clone()));
        self.steps.len() >= names.len() && known
    }

    /// Whether nothing at all is known of it.
    pub(crate) fn is_anywhere(&self) -> bool {
        self.steps.first() == Some(&Step::Any) && self.steps.len() == 1
    }

    /// Whether nothing is known of where it begins.
    pub(super) fn begins_anywhere(&self) -> bool {
        self.steps.first() == Some(&Step::Any)
    }

    /// Whether it is the root, or two folders at most below it: the usual home directories, and what is above them.
    pub(super) fn is_short(&self) -> bool {
        self.steps.len() <= 2 && self.steps.iter().all(|step| matches!(step, Step::Name(_)))
    }

    /// Whether it may be a place itself. Only of one that is fixed.
    pub(super) fn may_be(&self, place: &Pattern) -> bool {
        let names: Vec<&str> = place.names.iter().map(String::as_str).collect();
        meets(&self.steps, &names, false)
    }

    /// Whether it may be a place, or below it.
    pub(super) fn may_be_inside(&self, place: &Pattern) -> bool {
        let names: Vec<&str> = place.names.iter().map(String::as_str).collect();
        match place.anywhere {
            false => meets(&self.steps, &names, true),
            true => (0..=self.steps.len()).any(|from| {
                let rest = self.steps.get(from..).unwrap_or_default();
                meets(rest, &names, true)
            }),
        }
    }

    /// Whether it may be a folder, or one above it.
    pub(super) fn may_hold(&self, folder: &Pattern) -> bool {
        let names: Vec<&str> = folder.names.iter().map(String::as_str).collect();
        (0..=names.len()).filter_map(|count| names.get(..count)).any(|names| meets(&self.steps, names, false))
    }

    /// Whether a place may be below it. Of one in any folder, whether its last steps may be the first of the place's.
    pub(super) fn may_be_above(&self, place: &Pattern) -> bool {
        let names: Vec<&str> = place.names.iter().map(String::as_str).collect();
        let beginnings = |least: usize| (least..names.len()).filter_map(|count| names.get(..count));
        match place.anywhere {
            false => beginnings(0).any(|names| meets(&self.steps, names, false)),
            true => beginnings(1).any(|names| {
                (0..self.steps.len()).any(|from| {
                    let rest = self.steps.get(from..).unwrap_or_default();
                    // What may be anything is looked at where it is fixed.
                    !matches!(rest.first(), Some(Step::Any)) && meets(rest, names, false)
                })
            }),
        }
    }
}

/// Whether steps may spell names, and with `below` any more names.
fn meets(steps: &[Step], names: &[&str], below: bool) -> bool {
    match (steps.split_first(), names.split_first()) {
        (None, None) => true,
        (Some(_), None) => below || steps.iter().all(|step| *step == Step::Any),
        (Some((Step::Any, rest)), Some((_, fewer))) => meets(rest, names, below) || meets(steps, fewer, below),
        (None, Some(_)) => false,
        (Some((step, rest)), Some((name, fewer))) => step.may_be(name) && meets(rest, fewer, below),
    }
}

impl Step {
    pub(super) fn may_be(&self, name: &str) -> bool {
        match self {
            Self::Name(own) => own == name,
            Self::Glob(texts) => may_spell(texts, name),
            Self::Any => true,
        }
    }

    /// Goes on to the folder above, as `..` does.
    pub(super) fn up() -> Self {
        Self::Name("..".to_owned())
    }

    /// Whether some shells take it for the folder above as well: `.*`.
    pub(super) fn may_be_up(&self) -> bool {
        matches!(self, Self::Glob(texts) if may_spell(texts, ".."))
    }
}

/// Whether a name is made of texts with anything between them.
fn may_spell(texts: &[String], name: &str) -> bool {
    let Some((first, rest)) = texts.split_first() else { return true };
    if first.is_empty() && name.starts_with('.') {
        return false;
    }
    let Some(mut left) = name.strip_prefix(first.as_str()) else { return false };
    let Some((last, middle)) = rest.split_last() else { return left.is_empty() };
    for text in middle {
        match left.split_once(text.as_str()) {
            Some((_, after)) => left = after,
            None => return false,
        }
    }
    left.ends_with(last.as_str())
}
