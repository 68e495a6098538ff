//! Tests the policy against real tools: the lines that it allows are run in a sandbox full of canaries. See README.md.

pub mod attacks;
pub mod fleet;
pub mod generate;
pub mod hunt;
pub mod judge;
pub mod layout;
pub mod options;
pub mod prove;
pub mod report;
pub mod rules;
pub mod sandbox;
pub mod shell;
pub mod shrink;
pub mod verdict;
