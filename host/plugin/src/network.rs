//! How servers are reached: names resolved and addresses checked, connected to, TLS, connections kept.
//!
//! | question | answer |
//! |---|---|
//! | names | the system's resolver; a literal address needs none |
//! | addresses | only those that the origin's reach admits; the connection goes to the checked address itself, so a name that changes its mind changes nothing |
//! | several addresses | one after the other, 2 s each while there are more |
//! | trust | Mozilla's roots, compiled in; plus a PEM file where the operator's company has its own |
//! | proxy | none, unless the operator sets one: then `https` and `wss` go through it by CONNECT, and it resolves the names |
//! | backend | the network; the simulation puts its own in its place, which then resolves names and carries no WebSockets |
//! | keep-alive | as long as the provider lives, across its instances, at most 4 idle connections an origin, 30 s each |

mod backend;
mod client;
mod dial;
mod proxy;
mod socket;
mod tls;

use std::future::Future;
use std::io;
use std::net::IpAddr;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};

pub use backend::{Exchange, HttpBackend};
pub(crate) use client::{Client, ExchangeError, Reply};
pub use proxy::ProxyError;
pub(crate) use socket::Socket;

/// How servers are reached.
pub struct Network {
    resolver: Arc<dyn Resolver>,
    extra_roots: Option<PathBuf>,
    proxy: Option<proxy::Proxy>,
    tls: OnceLock<tokio_rustls::TlsConnector>,
    /// None for the real network.
    backend: Option<Arc<dyn HttpBackend>>,
}

/// A way to find the addresses of a name.
pub trait Resolver: Send + Sync {
    /// The addresses of a DNS name, best first. Never called with a literal address.
    fn resolve<'a>(&'a self, name: &'a str) -> Addresses<'a>;
}

/// What a resolver finds.
pub type Addresses<'a> = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send + 'a>>;

/// Asks the resolver of the system.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemResolver;

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

    /// Sends requests over `backend` and opens no connection. For the simulation: no setting leads here.
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

impl Resolver for SystemResolver {
    fn resolve<'a>(&'a self, name: &'a str) -> Addresses<'a> {
        Box::pin(async move { Ok(tokio::net::lookup_host((name, 0)).await?.map(|address| address.ip()).collect()) })
    }
}
