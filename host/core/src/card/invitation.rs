//! The card that asks somebody who was invited whether they want to answer for a computer.

use crate::messenger::{Block, ButtonStyle, Card, Choice};
use crate::text::{Lang, fill};
use crate::visible::visible_line;

/// The id of the choice that accepts.
pub const YES: &str = "yes";
/// The id of the choice that refuses.
pub const NO: &str = "no";

/// Returns the question. `host` is the computer's name.
pub fn question(lang: Lang, host: &str, tag: &str) -> Card {
    let words = lang.words();
    let choices = vec![
        Choice::new(YES, words.invited_yes, ButtonStyle::Success),
        Choice::new(NO, words.invited_no, ButtonStyle::Danger),
    ];
    let body = vec![Block::Text(words.invited_means.to_owned())];
    Card { choices, ..Card::new(tag, fill(words.invited, &[&visible_line(host)]), body) }
}

/// Returns the card after an answer, or after the time to answer is over.
pub fn answered(lang: Lang, host: &str, tag: &str, yes: bool) -> Card {
    let words = lang.words();
    let title = if yes { words.invitation_accepted } else { words.invitation_refused };
    Card::new(tag, fill(title, &[&visible_line(host)]), Vec::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_question_names_the_computer_and_its_end_has_no_buttons() {
        for lang in [Lang::En, Lang::Ko] {
            let asked = question(lang, "desk\u{202e}", "tag");
            assert!(asked.title.contains("desk⟨U+202E⟩"), "{}", asked.title);
            assert_eq!(asked.choices.iter().map(|choice| choice.id.as_str()).collect::<Vec<_>>(), [YES, NO]);
            assert!(asked.choices.iter().all(|choice| !choice.emoji.is_empty()));
            for yes in [true, false] {
                let end = answered(lang, "desk", "tag", yes);
                assert!(end.choices.is_empty() && end.title.contains("desk"));
            }
        }
    }
}
