//! The connections of one provider, and an exchange over one of them.

use std::collections::HashMap;
use std::error::Error;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use dmplz_core::messenger::Obstacle;
use http::{HeaderMap, Request, StatusCode};
use reqwest::redirect::Policy;
use reqwest::retry;
use tower::util::MapResponseLayer;

use super::resolve::{Checked, Only, Unresolved};
use super::{Network, SystemResolver};
use crate::egress::{Origin, Outgoing, Reach, Refusal};

/// The number of idle connections that are kept per origin.
const IDLE: usize = 4;
/// How long an idle connection is kept: less than the usual limit of servers and routers, which may drop it silently.
const IDLE_FOR: Duration = Duration::from_secs(30);
/// The time for trying all addresses of one name, TLS included; each address gets an equal part.
const CONNECT: Duration = Duration::from_secs(10);

/// The connections of a provider. They outlive its instances.
pub(crate) struct Client {
    pub(super) network: Arc<Network>,
    /// One client per origin. It resolves only the name of its origin, and only to addresses within its reach.
    origins: Mutex<HashMap<(Origin, Reach), reqwest::Client>>,
    /// Whether a connection was ever opened, TLS included. An exchange that was dropped leaves no error, and its request may
    /// have been written to any connection, also to one that another request opened. As long as there was none, it
    /// certainly was not.
    opened: Arc<AtomicBool>,
}

/// A complete reply.
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

/// Why there is no reply.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ExchangeError {
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error("the reply is too large")]
    TooLarge,
    #[error("{why}")]
    Unreachable {
        why: String,
        /// What was in the way, if it failed before any of the request was sent.
        unsent: Option<Obstacle>,
    },
}

impl Client {
    pub(crate) fn new(network: Arc<Network>) -> Self {
        Self { network, origins: Mutex::default(), opened: Arc::default() }
    }

    /// Returns whether a connection may have been opened since the start. Until then nothing can have been sent, not even
    /// by an exchange that was dropped.
    pub(crate) fn has_connected(&self) -> bool {
        self.network.backend.is_some() || self.opened.load(Ordering::SeqCst)
    }

    /// Sends a request and reads the whole reply, whose body has at most `most` bytes. The future may be dropped at any
    /// point, which closes the connection.
    pub(crate) async fn exchange(&self, outgoing: &Outgoing, most: usize) -> Result<Reply, ExchangeError> {
        let (origin, reach) = (&outgoing.origin, outgoing.reach);
        check_literal(origin, reach)?;
        let request = outgoing.to_request()?;
        let mut response = match &self.network.backend {
            Some(backend) => backend.exchange(request).await.map(reqwest::Response::from).map_err(|error| {
                let unsent = is_unconnected(&error).then_some(Obstacle::Other);
                ExchangeError::Unreachable { why: format!("{origin}: {error}"), unsent }
            })?,
            None => self.send(origin, reach, request).await?,
        };
        let mut body = BytesMut::new();
        while let Some(part) = response.chunk().await.map_err(|error| failed(origin, error))? {
            if body.len() + part.len() > most {
                return Err(ExchangeError::TooLarge);
            }
            body.extend_from_slice(&part);
        }
        let (status, headers) = (response.status(), std::mem::take(response.headers_mut()));
        Ok(Reply { status, headers, body: body.freeze() })
    }

    /// Sends a request to an origin and returns the head of its reply. It is sent again only if the server had closed
    /// the reused connection before any of it was sent.
    pub(super) async fn send<B: Into<reqwest::Body>>(
        &self,
        origin: &Origin,
        reach: Reach,
        request: Request<B>,
    ) -> Result<reqwest::Response, ExchangeError> {
        let failed = |error| failed(origin, error);
        let request = reqwest::Request::try_from(request).map_err(failed)?;
        self.of(origin, reach)?.execute(request).await.map_err(failed)
    }

    /// Returns the client for an origin, and creates it on first use.
    fn of(&self, origin: &Origin, reach: Reach) -> Result<reqwest::Client, ExchangeError> {
        let mut origins = self.origins.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (origin.clone(), reach);
        if let Some(client) = origins.get(&key) {
            return Ok(client.clone());
        }
        let network = &self.network;
        let tls = if origin.is_secure() { network.tls() } else { network.no_tls() };
        let proxy = network.proxy.as_ref().filter(|_| origin.is_secure());
        let opened = Arc::clone(&self.opened);
        let noting = MapResponseLayer::new(move |connection| {
            opened.store(true, Ordering::SeqCst);
            connection
        });
        let mut builder = reqwest::Client::builder()
            .tls_backend_preconfigured(tls.map_err(|error| unsent(origin, &error))?)
            .dns_resolver(match proxy {
                None => Checked { resolver: Arc::clone(&network.resolver), only: Only::Origin(origin.clone(), reach) },
                Some(proxy) => Checked { resolver: Arc::new(SystemResolver), only: Only::Proxy(proxy.host.clone()) },
            })
            // Only the operator sets a proxy; the environment's variables are ignored.
            .no_proxy()
            .redirect(Policy::none())
            .retry(retry::never())
            .referer(false)
            .http1_only()
            .connector_layer(noting)
            .connect_timeout(CONNECT)
            .pool_max_idle_per_host(IDLE)
            .pool_idle_timeout(IDLE_FOR);
        if let Some(proxy) = proxy {
            builder = builder.proxy(proxy.client.clone());
        }
        let client = builder.build().map_err(|error| failed(origin, error))?;
        origins.insert(key, client.clone());
        Ok(client)
    }
}

/// Checks an address that stands in the URL, since it is never resolved. Names are checked when they are resolved; a
/// proxy resolves them itself.
pub(super) fn check_literal(origin: &Origin, reach: Reach) -> Result<(), Refusal> {
    match origin.address() {
        Some(address) if !reach.admits(address) => Err(Refusal::Address(origin.clone())),
        _ => Ok(()),
    }
}

/// Returns the error of a request that may have arrived.
pub(super) fn unreachable(origin: &Origin, why: &dyn std::fmt::Display) -> ExchangeError {
    ExchangeError::Unreachable { why: format!("{origin}: {why}"), unsent: None }
}

/// Returns the error of a request of which nothing was sent.
pub(super) fn unsent(origin: &Origin, why: &(dyn Error + 'static)) -> ExchangeError {
    ExchangeError::Unreachable { why: format!("{origin}: {why}"), unsent: Some(obstacle(why)) }
}

/// Returns what kind of obstacle the innermost cause is.
fn obstacle(mut cause: &(dyn Error + 'static)) -> Obstacle {
    // An I/O error that holds another error does not name it as its source.
    while let Some(held) = cause.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
        cause = held;
    }
    match cause.downcast_ref::<rustls::Error>() {
        Some(rustls::Error::InvalidCertificate(_)) => Obstacle::Certificate,
        _ if cause.is::<Unresolved>() => Obstacle::Name,
        _ => Obstacle::Other,
    }
}

/// Returns whether an error of a backend means that there was no connection, so that nothing was sent.
fn is_unconnected(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionRefused | io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable
    )
}

/// Returns the innermost cause of an error. The outer ones only name the layers that passed it on, and the URL, which
/// contains secrets.
pub(super) fn failed(origin: &Origin, error: reqwest::Error) -> ExchangeError {
    let error = error.without_url();
    // Names, addresses, the proxy and TLS all belong to connecting; the request is written to the connection after it.
    let is_unsent = error.is_connect();
    let mut cause: &(dyn Error + 'static) = &error;
    loop {
        if let Some(refusal) = cause.downcast_ref::<Refusal>() {
            return refusal.clone().into();
        }
        // Hyper reports to clients that a head was too large only as text.
        if cause.downcast_ref::<hyper::Error>().is_some_and(|error| error.to_string().contains("too large")) {
            return ExchangeError::TooLarge;
        }
        match cause.source() {
            Some(below) => cause = below,
            None if is_unsent => return unsent(origin, cause),
            None => return unreachable(origin, cause),
        }
    }
}
