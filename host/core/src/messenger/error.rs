//! Why a provider did not do what it was asked.

use std::fmt;

/// Why a provider did not do what it was asked. The message states what happened; the caller, who knows the
/// messenger, adds what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    /// Too many requests; the milliseconds to wait, if known, at least 1.
    #[error("the messenger takes no more requests for now")]
    RateLimited(Option<u32>),
    /// The token is invalid or revoked.
    #[error("the bot cannot log in: its token was not accepted")]
    Unauthorized,
    /// The bot lacks a permission.
    #[error("the bot may not act there{}", detail(.0))]
    Denied(Option<String>),
    /// No such chat or message.
    #[error("the chat or message was not found")]
    NotFound,
    /// Another program receives this bot's events.
    #[error("another program receives this bot's events{}", detail(.0))]
    Conflict(Option<String>),
    /// Larger than the messenger accepts.
    #[error("the message is too large for the messenger")]
    TooLarge,
    /// A setting is missing or malformed: its name, and the expected value.
    #[error("the setting {0} cannot be used: {1}")]
    BadSetting(String, String),
    /// Down, unreachable, or sending invalid replies.
    #[error("the messenger cannot be reached{}", detail(.0))]
    Unavailable(Option<String>),
    /// No connection could be opened during the whole call, so certainly nothing was sent: what the last attempt failed
    /// with. Only the host returns it, never a component.
    #[error("the messenger cannot be reached: {0}")]
    Unreachable(NoConnection),
    /// The call did not return in time.
    #[error("the messenger did not answer in time")]
    Deadline,
    /// The sandbox refused a request.
    #[error("the sandbox refused a request: {0}")]
    Refused(String),
    /// The messenger rejects the request as malformed.
    #[error("the messenger calls the request malformed{}", detail(.0))]
    Rejected(Option<String>),
    /// Any other failure, with the component's message if it gave one.
    #[error("the provider failed{}", detail(.0))]
    Other(Option<String>),
    /// The component itself failed: a trap, a limit, or a breach of the contract. Its instance is discarded.
    #[error("the provider broke: {0}")]
    Broken(String),
}

impl ProviderError {
    /// Returns whether the messenger was not reached, or did not answer in time.
    pub fn is_down(&self) -> bool {
        matches!(self, Self::Unavailable(_) | Self::Unreachable(_) | Self::Deadline)
    }

    /// Returns whether it passes by itself: the messenger is down, or takes no more requests for now.
    pub fn passes(&self) -> bool {
        self.is_down() || matches!(self, Self::RateLimited(_))
    }
}

/// Why no connection could be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoConnection {
    /// What is in the way.
    pub obstacle: Obstacle,
    /// What the last attempt failed with, in words, with its origin.
    pub why: String,
}

/// What is in the way of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obstacle {
    /// The server's name cannot be resolved.
    Name,
    /// The server's certificate is not trusted: it is not for this name or not for today, or somebody else made it.
    Certificate,
    /// Something else, such as a refused connection, or nothing that is known.
    Other,
}

impl NoConnection {
    /// Creates one of which no more is known.
    pub fn other(why: impl Into<String>) -> Self {
        Self { obstacle: Obstacle::Other, why: why.into() }
    }
}

impl fmt::Display for NoConnection {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.why)
    }
}

fn detail(text: &Option<String>) -> String {
    text.as_deref().map(|text| format!(": {text}")).unwrap_or_default()
}
