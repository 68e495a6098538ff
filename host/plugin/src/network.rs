//! How servers are reached: `reqwest`, told which names, addresses, certificates and proxy are good.
//!
//! | question | answer |
//! |---|---|
//! | names | the system's resolver; a literal address needs none |
//! | addresses | only those that the origin's reach admits; the connection goes to the checked address itself, so a name that changes its mind changes nothing |
//! | several addresses | IPv6 and IPv4 side by side, those of a family one after the other; 10 s for all of them, TLS included |
//! | trust | Mozilla's roots, compiled in; plus a PEM file where the operator's company has its own |
//! | proxy | none, unless the operator sets one: then `https` and `wss` go through it by CONNECT, and it resolves the names |
//! | backend | the network; the simulation puts its own in its place, which then resolves names and carries no WebSockets |
//! | keep-alive | as long as the provider lives, across its instances, at most 4 idle connections an origin, 30 s each |

mod backend;
mod client;
mod proxy;
mod resolve;
mod socket;
mod tls;

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

pub use backend::{Exchange, HttpBackend};
pub(crate) use client::{Client, ExchangeError, Reply};
pub use proxy::ProxyError;
pub use resolve::{Addresses, Resolver, SystemResolver};
pub(crate) use socket::Socket;

/// How servers are reached.
pub struct Network {
    resolver: Arc<dyn Resolver>,
    extra_roots: Option<PathBuf>,
    proxy: Option<proxy::Proxy>,
    tls: OnceLock<rustls::ClientConfig>,
    /// None for the real network.
    backend: Option<Arc<dyn HttpBackend>>,
}

/// Why the network cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    /// The file with more root certificates is of no use.
    #[error("the root certificates of {path} cannot be read: {reason}")]
    Roots {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The versions of TLS that are spoken cannot be.
    #[error("TLS cannot be spoken: {0}")]
    Tls(#[source] rustls::Error),
}

impl Network {
    /// Trusts the certificates of a PEM file besides Mozilla's. It is read when the first TLS connection is made.
    #[must_use]
    pub fn with_roots(mut self, pem: impl Into<PathBuf>) -> Self {
        self.extra_roots = Some(pem.into());
        self
    }

    /// Sends `https` through a proxy: `http://[user:password@]host[:port]`.
    ///
    /// # Errors
    /// When the URL is no such thing.
    pub fn with_proxy(mut self, url: &str) -> Result<Self, ProxyError> {
        self.proxy = Some(proxy::Proxy::parse(url)?);
        Ok(self)
    }

    /// Asks somebody else for addresses. For tests.
    #[must_use]
    pub fn with_resolver(mut self, resolver: Arc<dyn Resolver>) -> Self {
        self.resolver = resolver;
        self
    }

    /// Sends requests over `backend` and opens no connection. For the simulation and `dmplz provider test`: no setting leads
    /// here.
    #[must_use]
    pub fn with_backend(mut self, backend: Arc<dyn HttpBackend>) -> Self {
        self.backend = Some(backend);
        self
    }
}

impl Default for Network {
    fn default() -> Self {
        Self { resolver: Arc::new(SystemResolver), extra_roots: None, proxy: None, tls: OnceLock::new(), backend: None }
    }
}
