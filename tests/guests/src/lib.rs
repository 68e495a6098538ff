//! Components for tests: one that misbehaves, for those of the sandbox, and the author guide's example.

/// The component of `tests/guests/hostile`, whose setting `mode` selects its misbehaviour.
pub const HOSTILE: &[u8] = include_bytes!(env!("DMPLZ_HOSTILE"));

/// The path of the component's file.
pub const HOSTILE_PATH: &str = env!("DMPLZ_HOSTILE");

/// The path of the component of `providers/examples/signal`, whose answers are typed.
pub const SIGNAL_PATH: &str = env!("DMPLZ_SIGNAL");
