//! Tools for people who write rules. No judgement depends on them.
//!
//! | module | what it does |
//! |---|---|
//! | [`examples`] | checks rules against their own examples |
//! | [`lint`] | finds rules that do not do what they seem to |
//! | [`import`] | reads Claude Code's rules |
//! | [`history`], [`suggest`] | propose rules from the answers that people gave |
//! | [`starter`] | the file that a new policy starts from |

pub mod examples;
pub mod history;
pub mod import;
pub mod lint;
pub mod starter;
pub mod suggest;
pub(crate) mod write;
