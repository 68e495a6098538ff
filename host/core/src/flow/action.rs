//! The meaning of the choices on cards, and their ids.
//!
//! An id names what its card showed, never the current state. So a press that comes late or twice can neither answer
//! another question nor store at another place than the one its user saw.
//!
//! | id | stands for |
//! |---|---|
//! | `approve` `session` `deny` `skip` `write` `tell` `submit` `revoke` | itself |
//! | `always-local` `always-user` `always-project` `always-session` | allow and store there; `-w`: broad suggestions too |
//! | `scope-local` ... `scope-session` | let "always" store in that scope |
//! | `widen` `narrow` | let "always" also store suggestions that reach further than the call, or not |
//! | `more-2` | show the second page of choices, if the messenger cannot show all at once |
//! | `grant-30m` `grant-session` | allow exactly this call for that time |
//! | `auto-accept` `manual` | approve a plan |
//! | `q2-o3` `q2-x3` | choose option 3 of question 2, remove it; `q2-x0` removes the user's own words |
//! | `q2-other` `q2-back` `q2-next` | own words for question 2, the step before it, the step after it |
//!
//! Questions are numbered from 1. The review of all answers is the step after the last question. Any other id is
//! unknown.

use crate::claude::Scope;
use crate::request::{Edits, Term};

/// Ids that other modules spell out.
pub mod choice {
    /// The id of the choice that allows this call.
    pub const APPROVE: &str = "approve";
    /// The id that allows this call and grants it for the session.
    pub const SESSION: &str = "session";
    /// The id of the choice that denies.
    pub const DENY: &str = "deny";
    /// The id that denies without a reason; it is on the prompt.
    pub const SKIP: &str = "skip";
    /// The id that opens a field for the words that the prompt asks for.
    pub const WRITE: &str = "write";
    /// The id that denies and says what to do instead.
    pub const TELL: &str = "tell";
    /// The id of the choice that sends the answers to the questions.
    pub const SUBMIT: &str = "submit";
    /// The id that revokes a dmplz grant; it is on an ended card.
    pub const REVOKE: &str = "revoke";
}

/// The meaning of a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Allow this call, and no other.
    Approve,
    /// Allow this call and similar ones for the session.
    Session,
    /// Deny; the prompt then asks for a reason.
    Deny,
    /// Deny without a reason.
    Skip,
    /// Write the words that the prompt asks for.
    Write,
    /// Deny and say what to do instead.
    Tell,
    /// Allow and store what the client suggests.
    Always {
        /// The scope that stores it.
        scope: Scope,
        /// Whether suggestions that reach further than the call are stored as well.
        broad: bool,
    },
    /// Let "always" store in this scope.
    Scope(Scope),
    /// Let "always" also store suggestions that reach further than the call, or not.
    Widen(bool),
    /// Show another page of choices, numbered from 1.
    More(usize),
    /// Allow, with a dmplz grant.
    Grant(Term),
    /// Approve a plan, and say how its edits are approved.
    Plan(Edits),
    /// Do something about a question.
    Question {
        /// The question's number, from 1.
        step: usize,
        /// What is done.
        act: Act,
    },
    /// Send the answers to the questions.
    Submit,
    /// Revoke a dmplz grant.
    Revoke,
}

/// What a user does about a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// Choose an option, numbered from 1.
    Choose(usize),
    /// Remove an option, numbered from 1, or the user's own words, 0.
    Remove(usize),
    /// Answer in one's own words.
    Other,
    /// Go back to the previous question.
    Back,
    /// Go on to the next question.
    Next,
}

/// The actions that are named by one id, whatever the card shows.
const NAMED: [(&str, Action); 14] = [
    (choice::APPROVE, Action::Approve),
    (choice::SESSION, Action::Session),
    (choice::DENY, Action::Deny),
    (choice::SKIP, Action::Skip),
    (choice::WRITE, Action::Write),
    (choice::TELL, Action::Tell),
    (choice::SUBMIT, Action::Submit),
    (choice::REVOKE, Action::Revoke),
    ("widen", Action::Widen(true)),
    ("narrow", Action::Widen(false)),
    ("grant-30m", Action::Grant(Term::HalfHour)),
    ("grant-session", Action::Grant(Term::Session)),
    ("auto-accept", Action::Plan(Edits::AutoAccept)),
    ("manual", Action::Plan(Edits::Manual)),
];
/// The most pages of choices that a card can have.
const MOST_PAGES: usize = 99;
const SCOPES: [(&str, Scope); 4] =
    [("local", Scope::Local), ("user", Scope::User), ("project", Scope::Project), ("session", Scope::Session)];

impl Action {
    /// Reads an id. `None` if it is not one of ours.
    pub fn parse(id: &str) -> Option<Self> {
        let scope = |name: &str| SCOPES.iter().find(|(known, _)| *known == name).map(|(_, scope)| *scope);
        if let Some((_, action)) = NAMED.iter().find(|(known, _)| *known == id) {
            return Some(*action);
        }
        let action = match id.split_once('-')? {
            ("always", rest) => match rest.strip_suffix("-w") {
                Some(rest) => Self::Always { scope: scope(rest)?, broad: true },
                None => Self::Always { scope: scope(rest)?, broad: false },
            },
            ("scope", rest) => Self::Scope(scope(rest)?),
            ("more", page) => Self::More(page.parse().ok().filter(|page| (1..=MOST_PAGES).contains(page))?),
            (question, act) => {
                Self::Question { step: digit(question.strip_prefix('q')?)?.max(1), act: Act::parse(act)? }
            }
        };
        // Each action has exactly one spelling.
        (action.id() == id).then_some(action)
    }

    /// Returns whether it denies, possibly with words to come.
    pub fn denies(self) -> bool {
        matches!(self, Self::Deny | Self::Tell)
    }

    /// Returns the choice's id on a card: `[a-z0-9-]{1,16}`.
    pub fn id(&self) -> String {
        let name = |wanted: &Scope| SCOPES.iter().find(|(_, scope)| scope == wanted).map_or("", |(name, _)| name);
        match self {
            Self::More(page) => format!("more-{page}"),
            Self::Always { scope, broad } => format!("always-{}{}", name(scope), if *broad { "-w" } else { "" }),
            Self::Scope(scope) => format!("scope-{}", name(scope)),
            Self::Question { step, act } => format!("q{step}-{}", act.id()),
            named => NAMED.iter().find(|(_, action)| action == named).map_or("", |(id, _)| *id).to_owned(),
        }
    }
}

impl Act {
    fn parse(act: &str) -> Option<Self> {
        Some(match act {
            "other" => Self::Other,
            "back" => Self::Back,
            "next" => Self::Next,
            _ => match act.split_at_checked(1)? {
                ("o", number) => Self::Choose(digit(number)?.max(1)),
                ("x", number) => Self::Remove(digit(number)?),
                _ => return None,
            },
        })
    }

    fn id(self) -> String {
        match self {
            Self::Other => "other".to_owned(),
            Self::Back => "back".to_owned(),
            Self::Next => "next".to_owned(),
            Self::Choose(number) => format!("o{number}"),
            Self::Remove(number) => format!("x{number}"),
        }
    }
}

fn digit(text: &str) -> Option<usize> {
    text.parse().ok().filter(|_| text.len() == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_id_is_read_as_what_it_was_written_for_and_fits_a_button() {
        let scopes = SCOPES.map(|(_, scope)| scope);
        let always = scopes.iter().flat_map(|scope| [true, false].map(|broad| Action::Always { scope: *scope, broad }));
        let acts = (1..=9).flat_map(|n| [Act::Choose(n), Act::Remove(n)]);
        let acts = acts.chain([Act::Remove(0), Act::Other, Act::Back, Act::Next]);
        let picks = [
            Action::Approve,
            Action::Session,
            Action::Deny,
            Action::Skip,
            Action::Write,
            Action::Tell,
            Action::Submit,
            Action::Revoke,
        ]
        .into_iter()
        .chain([Action::Widen(true), Action::Widen(false), Action::Grant(Term::HalfHour), Action::Grant(Term::Session)])
        .chain([Action::Plan(Edits::AutoAccept), Action::Plan(Edits::Manual)])
        .chain(scopes.map(Action::Scope))
        .chain(always)
        .chain([Action::More(1), Action::More(MOST_PAGES)])
        .chain(acts.map(|act| Action::Question { step: 4, act }));
        for action in picks {
            let id = action.id();
            assert_eq!(Action::parse(&id), Some(action), "{id}");
            assert!(id.len() <= 16 && id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'));
        }
    }

    #[test]
    fn anything_else_is_none() {
        for id in [
            "", "-", "q", "q-o1", "q1", "q0-o1", "q1-o0", "q1-o", "q1-o10", "q10-o1", "q1-o+1", "q+1-o1", "q1-o1-w",
            "Q1-o1", "always", "always-", "always-w", "always-local-w-w", "always-here", "scope", "scope-local-w",
            "approve ", "APPROVE", "o1", "q1-한", "grant-31m", "more", "more-0", "more-01", "more-100",
        ] {
            assert_eq!(Action::parse(id), None, "{id}");
        }
    }
}
