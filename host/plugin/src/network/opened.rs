//! Notes whether a client has ever opened a connection.
//!
//! An exchange that was dropped leaves no error, and its request may have been written to any connection of the client,
//! also to one that another request opened. As long as there was none, it certainly was not.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use tower::{Layer, Service};

/// Whether a connection was opened, TLS included. Clones share it.
#[derive(Debug, Clone, Default)]
pub(super) struct Opened(Arc<AtomicBool>);

/// A connector that notes the connections that it opens.
#[derive(Clone)]
pub(super) struct Noting<S> {
    connector: S,
    opened: Opened,
}

impl Opened {
    pub(super) fn has_opened(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

impl<S> Layer<S> for Opened {
    type Service = Noting<S>;

    fn layer(&self, connector: S) -> Noting<S> {
        Noting { connector, opened: self.clone() }
    }
}

impl<S, R> Service<R> for Noting<S>
where
    S: Service<R>,
    S::Future: Send + 'static,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<S::Response, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.connector.poll_ready(context)
    }

    fn call(&mut self, to: R) -> Self::Future {
        let (connecting, opened) = (self.connector.call(to), self.opened.clone());
        Box::pin(async move {
            let connection = connecting.await?;
            opened.0.store(true, Ordering::SeqCst);
            Ok(connection)
        })
    }
}
