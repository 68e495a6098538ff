//! For people who write rules. No judgement needs any of it.
//!
//! | module | what it does |
//! |---|---|
//! | [`examples`] | holds rules against their own examples |
//! | [`lint`] | finds rules that do not do what they seem to |
//! | [`import`] | reads Claude Code's rules |
//! | [`history`], [`suggest`] | propose rules from what people answered |
//! | [`starter`] | a file to begin with |

pub mod examples;
pub mod history;
pub mod import;
pub mod lint;
pub mod starter;
pub mod suggest;
pub(crate) mod write;
