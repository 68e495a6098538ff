//! What was told, for messengers that tell each event once.

use std::collections::VecDeque;

use crate::Event;

/// The form of the cursors.
const VERSION: &str = "s1";
/// The events that are kept to be told again; our choice.
const KEPT: usize = 256;

/// The last events that an instance told, so that an earlier cursor of the same instance brings those after it again. The cursor,
/// `s1 BEGAN COUNT`, counts them.
#[derive(Debug, Default)]
pub struct Told {
    /// When the instance began to deliver; 0 until then.
    began: u64,
    events: VecDeque<Event>,
    /// How many there were in all.
    count: usize,
}

impl Told {
    /// Notes when the instance began to deliver, by the host's clock in milliseconds. It begins once.
    pub fn begin(&mut self, now: u64) {
        if self.began == 0 {
            self.began = now.max(1);
        }
    }

    /// Notes events that are told.
    pub fn tell(&mut self, events: &[Event]) {
        self.count += events.len();
        self.events.extend(events.iter().cloned());
        self.events.drain(..self.events.len().saturating_sub(KEPT));
    }

    /// Returns the cursor after all that was told; `None` if the instance did not begin to deliver.
    pub fn cursor(&self) -> Option<String> {
        (self.began > 0).then(|| format!("{VERSION} {} {}", self.began, self.count))
    }

    /// Returns the events after an earlier cursor of this instance; `None` if there are none, or not all of them are kept.
    pub fn after(&self, cursor: &str) -> Option<Vec<Event>> {
        let count = cursor.strip_prefix(&format!("{VERSION} {} ", self.began))?.parse::<usize>().ok()?;
        let missing = self.count.checked_sub(count).filter(|missing| (1..=self.events.len()).contains(missing))?;
        Some(self.events.iter().skip(self.events.len() - missing).cloned().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Chosen, MessageRef, User};

    fn press(choice: &str) -> Event {
        let message = MessageRef::new("c", "m", 1);
        let user = User { id: "jin".to_owned(), name: "Jin".to_owned(), is_bot: false };
        Event::Chosen(Chosen::new(message, choice, user))
    }

    #[test]
    fn an_earlier_cursor_brings_what_came_after_it() {
        let mut told = Told::default();
        assert_eq!(told.cursor(), None);
        told.begin(5);
        told.begin(6);
        assert_eq!(told.cursor().as_deref(), Some("s1 5 0"));
        told.tell(&[press("a"), press("b")]);
        assert_eq!(told.cursor().as_deref(), Some("s1 5 2"));
        assert_eq!(told.after("s1 5 1"), Some(vec![press("b")]));
        for cursor in ["s1 5 2", "s1 5 3", "s1 6 1", "s1 5 x", "", "m1 5 1"] {
            assert_eq!(told.after(cursor), None, "{cursor}");
        }
        told.tell(&vec![press("c"); KEPT]);
        assert_eq!((told.after("s1 5 1"), told.after("s1 5 2").map(|events| events.len())), (None, Some(KEPT)));
    }
}
