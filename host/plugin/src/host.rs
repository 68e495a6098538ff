//! What the host lends to its providers: a clock, a log and a network.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::Network;

/// The host of a provider. Cheap to clone.
#[derive(Clone)]
pub struct Host {
    /// The time of day.
    pub clock: Arc<dyn Clock>,
    /// The sink of the lines that components log.
    pub log: Arc<dyn Log>,
    /// The network over which servers are reached.
    pub network: Arc<Network>,
}

/// The time of day. Waiting is measured by tokio's clock.
pub trait Clock: Send + Sync {
    /// Returns the milliseconds since 1970-01-01T00:00:00Z.
    fn now(&self) -> u64;
}

/// The clock of the operating system.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

/// Receives the log lines of providers, after they were made printable and checked for secrets.
pub trait Log: Send + Sync {
    /// Writes one line, without its line end, of at most 1,024 bytes. `provider` is the manifest's name.
    fn write(&self, provider: &str, level: LogLevel, line: &str);

    /// Returns whether lines of this level are kept anywhere. Others need not be written, nor formatted.
    fn wants(&self, level: LogLevel) -> bool {
        let _ = level;
        true
    }
}

/// The severity of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogLevel {
    /// Details for the author of a provider.
    Debug,
    /// Information for the operator.
    Info,
    /// A condition that may need attention.
    Warn,
    /// An error.
    Error,
}

impl Host {
    /// Returns a host with the system's clock and network, public DNS names and the usual root certificates.
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
