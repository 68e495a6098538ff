//! Reactions as they stand, for messengers where they are listed and not told one by one.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Chosen, Error, Event, MessageRef, User, Watch, Watching};

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
    /// Where the last look stopped.
    cursor: String,
}

impl Standing {
    /// Goes on at a cursor, with the cards that are watched. What is known of them counts only if the last look stopped there: from
    /// another place on, it is not known what another instance was told.
    pub fn go_on(&mut self, cursor: &str, watching: &[Watch]) {
        let is_next = self.cursor == cursor;
        self.presses.retain(|card, _| is_next && watching.card(card).is_some());
    }

    /// Notes the cursor at which a look stops.
    pub fn stop(&mut self, cursor: &str) {
        cursor.clone_into(&mut self.cursor);
    }

    /// Forgets what is known of all cards.
    pub fn clear(&mut self) {
        self.presses.clear();
    }

    /// Returns whether a card need not be looked at unless something happens to it.
    pub fn is_known(&self, card: &str) -> bool {
        self.presses.contains_key(card) && !self.stale.contains(card)
    }

    /// Returns whether no watched card need be looked at unless something happens to it.
    pub fn knows_all(&self, watching: &[Watch]) -> bool {
        watching.cards().all(|watch| self.is_known(&watch.message.id))
    }

    /// Looks at the watched cards that may have changed, by their ids, and at those that are not known, and returns whether one has
    /// other reactions than before. `look` returns the reactions that a card has now.
    ///
    /// # Errors
    /// Returns the error of `look`.
    pub fn look(
        &mut self,
        watching: &[Watch],
        mut changed: BTreeSet<&str>,
        look: impl Fn(&MessageRef) -> Result<Vec<Press>, Error>,
    ) -> Result<bool, Error> {
        let mut is_news = false;
        for message in watching.cards().map(|watch| &watch.message) {
            if changed.remove(message.id.as_str()) || !self.is_known(&message.id) {
                is_news |= self.learn(&message.id, look(message)?);
            }
        }
        Ok(is_news)
    }

    /// Returns the presses of the watched cards on what they offer, at most `most`. `user` returns who a person is, by the ids of
    /// the chat and of the person.
    pub fn events(&self, watching: &[Watch], most: usize, mut user: impl FnMut(&str, &str) -> User) -> Vec<Event> {
        let mut events = Vec::new();
        for watch in watching.cards() {
            for press in self.of(&watch.message.id) {
                if events.len() < most && watch.choices.iter().any(|choice| choice.id == press.choice) {
                    let user = user(&watch.message.chat, &press.who);
                    events.push(Event::Chosen(Chosen::new(watch.message.clone(), &press.choice, user)));
                }
            }
        }
        events
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
    use crate::testing::choice;

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
        standing.clear();
        assert!(standing.of("card").is_empty() && !standing.is_known("card"));
    }

    #[test]
    fn a_card_is_looked_at_when_it_may_have_changed_and_all_its_presses_are_told() {
        let press = |who: &str, choice: &str| {
            let [id, who, choice] = [format!("{who} {choice}"), who.to_owned(), choice.to_owned()];
            Press { id, who, choice }
        };
        let watch = |id: &str| {
            let choices = vec![choice("approve", "", ""), choice("deny", "", "")];
            Watch { message: MessageRef::new("room", id, 1), choices, text: false }
        };
        let (watching, mut standing) = ([watch("1"), watch("2")], Standing::default());
        assert!(!standing.knows_all(&watching));
        let look = |message: &MessageRef| Ok(vec![press("jin", "deny"), press(&message.id, "gone")]);
        assert_eq!(standing.look(&watching, BTreeSet::new(), look), Ok(true));
        assert!(standing.knows_all(&watching));
        let fails = |_: &MessageRef| Err(Error::Deadline);
        assert_eq!(standing.look(&watching, BTreeSet::from(["3"]), fails), Ok(false), "none of them");
        assert_eq!(standing.look(&watching, BTreeSet::from(["2"]), fails), Err(Error::Deadline));
        let user = |chat: &str, who: &str| User::named(who, [Some(chat)]);
        let told = |id: &str| Event::Chosen(Chosen::new(watch(id).message, "deny", user("room", "jin")));
        assert_eq!(standing.events(&watching, 9, user), [told("1"), told("2")]);
        assert_eq!(standing.events(&watching, 1, user), [told("1")]);
        standing.stop("s2");
        standing.go_on("s2", &watching[..1]);
        assert!(standing.is_known("1") && !standing.is_known("2"), "it is watched no more");
        standing.go_on("s1", &watching);
        assert!(!standing.is_known("1"), "another instance may have been told since");
    }
}
