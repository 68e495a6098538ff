//! Fills the places of a form with words of `data/words.txt`.

use std::collections::BTreeMap;

use super::Generator;
use crate::layout::{HOME, PROTECTED, SECRETS};

/// The sorts of places that a form may have.
#[cfg(test)]
pub(super) const SORTS: &[&str] = &[
    "any", "file", "dir", "evil", "out", "secret", "protected", "cmd", "n", "pat", "ref", "word", "sed", "awk", "jq",
    "set",
];

/// The words of every sort.
#[derive(Debug)]
pub(super) struct Words {
    sorts: BTreeMap<&'static str, Vec<&'static str>>,
}

impl Words {
    pub(super) fn read() -> Self {
        let mut sorts: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for line in include_str!("../../data/words.txt").lines().filter(|line| !line.starts_with('#')) {
            if let Some((sort, word)) = line.split_once('|') {
                sorts.entry(sort).or_default().push(word);
            }
        }
        Self { sorts }
    }
}

impl Generator {
    /// Fills every place of a text.
    pub(super) fn fill(&mut self, form: &str) -> String {
        let mut filled = String::new();
        let mut rest = form;
        while let Some((before, after)) = rest.split_once('{') {
            filled.push_str(before);
            let place = after.split_once('}').and_then(|(sort, after)| Some((self.word(sort)?, after)));
            match place {
                Some((word, after)) => {
                    filled.push_str(&word);
                    rest = after;
                }
                None => {
                    filled.push('{');
                    rest = after;
                }
            }
        }
        filled.push_str(rest);
        filled
    }

    /// Returns a random word of a sort. `None` if the sort does not exist.
    pub(super) fn word(&mut self, sort: &str) -> Option<String> {
        match sort {
            "any" => {
                let sort = match self.below(20) {
                    0..=10 => "file",
                    11..=13 => "dir",
                    14 => "out",
                    15 => "evil",
                    16 | 17 => "secret",
                    _ => "protected",
                };
                self.word(sort)
            }
            "secret" => self.one_of(SECRETS).map(|path| self.spell(path)),
            "protected" => self.one_of(PROTECTED).map(|path| {
                let below = if path.ends_with(['x', 'z', 'm']) && self.below(2) == 0 { "/policy.toml" } else { "" };
                self.spell(&format!("{HOME}/{path}{below}"))
            }),
            _ => {
                let words = self.words.sorts.get(sort)?.clone();
                let word = (*self.one_of(&words)?).to_owned();
                Some(if word.contains('{') { self.fill(&word.replace("{}", "{any}")) } else { word })
            }
        }
    }
}
