//! Which texts of a chat were handled, so that each counts once.
//!
//! | a text | counts |
//! |---|---|
//! | its id is one of the last that were handled | not again |
//! | its position is below those of all that are remembered | not again: it was handled before them |
//! | any other, whatever its position | yes |
//!
//! The position alone does not tell texts apart: two may have the same one (ntfy counts in seconds), and a later one may have a lower one
//! (the clocks of two homeservers of Matrix differ).

use std::collections::VecDeque;

use dmplz_core::messenger::MessageRef;
use serde::{Deserialize, Serialize};

/// How many texts are remembered by their ids. One whose clock is wrong counts as long as it is not wrong by more than the time in which so
/// many were written.
const REMEMBERED: usize = 100;

/// The texts that were handled in a chat, or in a thread.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Handled {
    /// The texts up to this position are past, whatever their ids are. Older versions stored this alone.
    #[serde(rename = "handled")]
    past: u64,
    /// The positions and ids of the last texts, in the order in which they were handled.
    recent: VecDeque<(u64, String)>,
}

impl Handled {
    /// Returns whether a text was handled, or is past.
    pub fn has(&self, text: &MessageRef) -> bool {
        text.sequence <= self.past || self.recent.iter().any(|(_, id)| *id == text.id)
    }

    /// Remembers that a text was handled.
    pub fn add(&mut self, text: &MessageRef) {
        self.recent.push_back((text.sequence, text.id.clone()));
        if self.recent.len() > REMEMBERED {
            self.recent.pop_front();
            let lowest = self.recent.iter().map(|(position, _)| *position).min();
            // The next text may have the lowest position too.
            self.pass(lowest.unwrap_or_default().saturating_sub(1));
        }
    }

    /// Passes over all texts up to a position.
    pub fn pass(&mut self, position: u64) {
        self.past = self.past.max(position);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(id: &str, sequence: u64) -> MessageRef {
        MessageRef { chat: "c".into(), id: id.into(), sequence }
    }

    /// What the next gateway knows.
    fn stored(handled: &Handled) -> Handled {
        serde_json::from_str(&serde_json::to_string(handled).unwrap()).unwrap()
    }

    #[test]
    fn a_text_at_or_below_the_position_of_another_counts_and_each_counts_once() {
        let mut handled = Handled::default();
        handled.pass(7);
        for text in [text("a", 19), text("same second", 19), text("slow clock", 8), text("fast clock", 900)] {
            assert!(!handled.has(&text), "{text:?}");
            handled.add(&text);
            handled = stored(&handled);
            assert!(handled.has(&text), "{text:?}");
        }
        assert!(!handled.has(&text("after the fast clock", 20)));
        assert!(handled.has(&text("before everything", 7)));
    }

    #[test]
    fn a_text_that_is_told_again_after_many_others_does_not_count_again() {
        let mut handled = Handled::default();
        let texts: Vec<_> = (1..=10 * REMEMBERED as u64).map(|at| text(&at.to_string(), at)).collect();
        texts.iter().for_each(|text| handled.add(text));
        let handled = stored(&handled);
        assert!(texts.iter().all(|text| handled.has(text)));
        assert_eq!(handled.recent.len(), REMEMBERED);
    }

    #[test]
    fn many_texts_at_one_position_leave_room_for_another_one_there() {
        let mut handled = Handled::default();
        (0..3 * REMEMBERED).for_each(|id| handled.add(&text(&id.to_string(), 8)));
        assert!(!handled.has(&text("one more", 8)));
        assert!(handled.has(&text("before", 7)));
    }

    #[test]
    fn what_an_older_version_stored_is_read() {
        let handled: Handled = serde_json::from_str(r#"{"handled":8}"#).unwrap();
        assert!(handled.has(&text("old", 8)) && !handled.has(&text("new", 9)));
    }
}
