//! The rules that a person wrote decide first. Only a call that they leave open reaches the person.
//!
//! A rule states when it applies and what happens to a matching call: allow, deny, or ask. The format is a superset
//! of gemini-cli's ([`file`](mod@file); [`rules::gemini`] lists where decisions differ from gemini-cli's). No rule is
//! built in.
//!
//! | question | answer | where |
//! |---|---|---|
//! | what is judged? | a call; a shell line is judged command by command, and the strictest command decides | [`call`], [`commands`] |
//! | which rule decides? | tier (admin, user, workspace), then priority, then deny before ask before allow | [`judge`] |
//! | when does a rule match? | an allow when it certainly covers the call, a deny or an ask when it may cover it | [`rules::decision`] |
//! | what does an allow not cover? | options, variables, redirections and files that do more than the rule says | [`Hold`] |
//! | what if no rule matches, or in doubt? | a person is asked | |
//! | can a person's answer decide later calls? | for exactly the same call, for a limited time, where the rules ask | [`Policy::granted`] |
//! | what about a file with errors? | its denies stay in force; nothing of its tier or below is allowed | [`file`](mod@file) |
//!
//! [`programs`] describes programs, [`places`] the protected files. [`authoring`] helps people write rules and checks
//! that rules mean what their author intended; no judgement depends on it. [`risk`] finds what a card marks.
//!
//! This crate has no clock, file access, environment or runtime. Time and input are arguments, and the call carries
//! functions that look up facts of the disk ([`Call`]).
//!
//! **Invariant:** a rule's allow is a [`Permit`]. Its only field is private, only the judge constructs one, and it
//! cannot be deserialized. No type of `dmplz-core` can contain one, because that crate does not depend on this one.

pub mod authoring;
pub mod call;
pub mod commands;
pub mod file;
pub mod judge;
mod known;
pub mod places;
pub mod programs;
pub mod risk;
mod ruled;
pub mod rules;
pub mod shell;
pub mod tools;
mod why;

pub use call::{Call, Entries};
pub use file::{File, Problem};
pub use judge::{Condition, Considered, Explained, Explanation, Judgement, Permit, Policy, Role, covers};
pub use known::KnownCommands;
pub use places::{Places, Roots};
pub use programs::repository::Repository;
pub use risk::risks;
pub use ruled::{RuleDenial, Ruled};
pub use rules::decision::{Decision, Match, Reading};
pub use rules::rule::{Origin, Rule, Tier};
pub use why::{Hold, Why};

#[cfg(test)]
mod tests;
