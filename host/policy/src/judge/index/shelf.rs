//! Rules about one tool.

use std::collections::HashMap;

use crate::rules::rule::Rule;

/// Rules, those about paths by what every path that they mean has to have.
#[derive(Debug, Default)]
pub(in crate::judge) struct Shelf {
    plain: Vec<u32>,
    about_paths: Vec<u32>,
    by_clue: HashMap<String, Vec<u32>>,
}

impl Shelf {
    pub(super) fn add(&mut self, rank: u32, rule: &Rule) {
        match rule.when.paths.as_ref().and_then(|paths| paths.clues()) {
            None => self.plain.push(rank),
            Some(clues) => {
                self.about_paths.push(rank);
                clues.into_iter().for_each(|clue| self.by_clue.entry(clue).or_default().push(rank));
            }
        }
    }

    /// The rules about paths with a name that begins so.
    pub(in crate::judge) fn begun(&self, name: &str) -> impl Iterator<Item = u32> {
        self.by_clue.iter().filter(move |(clue, _)| clue.starts_with(name)).flat_map(|(_, ranks)| ranks).copied()
    }

    /// Hands out the rules that may be about a call with these clues; all of them when there are no clues to go by. A rule
    /// may come more than once.
    pub(in crate::judge) fn find<'s>(
        &'s self,
        clues: impl FnOnce() -> Option<&'s [String]>,
    ) -> Box<dyn Iterator<Item = u32> + 's> {
        let plain = self.plain.iter().copied();
        if self.about_paths.is_empty() {
            return Box::new(plain);
        }
        match clues() {
            None => Box::new(plain.chain(self.about_paths.iter().copied())),
            Some(clues) => {
                let found = clues.iter().filter_map(|clue| self.by_clue.get(clue)).flatten().copied();
                Box::new(plain.chain(found))
            }
        }
    }
}
