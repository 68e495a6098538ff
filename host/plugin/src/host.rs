//! What the host lends to its providers: time, a log, a network.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::Network;

/// What a provider runs on. Cheap to clone.
#[derive(Clone)]
pub struct Host {
    /// Tells the time of day.
    pub clock: Arc<dyn Clock>,
    /// Takes the lines that components log.
    pub log: Arc<dyn Log>,
    /// How servers are reached.
    pub network: Arc<Network>,
}

/// The time of day. Waiting is measured by tokio's clock.
pub trait Clock: Send + Sync {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    fn now(&self) -> u64;
}

/// The clock of the machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

/// Takes the lines of providers, made safe to print and free of secrets.
pub trait Log: Send + Sync {
    /// One line, without its end, at most 1,024 bytes. `provider` is the manifest's name.
    fn write(&self, provider: &str, level: LogLevel, line: &str);
}

/// How much a line matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogLevel {
    /// For whoever writes a provider.
    Debug,
    /// Something that is worth knowing.
    Info,
    /// Not as it should be.
    Warn,
    /// Something is wrong.
    Error,
}

impl Host {
    /// The machine's clock and network, with public DNS names and the usual roots of trust.
    pub fn new(log: Arc<dyn Log>) -> Self {
        Self { clock: Arc::new(SystemClock), log, network: Arc::new(Network::default()) }
    }
}

impl Clock for SystemClock {
    #[allow(clippy::disallowed_methods, reason = "the one place where a provider's wall clock is read")]
    fn now(&self) -> u64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    }
}

impl<F: Fn(&str, LogLevel, &str) + Send + Sync> Log for F {
    fn write(&self, provider: &str, level: LogLevel, line: &str) {
        self(provider, level, line);
    }
}
