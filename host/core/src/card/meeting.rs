//! The card that asks a person in the chat whether they are setting up `dmplz` on a computer.

use crate::messenger::{Block, ButtonStyle, Card, Choice};
use crate::text::{Lang, fill};
use crate::visible::visible_line;

/// The id of the choice that confirms it.
pub const YES: &str = "yes";
/// The id of the choice that denies it.
pub const NO: &str = "no";

/// Whom the question asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Person {
    /// The person who is setting it up.
    Own,
    /// Somebody whom that person invited to answer too.
    Invited,
}

/// Returns the question. `host` is the computer's name.
pub fn question(lang: Lang, person: Person, host: &str, tag: &str) -> Card {
    let words = lang.words();
    let (title, means, yes) = match person {
        Person::Own => (words.meeting, words.meeting_means, words.meeting_yes),
        Person::Invited => (words.invited, words.invited_means, words.invited_yes),
    };
    let choices =
        vec![Choice::new(YES, yes, ButtonStyle::Success), Choice::new(NO, words.meeting_no, ButtonStyle::Danger)];
    let body = vec![Block::Text(means.to_owned())];
    Card { choices, ..Card::new(tag, fill(title, &[&visible_line(host)]), body) }
}

/// Returns the card after an answer, or after the time to answer is over.
pub fn answered(lang: Lang, host: &str, tag: &str, yes: bool) -> Card {
    let words = lang.words();
    Card::new(tag, fill(if yes { words.met } else { words.not_met }, &[&visible_line(host)]), Vec::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_question_names_the_computer_and_its_end_has_no_buttons() {
        let both = [Person::Own, Person::Invited];
        for (lang, person) in [Lang::En, Lang::Ko].into_iter().flat_map(|lang| both.map(|person| (lang, person))) {
            let asked = question(lang, person, "desk\u{202e}", "tag");
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
