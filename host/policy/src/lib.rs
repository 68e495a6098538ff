//! The rules a person wrote decide first, and only what they leave open reaches the person.
//!
//! A rule says when it applies and what becomes of a call then: allow, deny, or ask. The format is gemini-cli's, and more
//! ([`rules::file`]; where we decide otherwise than gemini-cli: [`rules::gemini`]). No rule is built in.
//!
//! | question | answer | where |
//! |---|---|---|
//! | what is judged? | a call; a line of the shell command by command, and the strictest command decides | [`call`], [`shell`] |
//! | which rule decides? | tier (admin, user, workspace), then priority, then deny before ask before allow | [`judge`] |
//! | when does a rule hold? | an allow when it surely means the call, a deny or an ask when it may mean it | [`rules::decision`] |
//! | what does an allow not reach? | options, variables, redirections and files that do more than it says | [`Hold`] |
//! | no rule, or any doubt? | a person is asked | |
//! | may a person's press decide the next calls? | for exactly the same thing, for a while, where the rules ask | [`Policy::granted`] |
//! | a file with errors? | its denies stay; nothing of its tier or below is allowed | [`rules::file`] |
//!
//! [`programs`] is what is known of programs, [`places`] which files are protected. No judgement needs [`authoring`]: it helps
//! people to write rules, and shows that rules mean what their author meant.
//!
//! There is no clock, no file, no environment and no runtime in here: time and input are arguments, and what has to be known
//! of the disk is lent with the call ([`Call`]).
//!
//! **Invariant:** a rule's allow is a [`Permit`]. Its one field is private, only the judge makes one, no record holds one, and
//! no type of `dmplz-core` can: that crate does not know this one.

pub mod authoring;
pub mod call;
pub mod judge;
mod known;
pub mod places;
pub mod programs;
mod ruled;
pub mod rules;
pub mod shell;

pub use call::Call;
pub use judge::{Condition, Considered, Explained, Explanation, Hold, Judgement, Permit, Policy, Role, Why, covers};
pub use known::KnownCommands;
pub use places::{Places, Roots};
pub use programs::repository::Repository;
pub use ruled::{RuleDenial, Ruled};
pub use rules::decision::{Decision, Match, Reading};
pub use rules::file::{File, Problem};
pub use rules::rule::{Origin, Rule, Tier};

#[cfg(test)]
mod tests;
