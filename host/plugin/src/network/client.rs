//! One provider's connections, and an exchange over one of them.

use std::collections::HashMap;
use std::error::Error;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::{HeaderMap, Request, StatusCode};
use reqwest::redirect::Policy;
use reqwest::retry;

use super::Network;
use super::resolve::Checked;
use crate::egress::{Origin, Outgoing, Reach, Refusal};

/// Largest reply, in bytes.
const BODY: usize = 4 << 20;
/// Idle connections kept for one origin.
const IDLE: usize = 4;
/// How long: shorter than what servers and routers between grant, who may forget a connection without a word.
const IDLE_FOR: Duration = Duration::from_secs(30);
/// How long the addresses of one name are tried, TLS included; each gets an equal part of it.
const CONNECT: Duration = Duration::from_secs(10);

/// A provider's connections. They outlive its instances.
pub(crate) struct Client {
    pub(super) network: Arc<Network>,
    /// One for each origin: it resolves no name but that of its origin, to no address but those that it may reach.
    origins: Mutex<HashMap<(Origin, Reach), reqwest::Client>>,
}

/// A whole reply.
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

/// Why there is none.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ExchangeError {
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error("the reply is too large")]
    TooLarge,
    #[error("{0}")]
    Unreachable(String),
}

impl Client {
    pub(crate) fn new(network: Arc<Network>) -> Self {
        Self { network, origins: Mutex::default() }
    }

    /// Sends a request and reads all of its reply. May be dropped at any point; the connection is then closed.
    pub(crate) async fn exchange(&self, outgoing: &Outgoing) -> Result<Reply, ExchangeError> {
        let (origin, reach) = (&outgoing.origin, outgoing.reach);
        check_literal(origin, reach)?;
        let request = outgoing.to_request()?;
        if let Some(backend) = &self.network.backend {
            let reply = backend.exchange(request).await.map_err(|error| unreachable(origin, &error))?;
            let (head, body) = reply.into_parts();
            return if body.len() > BODY {
                Err(ExchangeError::TooLarge)
            } else {
                Ok(Reply { status: head.status, headers: head.headers, body })
            };
        }
        let mut response = self.send(origin, reach, request).await?;
        let mut body = BytesMut::new();
        while let Some(part) = response.chunk().await.map_err(|error| failed(origin, error))? {
            if body.len() + part.len() > BODY {
                return Err(ExchangeError::TooLarge);
            }
            body.extend_from_slice(&part);
        }
        let (status, headers) = (response.status(), std::mem::take(response.headers_mut()));
        Ok(Reply { status, headers, body: body.freeze() })
    }

    /// Sends a request to an origin and returns the head of its reply. It goes out a second time only when nothing of it had
    /// gone out the first time, over a connection that the server had closed.
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

    /// The client for an origin, made when it is first needed.
    fn of(&self, origin: &Origin, reach: Reach) -> Result<reqwest::Client, ExchangeError> {
        let mut origins = self.origins.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (origin.clone(), reach);
        if let Some(client) = origins.get(&key) {
            return Ok(client.clone());
        }
        let network = &self.network;
        let tls = if origin.is_secure() { network.tls() } else { network.no_tls() };
        let proxy = network.proxy.as_ref().filter(|_| origin.is_secure());
        let mut builder = reqwest::Client::builder()
            .tls_backend_preconfigured(tls.map_err(|error| unreachable(origin, &error))?)
            .dns_resolver(match proxy {
                None => Checked::for_origin(Arc::clone(&network.resolver), origin.clone(), reach),
                Some(proxy) => Checked::for_proxy(proxy.host.clone()),
            })
            // The environment sets none: only the operator does.
            .no_proxy()
            .redirect(Policy::none())
            .retry(retry::never())
            .referer(false)
            .http1_only()
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

/// Names are judged when they are resolved, which a proxy does by itself; an address that stands in the URL needs no
/// resolving, and is judged here.
pub(super) fn check_literal(origin: &Origin, reach: Reach) -> Result<(), Refusal> {
    match origin.address() {
        Some(address) if !reach.admits(address) => Err(Refusal::Address(origin.clone())),
        _ => Ok(()),
    }
}

pub(super) fn unreachable(origin: &Origin, why: &dyn std::fmt::Display) -> ExchangeError {
    ExchangeError::Unreachable(format!("{origin}: {why}"))
}

/// What stands at the bottom of an error. What stands above it says only which layer passed it on, and the URL, which holds
/// secrets.
pub(super) fn failed(origin: &Origin, error: reqwest::Error) -> ExchangeError {
    let error = error.without_url();
    let mut cause: &dyn Error = &error;
    loop {
        if let Some(refusal) = cause.downcast_ref::<Refusal>() {
            return refusal.clone().into();
        }
        // Hyper tells clients that a head was too large only in words.
        if cause.downcast_ref::<hyper::Error>().is_some_and(|error| error.to_string().contains("too large")) {
            return ExchangeError::TooLarge;
        }
        match cause.source() {
            Some(below) => cause = below,
            None => return unreachable(origin, cause),
        }
    }
}
