//! The network of a provider: `reqwest`, configured with permitted names, addresses, certificates and proxy.
//!
//! | question | answer |
//! |---|---|
//! | names | the system's resolver; a literal address needs none |
//! | addresses | only those within the origin's reach; the connection goes to the checked address itself, so a name that resolves differently later has no effect |
//! | several addresses | IPv6 and IPv4 in parallel, the addresses of one family in sequence; 10 s for all of them, TLS included |
//! | trust | Mozilla's roots, compiled in; also those that the operator names, for companies with their own |
//! | proxy | none, unless the operator sets one: then `https` and `wss` use it with CONNECT, and it resolves the names |
//! | backend | the network; the simulation replaces it with its own, which resolves names and has no WebSockets |
//! | keep-alive | for the life of the provider, across its instances; at most 4 idle connections per origin, 30 s each |

mod backend;
mod client;
#[cfg(target_os = "linux")]
mod dns;
mod resolve;
mod socket;
mod tls;

use std::sync::{Arc, OnceLock};

use rustls::pki_types::CertificateDer;
use url::Url;

pub use backend::{Exchange, HttpBackend};
pub(crate) use client::{Client, ExchangeError, Reply};
pub use resolve::{Addresses, Resolver, SystemResolver};
pub(crate) use socket::Socket;

/// The network of a provider.
pub struct Network {
    resolver: Arc<dyn Resolver>,
    extra_roots: Vec<CertificateDer<'static>>,
    proxy: Option<Proxy>,
    tls: OnceLock<rustls::ClientConfig>,
    /// `None` for the real network.
    backend: Option<Arc<dyn HttpBackend>>,
}

/// Why the network cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    /// The supported versions of TLS cannot be configured.
    #[error("TLS cannot be spoken: {0}")]
    Tls(#[source] rustls::Error),
}

/// Why a proxy cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("the proxy's URL must be http://[user:password@]host[:port]")]
pub struct ProxyError;

/// The operator's proxy for `https`, which requests use with CONNECT.
struct Proxy {
    host: String,
    client: reqwest::Proxy,
}

impl Network {
    /// Trusts these root certificates in addition to Mozilla's. One that cannot be parsed is passed over.
    #[must_use]
    pub fn with_roots(mut self, roots: Vec<CertificateDer<'static>>) -> Self {
        self.extra_roots = roots;
        self
    }

    /// Sends `https` through a proxy: `http://[user:password@]host[:port]`.
    ///
    /// # Errors
    /// Returns an error if the URL does not have this form.
    pub fn with_proxy(mut self, url: &str) -> Result<Self, ProxyError> {
        self.proxy = Some(Proxy::parse(url)?);
        Ok(self)
    }

    /// Resolves names with another resolver. For tests.
    #[must_use]
    pub fn with_resolver(mut self, resolver: Arc<dyn Resolver>) -> Self {
        self.resolver = resolver;
        self
    }

    /// Sends requests over `backend` and opens no connection. For the simulation and `dmplz provider test`; no setting
    /// selects it.
    #[must_use]
    pub fn with_backend(mut self, backend: Arc<dyn HttpBackend>) -> Self {
        self.backend = Some(backend);
        self
    }
}

impl Proxy {
    fn parse(text: &str) -> Result<Self, ProxyError> {
        let url = Url::parse(text).ok().filter(|url| url.scheme() == "http").ok_or(ProxyError)?;
        let host = url.host_str().ok_or(ProxyError)?.to_owned();
        Ok(Self { host, client: reqwest::Proxy::https(url).map_err(|_| ProxyError)? })
    }
}

impl Default for Network {
    fn default() -> Self {
        Self {
            resolver: Arc::new(SystemResolver),
            extra_roots: Vec::new(),
            proxy: None,
            tls: OnceLock::new(),
            backend: None,
        }
    }
}
