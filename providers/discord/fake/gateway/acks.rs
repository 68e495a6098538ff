use std::time::Duration;

/// The way in which heartbeats are acknowledged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Acks {
    /// Immediately.
    #[default]
    Prompt,
    /// After this time.
    After(Duration),
    /// Never, so that the client considers the connection dead.
    Never,
}
