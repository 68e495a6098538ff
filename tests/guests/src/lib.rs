//! Components that misbehave, for the tests of the sandbox.

/// The component of `tests/guests/hostile`: its setting `mode` says what it does.
pub const HOSTILE: &[u8] = include_bytes!(env!("DMPLZ_HOSTILE"));

/// The same as a file.
pub const HOSTILE_PATH: &str = env!("DMPLZ_HOSTILE");
