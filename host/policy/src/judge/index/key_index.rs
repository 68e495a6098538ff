//! Finds the rules about one tool that a call can match.

use std::collections::BTreeMap;

use crate::rules::pattern::Paths;

/// The rules about one tool, by their rank. Rules about paths are found by their keys: names that a path must hold to be
/// matched.
#[derive(Debug, Default)]
pub(in crate::judge) struct KeyIndex {
    plain: Vec<u32>,
    about_paths: Vec<u32>,
    by_key: BTreeMap<String, Vec<u32>>,
    /// The names in the patterns of rules about paths, in which `*` is any text.
    names: Vec<String>,
    /// The rules with a pattern that has a folder in it.
    with_folder: Vec<u32>,
}

impl KeyIndex {
    /// Adds a rule with the keys of its paths; `None` if a path without any of them may match.
    pub(super) fn add(&mut self, rank: u32, keys: Option<&[String]>) {
        let Some(keys) = keys else { return self.plain.push(rank) };
        self.about_paths.push(rank);
        for key in keys {
            self.by_key.entry(key.clone()).or_default().push(rank);
        }
    }

    /// Returns whether there is no rule.
    pub(in crate::judge) fn is_empty(&self) -> bool {
        self.plain.is_empty() && self.about_paths.is_empty()
    }

    /// Records the names in the patterns of a rule, and whether one has a folder in it.
    pub(super) fn add_names(&mut self, rank: u32, paths: &Paths) {
        if paths.has_folder() {
            self.with_folder.push(rank);
        }
        self.names.extend(paths.names());
    }

    /// Returns the rules with a pattern that has a folder in it, in order of precedence.
    pub(in crate::judge) fn with_folder(&self) -> impl Iterator<Item = u32> {
        self.with_folder.iter().copied()
    }

    /// Returns the names that were recorded.
    pub(in crate::judge) fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.names.iter().map(String::as_str)
    }

    /// Returns the rules about paths with a name that begins like this.
    pub(in crate::judge) fn begun(&self, name: &str) -> impl Iterator<Item = u32> {
        self.by_key.iter().filter(move |(key, _)| key.starts_with(name)).flat_map(|(_, ranks)| ranks).copied()
    }

    /// Returns the rules that may be about a call with these keys; all of them if there are no keys. A rule may occur
    /// more than once.
    pub(in crate::judge) fn find<'s>(
        &'s self,
        keys: impl FnOnce() -> Option<&'s [String]>,
    ) -> Box<dyn Iterator<Item = u32> + 's> {
        let plain = self.plain.iter().copied();
        if self.about_paths.is_empty() {
            return Box::new(plain);
        }
        match keys() {
            None => Box::new(plain.chain(self.about_paths.iter().copied())),
            Some(keys) => {
                let found = keys.iter().filter_map(|key| self.by_key.get(key)).flatten().copied();
                Box::new(plain.chain(found))
            }
        }
    }
}
