//! What may carry requests in place of the network. Origins, secrets, caps, redirects and the search for leaks stay in front
//! of it.

use std::future::Future;
use std::io;
use std::pin::Pin;

use bytes::Bytes;
use http::{Request, Response};

/// A backend carries requests in place of the network.
pub trait HttpBackend: Send + Sync {
    /// Sends one request, with an absolute URI and its secrets filled in, and returns the whole reply. May be dropped at any
    /// point. The caller bounds the time; an error is as a server that cannot be reached. It resolves names by itself.
    fn exchange(&self, request: Request<Bytes>) -> Exchange<'_>;
}

/// A request on its way.
pub type Exchange<'a> = Pin<Box<dyn Future<Output = io::Result<Response<Bytes>>> + Send + 'a>>;
