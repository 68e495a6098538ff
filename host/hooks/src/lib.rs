//! Hooks as people write them for Claude Code: settings files are read, events are matched, and commands are run.
//!
//! **Invariant:** a hook only notifies. What it answers is recorded and shown ([`output`]); nothing here leads to a decision,
//! and this crate knows no approver, gateway or messenger.
//!
//! | module | what |
//! |---|---|
//! | [`event`] | the events, and the field that a matcher is compared with |
//! | [`settings`] | the text of a settings file as groups of handlers, with what is wrong in it |
//! | [`matcher`], [`condition`] | whether a group or handler is about an event |
//! | [`plan`] | what would run for an event, and why the rest would not |
//! | [`input`], [`environment`], [`env_file`] | what a handler is given |
//! | [`process`] | a handler as a process: limits of time and output |
//! | [`output`] | what its exit code and output say |
//! | [`snapshot`] | the text of a project's hooks that a person trusts |
//! | [`script`] | whether the program that a command names can be started |
//!
//! All but [`process`] are without files, clock and environment: those are arguments.

pub mod condition;
pub mod env_file;
pub mod environment;
pub mod event;
pub mod input;
mod job;
pub mod matcher;
pub mod output;
pub mod plan;
pub mod problem;
pub mod process;
pub mod script;
pub mod settings;
pub mod snapshot;
