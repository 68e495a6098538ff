//! The notices that were sent: news is told to each user once per card. Later presses are acknowledged without a
//! notice.
//!
//! The last 1,024 notices are remembered while the process lives, in 8 KiB. Forgetting one costs a second notice. A
//! hook that runs alone remembers notices about ended cards in its ledger, for the next hook.

use std::collections::VecDeque;
use std::hash::{BuildHasher, RandomState};

/// How many notices are remembered.
const REMEMBERED: usize = 1024;

/// The kinds of news about a press that does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum News {
    /// The choice is not on any of our cards any more.
    Outdated,
    /// A person denied, and may still give a reason.
    Denied,
    /// The request has ended, and how.
    Over,
}

/// The hashes of the notices that were sent. Names from outside may have any length, so they are not stored.
#[derive(Debug, Default)]
pub(crate) struct NoticesSent {
    words: VecDeque<u64>,
    key: RandomState,
}

impl NoticesSent {
    /// Notes that a user gets news about a card. Returns whether it is the first time.
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
