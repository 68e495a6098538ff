//! Components that misbehave, for the tests of the sandbox.

/// The component of `tests/guests/hostile`, whose setting `mode` selects its misbehaviour.
pub const HOSTILE: &[u8] = include_bytes!(env!("DMPLZ_HOSTILE"));

/// The path of the component's file.
pub const HOSTILE_PATH: &str = env!("DMPLZ_HOSTILE");
