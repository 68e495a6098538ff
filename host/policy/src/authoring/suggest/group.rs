//! Groups sequences by their common prefixes, narrowest first.

use std::collections::{BTreeMap, BTreeSet};

/// The words of a command or the components of a path, from one request.
#[derive(Debug, Clone)]
pub(super) struct Item {
    pub(super) words: Vec<String>,
    /// Whether the sequence ends after these words.
    pub(super) ends: bool,
    /// Whether the folder in which the command runs is unknown.
    pub(super) moved: bool,
    /// The index of the request.
    pub(super) case: usize,
}

/// A group of items and their common prefix.
pub(super) struct Group<'i> {
    /// The longest prefix that all items share.
    pub(super) beginning: &'i [String],
    /// Whether all items are equal to their end.
    pub(super) same: bool,
    pub(super) items: &'i [&'i Item],
}

impl Group<'_> {
    /// Returns the indices of the requests, each once.
    pub(super) fn cases(&self) -> Vec<usize> {
        let cases: BTreeSet<usize> = self.items.iter().map(|item| item.case).collect();
        cases.into_iter().collect()
    }
}

/// Returns what `make` makes of the longest common prefix of all items. If it makes nothing, it gets that of the items
/// with the same next word, and so on. Groups of fewer than `least` requests are left out.
pub(super) fn offer<T>(items: &[&Item], least: usize, make: &mut impl FnMut(&Group<'_>) -> Option<T>) -> Vec<T> {
    let Some(beginning) = beginning(items) else { return Vec::new() };
    let same = items.iter().all(|item| item.ends && item.words.len() == beginning.len());
    let group = Group { beginning, same, items };
    if group.cases().len() < least {
        return Vec::new();
    }
    let made = if beginning.is_empty() { None } else { make(&group) };
    if made.is_some() || same {
        return made.into_iter().collect();
    }
    let mut by_word: BTreeMap<Option<&String>, Vec<&Item>> = BTreeMap::new();
    for item in items {
        let word = item.words.get(beginning.len());
        // Items whose next word is not known share no longer prefix.
        if word.is_some() || item.ends {
            by_word.entry(word).or_default().push(item);
        }
    }
    by_word.values().flat_map(|items| offer(items, least, make)).collect()
}

fn beginning<'i>(items: &[&'i Item]) -> Option<&'i [String]> {
    let (first, others) = items.split_first()?;
    let shared = |other: &&Item| first.words.iter().zip(&other.words).take_while(|(a, b)| a == b).count();
    let length = others.iter().map(shared).min().unwrap_or(first.words.len());
    first.words.get(..length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offered(lines: &[&str], accept: impl Fn(&str) -> bool) -> Vec<String> {
        let items: Vec<Item> = lines
            .iter()
            .enumerate()
            .map(|(case, line)| {
                let known = line.strip_suffix(" ?");
                let words = known.unwrap_or(line).split(' ').map(str::to_owned).collect();
                Item { words, ends: known.is_none(), moved: false, case }
            })
            .collect();
        let mut offered = Vec::new();
        offer(&items.iter().collect::<Vec<_>>(), 2, &mut |group| {
            let text = group.beginning.join(" ");
            offered.push(format!("{text}{} {}", if group.same { "$" } else { "" }, group.items.len()));
            accept(&text).then_some(())
        });
        offered
    }

    #[test]
    fn the_longest_beginning_is_offered_and_then_longer_ones_of_fewer() {
        let lines = ["git log -1", "git log -2", "git status", "git status", "git push", "git log ?"];
        assert_eq!(offered(&lines, |_| false), ["git 6", "git log 3", "git status$ 2"]);
        assert_eq!(offered(&lines, |text| text == "git"), ["git 6"]);
        assert_eq!(offered(&["a b", "c d"], |_| false), [""; 0]);
        assert_eq!(offered(&["a b ?", "a b ?"], |_| false), ["a b 2"]);
        assert_eq!(offered(&[], |_| false), [""; 0]);
    }
}
