//! Who was told what already: what brings nothing new is said once to a person about a card. A press is acknowledged all
//! the same, without a word.
//!
//! It is kept for as long as the process lives, for the last 1,024 words, in 8 KiB: forgetting one costs its person a
//! second word. What a hook that is alone says about a card that ended is its ledger's to remember for the next hook.

use std::collections::VecDeque;
use std::hash::{BuildHasher, RandomState};

/// Words that are remembered.
const REMEMBERED: usize = 1024;

/// What a press is told that comes to nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum News {
    /// The choice is on no card of ours any more.
    Outdated,
    /// Somebody denied, and may still say why.
    Denied,
    /// The request has ended, and how.
    Over,
}

/// The words that were said, without what they were about: names from outside may be of any length.
#[derive(Debug, Default)]
pub(crate) struct NoticesSent {
    words: VecDeque<u64>,
    key: RandomState,
}

impl NoticesSent {
    /// Notes that a person is told something about a card. Whether it is the first time.
    pub(crate) fn first(&mut self, card: &str, person: &str, news: News) -> bool {
        let word = self.key.hash_one((card, person, news));
        if self.words.contains(&word) {
            return false;
        }
        if self.words.len() >= REMEMBERED {
            self.words.pop_front();
        }
        self.words.push_back(word);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_new_once_to_each_person_about_each_card() {
        let mut sent = NoticesSent::default();
        for (card, person, news) in
            [("a", "ann", News::Over), ("a", "bob", News::Over), ("b", "ann", News::Over), ("a", "ann", News::Denied)]
        {
            assert!(sent.first(card, person, news));
            assert!(!sent.first(card, person, news));
        }
    }

    #[test]
    fn a_flood_is_forgotten_the_oldest_first() {
        let mut sent = NoticesSent::default();
        (0..10_000).for_each(|card| assert!(sent.first(&card.to_string(), "ann", News::Outdated)));
        assert_eq!(sent.words.len(), REMEMBERED);
        assert!(sent.words.capacity() * size_of::<u64>() <= 8192 * 2);
        assert!(!sent.first("9999", "ann", News::Outdated) && sent.first("0", "ann", News::Outdated));
    }
}
