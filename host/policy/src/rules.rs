//! The rules of a policy file ([`crate::file`] parses them).

pub mod decision;
pub mod gemini;
pub(crate) mod nearest;
pub mod pattern;
pub mod rule;
