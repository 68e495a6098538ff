//! The rules a person wrote decide first, and only what they leave open reaches the person.
//!
//! A rule says when it applies and what becomes of a call then: allow, deny, or ask. The format is gemini-cli's, and more
//! ([`rule`], [`mod@file`]; where we decide otherwise than gemini-cli: [`gemini`]). No rule is built in.
//!
//! | question | answer | where |
//! |---|---|---|
//! | what is judged? | a call; a line of the shell command by command, and the strictest command decides | [`shell`] |
//! | which rule decides? | tier (admin, user, workspace), then priority, then deny before ask before allow | [`judge`] |
//! | when does a rule hold? | an allow when it surely means the call, a deny or an ask when it may mean it | [`decision`] |
//! | what does an allow not reach? | options, variables, redirections and files that do more than it says | [`Reservation`] |
//! | no rule, or any doubt? | a person is asked | |
//! | may a person's press decide the next calls? | for exactly the same thing, for a while, where the rules ask | [`grant`] |
//! | a file with errors? | its denies stay; nothing of its tier or below is allowed | [`mod@file`] |
//!
//! Beside deciding: [`lint`] and [`examples`] show that rules mean what their author meant, [`import`] reads Claude Code's
//! rules, [`history`] and [`suggest`] propose rules from answers.

pub mod args;
pub mod call;
pub mod decision;
pub mod examples;
pub mod file;
pub mod gemini;
pub mod grant;
pub mod history;
pub mod import;
pub mod judge;
pub mod lint;
pub mod names;
mod nearest;
pub mod pattern;
pub mod places;
pub mod programs;
pub mod rule;
pub mod shell;
pub mod starter;
pub mod suggest;
pub mod targets;
mod write;

pub use call::Call;
pub use decision::{Decision, Match, Reading};
pub use file::{File, Problem};
pub use grant::{Change, Covers, Grant, Moment};
pub use judge::{Condition, Considered, Explained, Explanation, Judgement, Permit, Policy, Reservation, Role, Why};
pub use rule::{Origin, Rule, Tier};

#[cfg(test)]
mod tests;
