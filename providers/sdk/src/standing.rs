//! Reactions as they stand, for messengers where they are listed and not told one by one.

use std::collections::{BTreeMap, BTreeSet};

/// A reaction of a person to a card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Press {
    /// The id of the reaction. One that is taken back and added again has another one.
    pub id: String,
    /// The id of the person.
    pub who: String,
    /// The id of the choice.
    pub choice: String,
}

/// The reactions that cards had when they were last looked at, by the ids of their messages. Each batch reports all of them: the
/// host knows which it handled.
#[derive(Debug, Default)]
pub struct Standing {
    presses: BTreeMap<String, Vec<Press>>,
    /// The cards that must be looked at again although nothing happened.
    stale: BTreeSet<String>,
}

impl Standing {
    /// Forgets all cards but those that are wanted.
    pub fn retain(&mut self, is_wanted: impl Fn(&str) -> bool) {
        self.presses.retain(|card, _| is_wanted(card));
    }

    /// Returns whether a card need not be looked at unless something happens to it.
    pub fn is_known(&self, card: &str) -> bool {
        self.presses.contains_key(card) && !self.stale.contains(card)
    }

    /// Returns the reactions of a card.
    pub fn of(&self, card: &str) -> &[Press] {
        self.presses.get(card).map(Vec::as_slice).unwrap_or_default()
    }

    /// Notes the reactions that a card has now, and returns whether they are others than before. One that was taken back and added
    /// again is left out until the next look, so that the host counts it again.
    pub fn learn(&mut self, card: &str, mut found: Vec<Press>) -> bool {
        let known = self.presses.remove(card).unwrap_or_default();
        let is_again = |press: &Press| {
            known.iter().any(|it| (&it.who, &it.choice) == (&press.who, &press.choice) && it.id != press.id)
        };
        let count = found.len();
        found.retain(|press| !is_again(press));
        if found.len() < count {
            self.stale.insert(card.to_owned());
        } else {
            self.stale.remove(card);
        }
        let is_news = found != known;
        self.presses.insert(card.to_owned(), found);
        is_news
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reaction_that_was_added_again_is_left_out_once() {
        let press = |id: &str| Press { id: id.to_owned(), who: "jin".to_owned(), choice: "deny".to_owned() };
        let mut standing = Standing::default();
        assert!(!standing.is_known("card") && !standing.learn("card", Vec::new()) && standing.is_known("card"));
        assert!(standing.learn("card", vec![press("r1")]));
        assert!(!standing.learn("card", vec![press("r1")]));
        assert_eq!(standing.of("card"), [press("r1")]);
        assert!(standing.learn("card", vec![press("r2")]));
        assert!(standing.of("card").is_empty() && !standing.is_known("card"));
        assert!(standing.learn("card", vec![press("r2")]) && standing.is_known("card"));
        standing.retain(|card| card != "card");
        assert!(standing.of("card").is_empty() && !standing.is_known("card"));
    }
}
