//! The paths that a word of a call may name.
//!
//! | word | names |
//! |---|---|
//! | `a/b`, `/a/b`, `~/a` | that |
//! | `$HOME/a`, `a*`, `{a,b}` | what its shapes say |
//! | `$(a)/b` | any path that ends so |
//! | `<(a)` | none: it is a pipe |
//! | a relative one after a `cd` | it in each folder where the command may run, with those of `CDPATH` |
//!
//! Symbolic links are followed as far as the path is known, and wherever its globs can lead.

mod cd_path;
mod globs;

use std::path::{Path, PathBuf};

use super::{Call, targets};
use crate::places::{Spot, Step};
use crate::shell::{Command, Part, Shape, Word};

/// The most folders of a `cd` with a glob that are entered. Of more, none is known.
const MAX_ENTERED: usize = 64;

/// The context of a command's words: its call, and the folders in which it may run.
pub(crate) struct Source<'a> {
    call: &'a Call<'a>,
    folders: Vec<At>,
}

impl<'a> Source<'a> {
    /// Returns the context of a command's words.
    pub(crate) fn of(call: &'a Call<'a>, command: &Command) -> Self {
        Self { call, folders: folders(call, command, |_| {}) }
    }

    /// Returns the context of the texts in a tool's input.
    pub(crate) fn of_call(call: &'a Call<'a>) -> Self {
        Self { call, folders: vec![start(call)] }
    }

    /// Returns whether all folders in which the command may run are known.
    pub(crate) fn is_known(&self) -> bool {
        self.folders.iter().all(|at| at.path.is_some())
    }

    /// Returns the folders in which the command may run, as far as they are known.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.folders.iter().filter_map(|at| at.path.as_deref())
    }
}

/// Returns the path that a text names in a folder.
pub(crate) fn located(text: &str, folder: &Path, call: &Call<'_>) -> Option<PathBuf> {
    absolute(text, &At::of(folder.to_owned()), call)
}

/// Returns the paths that a word may name.
pub(crate) fn of_word(word: &Word, source: &Source<'_>) -> Vec<Spot> {
    let mut spots = Vec::new();
    for folder in &source.folders {
        match (word.text(), &word.shapes) {
            (Some(text), _) => spots.extend(of_known(text, folder, source.call)),
            (None, Some(shapes)) => {
                for shape in &**shapes {
                    spots.extend(of_shape(shape, folder, source.call));
                    // Outside of a repository git prints no commit, so that `$(git rev-parse HEAD)../x` is `../x`.
                    let without: Shape = shape.iter().filter(|part| **part != Part::Revision).cloned().collect();
                    if without.len() < shape.len() && !without.is_empty() {
                        spots.extend(of_shape(&without, folder, source.call));
                    }
                }
            }
            (None, None) => {
                let shape = vec![Part::Text(word.known.clone()), Part::Any];
                spots.extend(of_shape(&shape, folder, source.call));
            }
        }
    }
    spots.dedup();
    spots
}

/// Returns whether every folder that a command passes on its way to where it may run is known and satisfies a
/// condition. The agent's working directory is not checked.
pub(crate) fn passes_only(call: &Call<'_>, command: &Command, holds: impl Fn(&Path) -> bool) -> bool {
    let mut only = true;
    folders(call, command, |at| only &= at.path.as_deref().is_some_and(&holds));
    only
}

/// A folder in which a command may run: its path if that is known, and the known steps.
#[derive(Debug, Clone)]
struct At {
    path: Option<PathBuf>,
    spot: Spot,
}

impl At {
    /// Returns a known folder.
    fn of(path: PathBuf) -> Self {
        Self { spot: Spot::of(&path), path: Some(path) }
    }

    /// Returns an unknown folder.
    fn anywhere() -> Self {
        Self { spot: Spot::anywhere(), path: None }
    }
}

/// Returns the folders in which a command may run. `passed` receives each folder that is entered, including those.
fn folders(call: &Call<'_>, command: &Command, mut passed: impl FnMut(&At)) -> Vec<At> {
    let start = start(call);
    if targets::command_folder(call).is_some() {
        passed(&start);
    }
    if !command.moved {
        return vec![start];
    }
    if command.folders.is_empty() {
        passed(&At::anywhere());
        return vec![At::anywhere()];
    }
    let mut all = Vec::new();
    for steps in &command.folders {
        let mut here = vec![start.clone()];
        for step in steps {
            here = here.iter().flat_map(|at| enter(step, at, call)).collect();
            here.iter().for_each(&mut passed);
            if here.is_empty() {
                passed(&At::anywhere());
            }
        }
        all.extend(here);
    }
    all
}

fn start(call: &Call<'_>) -> At {
    let Some(cwd) = call.cwd else { return At::anywhere() };
    At::of(targets::command_folder(call).map_or_else(|| cwd.to_owned(), |folder| cwd.join(folder)))
}

/// Returns the folders to which a `cd` leads.
fn enter(step: &Word, from: &At, call: &Call<'_>) -> Vec<At> {
    let mut all = enter_from(step, from, call);
    for folder in cd_path::folders(step, from, call) {
        all.extend(enter_from(step, &folder, call));
    }
    all
}

/// Returns the folders to which a `cd` leads from where a shell looks for it.
fn enter_from(step: &Word, from: &At, call: &Call<'_>) -> Vec<At> {
    if let Some(path) = step.text().and_then(|text| absolute(text, from, call)) {
        return vec![At::of(path)];
    }
    let shapes = match (step.text(), &step.shapes) {
        (Some(text), _) => vec![vec![Part::Text(text.to_owned())]],
        (None, Some(shapes)) if !shapes.is_empty() => shapes.to_vec(),
        (None, _) => return vec![At::anywhere()],
    };
    let spots = shapes.iter().filter(|shape| !is_one(shape, from, call)).flat_map(|shape| of_shape(shape, from, call));
    let unknown = spots.map(|spot| At { path: None, spot });
    unknown.chain(shapes.iter().flat_map(|shape| entered(shape, from, call))).collect()
}

/// Returns whether a shape is one known path.
fn is_one(shape: &Shape, from: &At, call: &Call<'_>) -> bool {
    let (at, rest) = beginning(shape, from, call);
    at.path.is_some() && rest.iter().all(|part| matches!(part, Part::Text(_)))
}

/// Returns the existing folders to which a `cd` with a glob may lead.
fn entered(shape: &Shape, from: &At, call: &Call<'_>) -> Vec<At> {
    let (at, rest) = beginning(shape, from, call);
    if rest.iter().any(is_unknown) {
        return Vec::new();
    }
    let Some(path) = at.path else { return Vec::new() };
    let expansion = globs::expand(&path, &steps(&rest, false), call);
    if expansion.more || expansion.ends.len() > MAX_ENTERED {
        return vec![At::anywhere()];
    }
    expansion.ends.into_iter().map(At::of).collect()
}

/// Returns whether a part may contain `..`, so that only the steps behind it count.
fn is_unknown(part: &Part) -> bool {
    matches!(part, Part::Any | Part::Unquoted(_) | Part::Variable { .. })
}

fn absolute(text: &str, from: &At, call: &Call<'_>) -> Option<PathBuf> {
    if let Some(rest) = text.strip_prefix('~') {
        if !rest.is_empty() && !rest.starts_with('/') {
            return None;
        }
        // A path that begins with a slash would replace the home directory.
        return Some(call.home?.join(rest.trim_start_matches('/')));
    }
    match &from.path {
        Some(folder) => Some(folder.join(text)),
        None => text.starts_with('/').then(|| PathBuf::from(text)),
    }
}

/// Returns the paths that a known word may be, as written and with links followed.
fn of_known(text: &str, at: &At, call: &Call<'_>) -> Vec<Spot> {
    let shape = vec![Part::Text(text.to_owned())];
    let Some(path) = absolute(text, at, call) else { return of_shape(&shape, at, call) };
    let real = (call.real_path)(&path).map(|real| Spot::of(&real));
    std::iter::once(Spot::of(&path)).chain(real).collect()
}

/// Returns the paths that a shape may be.
fn of_shape(shape: &Shape, at: &At, call: &Call<'_>) -> Vec<Spot> {
    let (at, rest) = beginning(shape, at, call);
    let behind = rest.rsplit(is_unknown).next().filter(|_| rest.iter().any(is_unknown));
    let (at, steps) = match behind {
        Some(behind) => (At::anywhere(), steps(behind, true)),
        None => (at, steps(&rest, false)),
    };
    let up = steps.split_last().filter(|(last, _)| last.may_be_up());
    let up = up.map(|(_, before)| [before, &[Step::up()]].concat());
    // The folder itself may be behind a link.
    let real = at.path.as_deref().and_then(|path| (call.real_path)(path)).map(At::of);
    let mut spots = Vec::new();
    for steps in std::iter::once(&steps).chain(&up) {
        for at in std::iter::once(&at).chain(&real) {
            spots.extend(follow(at, steps, call));
        }
        // The links of `/proc/self` lead elsewhere for the command than for this process.
        let path = at.path.as_deref().filter(|_| !at.spot.begins_anywhere());
        let may_be_link = !rest.contains(&Part::Files) && steps.iter().any(|step| !matches!(step, Step::Name(_)));
        if let Some(path) = path.filter(|_| may_be_link) {
            let expansion = globs::expand(path, steps, call);
            spots.extend(expansion.behind_links);
            spots.extend(expansion.more.then(Spot::anywhere));
        }
    }
    spots
}

/// Returns where steps lead from a place, as written and with links followed.
fn follow(at: &At, steps: &[Step], call: &Call<'_>) -> Vec<Spot> {
    let mut spot = at.spot.clone();
    // The links of `/proc/self` lead elsewhere for the command than for this process.
    let mut path = at.path.clone().filter(|_| !spot.begins_anywhere());
    let count = steps.len();
    let mut behind_link = None;
    for (index, step) in steps.iter().cloned().enumerate() {
        let name = match &step {
            Step::Name(name) => Some(name.clone()),
            _ => None,
        };
        spot.push(step);
        // Beyond a link the remaining steps are relative to its target.
        path = path.zip(name).filter(|_| !spot.begins_anywhere()).map(|(path, name)| path.join(name));
        if let Some(real) = path.as_deref().and_then(|path| (call.real_path)(path)) {
            // An operation on the last step affects the link or its target.
            if index + 1 == count {
                behind_link = Some(Spot::of(&real));
                break;
            }
            spot = Spot::of(&real);
            path = Some(real);
        }
    }
    behind_link.into_iter().chain([spot]).collect()
}

/// Returns the base of a shape, and the rest of the shape.
fn beginning(shape: &Shape, at: &At, call: &Call<'_>) -> (At, Shape) {
    let home = || call.home.map_or_else(At::anywhere, |home| At::of(home.to_owned()));
    let rest = |skip: usize| shape.get(skip..).unwrap_or_default().to_vec();
    let after = |text: &str| [vec![Part::Text(text.to_owned())], rest(1)].concat();
    match shape.first() {
        Some(Part::Text(text)) => match text.strip_prefix('~') {
            Some(path) if path.starts_with('/') => (home(), after(path)),
            // Another user's home, or a folder that the shell remembers.
            Some(path) => (At::anywhere(), after(path.split_once('/').map_or("", |(_, path)| path))),
            None if text.starts_with('/') => (At::of(PathBuf::from("/")), rest(0)),
            None => (at.clone(), rest(0)),
        },
        Some(Part::Variable { name, .. }) => match name.as_str() {
            "HOME" => continued(home(), rest(1)),
            "PWD" => continued(at.clone(), rest(1)),
            _ => (At::anywhere(), rest(0)),
        },
        Some(Part::Any | Part::Unquoted(_)) => (At::anywhere(), rest(0)),
        Some(Part::Name | Part::Folders | Part::Files | Part::Revision) | None => (at.clone(), rest(0)),
    }
}

/// Returns where the path of a folder leads with more text behind it: `${PWD}shop/a` is beside the folder, not in it.
fn continued(at: At, rest: Shape) -> (At, Shape) {
    let is_below = match rest.first() {
        None => true,
        Some(Part::Text(text)) => text.starts_with('/'),
        Some(_) => false,
    };
    let Some(path) = at.path.as_deref().filter(|_| !is_below) else { return (at, rest) };
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return (At::anywhere(), rest) };
    let beside = At::of(path.parent().unwrap_or(path).to_owned());
    (beside, [vec![Part::Text(name.to_owned())], rest].concat())
}

/// Returns the steps of the rest of a shape. `swallowed` states that it begins in the middle of a name.
fn steps(rest: &[Part], swallowed: bool) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut name = Name { swallowed, ..Name::default() };
    for part in rest {
        match part {
            Part::Text(text) => {
                let mut pieces = text.split('/');
                name.add(pieces.next().unwrap_or_default());
                for piece in pieces {
                    match std::mem::take(&mut name).step() {
                        // A step behind `..` is in another folder than a step behind a name.
                        Some(step) if step.may_be_up() => steps.extend([Step::up(), Step::Any]),
                        step => steps.extend(step),
                    }
                    name.add(piece);
                }
            }
            Part::Name | Part::Revision => name.texts.push(String::new()),
            // The name may continue in other folders, so nothing of it is certain.
            Part::Folders | Part::Files | Part::Any | Part::Unquoted(_) | Part::Variable { .. } => {
                name.texts.push(String::new());
                let begun = name.step().filter(Step::may_be_up);
                steps.extend(begun.map(|_| Step::up()));
                steps.push(Step::Any);
                name = Name { swallowed: true, ..Name::default() };
            }
        }
    }
    steps.extend(name.step());
    steps
}

/// A name of a path that is being parsed.
#[derive(Debug)]
struct Name {
    /// Its certain texts, with anything between them.
    texts: Vec<String>,
    /// Whether it is part of a step that may be anything.
    swallowed: bool,
}

impl Default for Name {
    fn default() -> Self {
        Self { texts: vec![String::new()], swallowed: false }
    }
}

impl Name {
    fn add(&mut self, piece: &str) {
        if let Some(last) = self.texts.last_mut() {
            last.push_str(piece);
        }
    }

    fn step(self) -> Option<Step> {
        match self.texts.as_slice() {
            _ if self.swallowed => None,
            [only] => (!only.is_empty()).then(|| Step::Name(only.clone())),
            _ => Some(Step::Glob(self.texts)),
        }
    }
}
