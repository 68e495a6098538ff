//! The policy that `dmplz policy init` writes.

/// A policy that denies calls that are never wanted, and allows commands that only read. It is a proposal: nothing in
/// it applies until a person has read it and put it in place.
pub const STARTER: &str = include_str!("starter.toml");

#[cfg(test)]
mod tests;
