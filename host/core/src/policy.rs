//! The rules a person wrote decide first, and only what they leave open reaches the person.

pub mod args;
pub mod call;
mod condition;
mod decision;
pub mod examples;
mod explain;
pub mod file;
mod folder;
pub mod gemini;
mod guard;
pub mod history;
pub mod import;
mod index;
mod judge;
pub mod lint;
pub mod names;
mod nearest;
pub mod pattern;
mod permit;
pub mod power;
mod reservation;
pub mod rule;
pub mod shell;
pub mod starter;
pub mod suggest;
pub mod targets;
mod unit;
mod write;

pub use call::Call;
pub use condition::Condition;
pub use decision::{Decision, Match, Reading};
pub use explain::{Considered, Explained, Explanation, Role};
pub use file::{File, Problem};
pub use judge::{Judgement, Policy, Why};
pub use permit::Permit;
pub use reservation::Reservation;
pub use rule::{Origin, Rule, Tier};

#[cfg(test)]
mod tests;
