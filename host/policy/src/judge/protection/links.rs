//! Links that a command makes, copies, moves or reads through. Where they lead to a protected place, the place would have a name by which
//! later commands are not recognised, those of the same line among them: what a link leads to is looked up before the line
//! runs.
//!
//! | written | is held back if |
//! |---|---|
//! | `ln -s ../x a/b` | `x`, seen from `a` or from the folder, is a protected place or holds one |
//! | `cp -r a b`, `mv a b` | the same of a link below `a`, seen from where it is and from where it will be |
//! | `cp a/x b`, `cp -r a/. b`, `tar -xf a.tar -C b` | the link that `b/x` is, or one below `b`, leads to a protected place |
//! | `diff -r a b`, `diff a b`, `zcat -r a` | a secret is behind a link below `a` or `b`, or in them |
//! | `ln -s a b && cat b/../c` | always: the folder above what a link leads to is not known |

use std::path::{Component, Path, PathBuf};

use super::held;
use crate::call::Call;
use crate::call::paths::{self, Source};
use crate::places::{Spot, Use};
use crate::programs::{self, Touched};
use crate::shell::{Command, Part, Word};
use crate::why::Hold;

/// A link: its path below the file or folder that is linked, and where it leads, as written.
type Link = (PathBuf, PathBuf);

/// The most folders behind links that are searched for more links.
const MAX_FOLDERS: usize = 32;

/// Returns the protected place to which a link leads that is there afterwards.
pub(super) fn of(touched: &Touched<'_>, call: &Call<'_>, source: &Source<'_>) -> Option<Hold> {
    touched.linked.iter().find_map(|from| {
        let may_reach = || Some(Hold::MayReach(from.to_string()));
        if !source.is_known() {
            return may_reach();
        }
        source.paths().find_map(|folder| {
            let Some(links) = below(from, touched.symbolic, folder, call) else { return may_reach() };
            if links.is_empty() {
                return None;
            }
            let Some(to) = touched.word.text().and_then(|to| paths::located(to, folder, call)) else {
                return may_reach();
            };
            let Some(from_here) = paths::located(known(from), folder, call) else { return may_reach() };
            let name = from_here.file_name().map(|name| to.join(name));
            let bases: Vec<PathBuf> = [Some(to), name, Some(from_here)].into_iter().flatten().collect();
            links.iter().find_map(|(path, leads)| {
                if winds(leads) {
                    return may_reach();
                }
                let parents = bases.iter().map(|base| base.join(path)).filter_map(|at| at.parent().map(Path::to_owned));
                // The text of a new link is also seen from the folder: `ln -sr`.
                let parents = parents.chain(touched.symbolic.then(|| folder.to_owned()));
                parents.map(|parent| parent.join(leads)).find_map(|target| {
                    let real = (call.real_path)(&target).map(|real| Spot::of(&real));
                    let spots: Vec<Spot> = std::iter::once(Spot::of(&target)).chain(real).collect();
                    held(from, &spots, Use::WritesBelow, false, call)
                })
            })
        })
    })
}

/// Returns the protected place behind a link below a folder that is read or written through its links.
pub(super) fn behind(touched: &Touched<'_>, call: &Call<'_>, source: &Source<'_>) -> Option<Hold> {
    let word = &*touched.word;
    match targets(touched, call, source) {
        None => Some(Hold::MayReach(word.to_string())),
        Some(targets) => targets.iter().find_map(|target| held(word, &[Spot::of(target)], touched.how, false, call)),
    }
}

/// Returns where the links lead that a folder is read or written through, those behind other links among them. `None` if
/// they are not known.
pub(in super::super) fn targets(touched: &Touched<'_>, call: &Call<'_>, source: &Source<'_>) -> Option<Vec<PathBuf>> {
    let word = &*touched.word;
    if !touched.through || word.text() == Some("-") || word.names_no_file() {
        return Some(Vec::new());
    }
    if !source.is_known() {
        return None;
    }
    let named = source.paths().filter_map(|folder| paths::located(known(word), folder, call));
    let mut folders: Vec<PathBuf> = named.flat_map(|path| reached(touched, path)).collect();
    let mut targets = Vec::new();
    let mut seen = 0;
    while let Some(folder) = folders.get(seen).cloned() {
        let links = (call.links_below)(&folder).filter(|_| seen < MAX_FOLDERS)?;
        let is_read = |(path, _): &Link| !touched.shallow || path.components().count() <= 1;
        for (path, leads) in links.into_iter().filter(is_read) {
            let link = folder.join(&path);
            let written = link.parent().unwrap_or(&link).join(leads);
            let real = (call.real_path)(&link).unwrap_or(written);
            if !folders.iter().any(|folder| real.starts_with(folder)) {
                folders.push(real.clone());
            }
            targets.push(real);
        }
        seen += 1;
    }
    Some(targets)
}

/// Returns the file or folder that is reached by a name; of a folder that something is copied into, the copies in it.
fn reached(touched: &Touched<'_>, named: PathBuf) -> Vec<PathBuf> {
    if touched.sources.is_empty() {
        return vec![named];
    }
    let copy = |from: &Word| {
        let name = from.text().filter(|_| !from.names_contents()).and_then(|text| Path::new(text).file_name());
        name.map_or_else(|| named.clone(), |name| named.join(name))
    };
    touched.sources.iter().map(copy).collect()
}

/// Returns the links that are made, copied or moved with a word. `None` if they are not known.
pub(in super::super) fn below(from: &Word, symbolic: bool, folder: &Path, call: &Call<'_>) -> Option<Vec<Link>> {
    let mut links = Vec::new();
    if symbolic {
        links.push((PathBuf::new(), PathBuf::from(from.text()?)));
    }
    links.extend((call.links_below)(&paths::located(known(from), folder, call)?)?);
    Some(links)
}

/// Returns the path that a word names; of a glob, the folder in which it matches.
fn known(word: &Word) -> &str {
    match word.text() {
        Some(text) => text,
        None => word.known.rfind('/').and_then(|at| word.known.get(..=at)).unwrap_or("."),
    }
}

/// Returns a word that leads above a folder in a line that makes links, or changes where one leads: what it names is not
/// known.
pub(in super::super) fn above(call: &Call<'_>, commands: &[Command]) -> Option<Hold> {
    if call.places.is_empty() || !commands.iter().any(|command| makes(call, command)) {
        return None;
    }
    let goes_up = |command: &Command, word: &&Word| {
        let mut texts = word.shapes.iter().flat_map(|shapes| shapes.iter()).flatten().filter_map(|part| match part {
            Part::Text(text) => Some(text.as_str()),
            _ => None,
        });
        let is_inside = |text: &str| winds(Path::new(text)) || command.moved && climbs(text);
        is_inside(&word.known) || texts.any(climbs)
    };
    commands.iter().find_map(|command| {
        let redirected = command.redirects.iter().map(|redirect| &redirect.target);
        let mut words = command.words.iter().skip(1).chain(redirected);
        words.find(|word| goes_up(command, word)).map(|word| Hold::MayReach(word.to_string()))
    })
}

/// Returns whether a command makes a link, or copies or moves one.
fn makes(call: &Call<'_>, command: &Command) -> bool {
    let touched = programs::touched(command);
    let mut linked = touched.iter().flat_map(|touched| touched.linked.iter().map(|from| (from, touched.symbolic)));
    let Some(first) = linked.next() else { return false };
    let source = Source::of(call, command);
    let has_links = |(from, symbolic): (&Word, bool)| {
        let mut folders = source.paths();
        folders.any(|folder| below(from, symbolic, folder, call).is_none_or(|links| !links.is_empty()))
    };
    !source.is_known() || std::iter::once(first).chain(linked).any(has_links)
}

/// Returns whether a path goes up behind a name: `a/../b` is not `b` if `a` is a link.
fn winds(path: &Path) -> bool {
    let named = path.components().skip_while(|part| !matches!(part, Component::Normal(_)));
    named.into_iter().any(|part| part == Component::ParentDir)
}

fn climbs(text: &str) -> bool {
    text.split('/').any(|name| name == "..")
}
