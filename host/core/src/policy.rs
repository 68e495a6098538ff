//! The rules a person wrote decide first, and only what they leave open reaches the person.

pub mod args;
pub mod call;
mod decision;
pub mod file;
pub mod history;
pub mod names;
mod nearest;
pub mod pattern;
mod permit;
pub mod rule;
pub mod shell;
pub mod targets;

pub use call::Call;
pub use decision::{Decision, Match, Reading};
pub use permit::Permit;
pub use rule::{Origin, Rule, Tier};
