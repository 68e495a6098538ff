//! Waits for one future, which a signal or a time may interrupt.

use std::future::Future;
use std::pin::Pin;

use dmplz_core::request::Resolver;
use tokio::time::Instant;

/// The event that came first.
pub(crate) enum First<T> {
    /// The future completed first.
    Done(T),
    /// The request was resolved elsewhere.
    Stopped(Resolver),
    /// The wake time came first.
    Woke,
}

/// The signal that a request was resolved elsewhere. It comes at most once; afterwards it stays silent.
pub(crate) struct Stop<'a>(Option<Pin<&'a mut dyn Future<Output = Resolver>>>);

impl<'a> Stop<'a> {
    pub(crate) fn new(signal: Pin<&'a mut dyn Future<Output = Resolver>>) -> Self {
        Self(Some(signal))
    }

    /// Returns whether the signal came.
    pub(crate) fn has_come(&self) -> bool {
        self.0.is_none()
    }

    /// Waits for `thing`, the signal or the time. If several are ready, they win in this order.
    pub(crate) async fn race<T>(&mut self, thing: impl Future<Output = T>, until: Instant) -> First<T> {
        let mut signal = self.0.take();
        let first = tokio::select! {
            biased;
            done = thing => First::Done(done),
            resolver = wait(&mut signal) => First::Stopped(resolver),
            () = tokio::time::sleep_until(until) => First::Woke,
        };
        if !matches!(first, First::Stopped(_)) {
            self.0 = signal;
        }
        first
    }
}

async fn wait(signal: &mut Option<Pin<&mut dyn Future<Output = Resolver>>>) -> Resolver {
    match signal {
        Some(signal) => signal.as_mut().await,
        None => std::future::pending().await,
    }
}
