//! Where the globs of a path lead through links: `*/t` reads what `a/t` leads to.
//!
//! A glob is expanded folder by folder as the shell does it, so only folders to which it can lead are listed; `**` can
//! lead to every folder below.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::call::Call;
use crate::places::{Spot, Step};
use crate::rules::pattern::fold;

/// The folder of processes. Its links lead elsewhere for the command than for this process.
const PROCESSES: &str = "/proc";

/// What the globs of a path may match.
#[derive(Debug, Default)]
pub(super) struct Expansion {
    /// What follows behind each link, with the steps that remain.
    pub(super) behind_links: Vec<Spot>,
    /// The folders and links to which all steps lead, with links followed.
    pub(super) ends: Vec<PathBuf>,
    /// Whether there may be more, because a folder was not listed.
    pub(super) more: bool,
}

/// Expands the globs of a path below a folder.
pub(super) fn expand(folder: &Path, steps: &[Step], call: &Call<'_>) -> Expansion {
    let steps: Vec<Step> = steps.iter().map(folded).collect();
    let folder = (call.real_path)(folder).unwrap_or_else(|| folder.to_owned());
    let mut search = Search { call, ahead: Vec::new(), seen: BTreeSet::new(), found: Expansion::default() };
    search.add(folder, &steps);
    while let Some((path, count)) = search.ahead.pop() {
        let rest = steps.get(steps.len() - count..).unwrap_or_default();
        let goes_on = search.step(path, rest);
        if goes_on.is_none() {
            search.found.more = true;
            break;
        }
    }
    search.found
}

struct Search<'a> {
    call: &'a Call<'a>,
    /// The paths to go on from, each with the number of steps that remain.
    ahead: Vec<(PathBuf, usize)>,
    seen: BTreeSet<(PathBuf, usize)>,
    found: Expansion,
}

impl Search<'_> {
    /// Goes one step from a path. `None` if a folder was not listed.
    fn step(&mut self, path: PathBuf, rest: &[Step]) -> Option<()> {
        let Some((step, fewer)) = rest.split_first() else {
            self.found.ends.push(path);
            return Some(());
        };
        if let Step::Name(name) = step {
            match name.as_str() {
                "" | "." => self.add(path, fewer),
                ".." => self.add(path.parent().unwrap_or(&path).to_owned(), fewer),
                name => {
                    let next = path.join(name);
                    match (self.call.real_path)(&next) {
                        Some(real) => self.through(real, fewer),
                        None => self.add(next, fewer),
                    }
                }
            }
            return Some(());
        }
        if path.starts_with(PROCESSES) {
            return Some(());
        }
        let entries = (self.call.entries_in)(&path)?;
        // `**` may be no folder at all. The links that it finds are not followed further.
        let below = if *step == Step::Any { rest } else { fewer };
        if *step == Step::Any {
            self.add(path.clone(), fewer);
        }
        for name in entries.links.iter().filter(|name| step.may_be(&fold(&name.to_string_lossy()))) {
            if let Some(real) = (self.call.real_path)(&path.join(name)) {
                self.through(real, fewer);
            }
        }
        for name in entries.folders.iter().filter(|name| step.may_be(&fold(&name.to_string_lossy()))) {
            self.add(path.join(name), below);
        }
        Some(())
    }

    /// Goes on behind a link.
    fn through(&mut self, real: PathBuf, rest: &[Step]) {
        let mut spot = Spot::of(&real);
        rest.iter().cloned().for_each(|step| spot.push(step));
        self.found.behind_links.push(spot);
        self.add(real, rest);
    }

    /// Adds a path to go on from, unless it was added before.
    fn add(&mut self, path: PathBuf, rest: &[Step]) {
        let at = (path, rest.len());
        if self.seen.insert(at.clone()) {
            self.ahead.push(at);
        }
    }
}

/// Returns a glob as names are compared with it, which are folded.
fn folded(step: &Step) -> Step {
    match step {
        Step::Glob(texts) => Step::Glob(texts.iter().map(|text| fold(text).into_owned()).collect()),
        step => step.clone(),
    }
}
