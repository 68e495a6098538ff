//! What may carry requests in place of the network. Origins, secrets, caps, redirects and the search for leaks stay in front
//! of it.

use std::future::Future;
use std::io;
use std::pin::Pin;

use bytes::Bytes;
use http::{Request, Response};

use super::{ExchangeError, Network, Reply};
use crate::egress::Outgoing;

/// A backend carries requests in place of the network.
pub trait HttpBackend: Send + Sync {
    /// Sends one request, with an absolute URI and its secrets filled in, and returns the whole reply. May be dropped at any
    /// point. The caller bounds the time; an error is as a server that cannot be reached.
    fn exchange(&self, request: Request<Bytes>) -> Exchange<'_>;
}

/// A request on its way.
pub type Exchange<'a> = Pin<Box<dyn Future<Output = io::Result<Response<Bytes>>> + Send + 'a>>;

impl Network {
    /// Sends a request over a backend. A backend resolves names by itself, as a proxy does.
    pub(super) async fn carry(&self, backend: &dyn HttpBackend, outgoing: &Outgoing) -> Result<Reply, ExchangeError> {
        let origin = &outgoing.origin;
        let failed = |error: &dyn std::fmt::Display| ExchangeError::Unreachable(format!("{origin}: {error}"));
        self.check_literal(origin, outgoing.reach)?;
        let mut request = outgoing.to_request()?;
        *request.uri_mut() = format!("{origin}{}", request.uri()).parse().map_err(|error| failed(&error))?;
        let reply = backend.exchange(request).await.map_err(|error| failed(&error))?;
        let (head, body) = reply.into_parts();
        Ok(Reply { status: head.status, headers: head.headers, body })
    }
}
