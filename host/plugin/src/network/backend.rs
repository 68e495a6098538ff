//! A replacement for the network. Origins, secrets, limits, redirects and the search for leaks are applied before it.

use std::future::Future;
use std::io;
use std::pin::Pin;

use bytes::Bytes;
use http::{Request, Response};

/// Carries requests in place of the network.
pub trait HttpBackend: Send + Sync {
    /// Sends one request, with an absolute URI and its secrets filled in, and returns the whole reply. It resolves
    /// names itself. The caller bounds the time and may drop the future at any point; an error is treated as an
    /// unreachable server.
    fn exchange(&self, request: Request<Bytes>) -> Exchange<'_>;
}

/// A request to carry.
pub type Exchange<'a> = Pin<Box<dyn Future<Output = io::Result<Response<Bytes>>> + Send + 'a>>;
