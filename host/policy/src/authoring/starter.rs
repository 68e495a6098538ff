//! The policy that `dmplz policy init` writes.

/// A file for a person to read and keep: denies of what is never wanted, and allows of commands that only read. It is a
/// proposal. Nothing in it holds before a person has put it in place.
pub const STARTER: &str = include_str!("starter.toml");

#[cfg(test)]
mod tests;
