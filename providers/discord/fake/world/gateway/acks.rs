use std::time::Duration;

/// The way in which heartbeats are acknowledged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Acks {
    /// Each heartbeat is acknowledged at once.
    #[default]
    Prompt,
    /// Each is acknowledged after this time.
    After(Duration),
    /// Never, so that the client considers the connection dead.
    Never,
}
