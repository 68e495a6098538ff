//! Requests in flight, and the publishers that wait for their responses.

use std::collections::HashMap;
use std::time::Duration;

use dmplz_core::request::{Decision, ExpiredCause, Outcome, Resolution};
use dmplz_policy::Ruled;
use dmplz_protocol::{Request, RequestId};
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::{Bus, Refused};

/// The publisher that waits for the response to a request.
pub(super) type Waiter = oneshot::Sender<Confirmation>;

/// The number of requests in flight above which expired ones are removed.
const MANY: usize = 1024;

/// The response to a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confirmation {
    /// The request that ended.
    pub correlation_id: RequestId,
    /// How the request ended.
    pub settled: Settled,
    /// The same, as plain data.
    pub resolution: Resolution,
}

/// How a request ended. An allow in it holds the person or the rule that gave it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Settled {
    /// A person answered, or nobody did.
    Answered(Outcome),
    /// A rule decided, so nobody was asked.
    Ruled(Ruled),
}

/// Why there is no response. No variant allows anything.
#[derive(Debug, thiserror::Error)]
pub enum RequestError {
    /// It could not be published.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// The owner of requests could not put the request before anybody.
    #[error("nobody could be asked: {0}")]
    NotAsked(String),
    /// No response came in time.
    #[error("no response came within {} ms", .0.as_millis())]
    TimedOut(Duration),
}

/// The requests in flight, by id.
#[derive(Default)]
pub(super) struct InFlight {
    requests: HashMap<RequestId, Flight>,
    prune_at: usize,
}

struct Flight {
    waiter: Option<Waiter>,
    /// The moment after which nobody can wait for it any more.
    until: Instant,
    /// Dropping this ends `lands`: the request is no longer in flight.
    _landed: oneshot::Sender<()>,
    lands: Option<oneshot::Receiver<()>>,
}

/// Removes a request from flight when its publisher stops waiting.
struct Awaited<'a>(&'a Bus, RequestId);

impl Confirmation {
    /// Returns whether the request was allowed.
    pub fn confirmed(&self) -> bool {
        match &self.settled {
            Settled::Answered(outcome) => matches!(outcome.decision(false), Decision::Allow { .. }),
            Settled::Ruled(ruled) => matches!(ruled, Ruled::Allowed(_)),
        }
    }
}

impl Bus {
    /// Publishes a request and waits for its response. `at_ms` is the present time in Unix milliseconds.
    ///
    /// After a time-out, or if this future is dropped, nobody receives the response, and the owner of requests
    /// withdraws it.
    pub async fn request(&self, request: Request, timeout: Duration, at_ms: u64) -> Result<Confirmation, RequestError> {
        request.check().map_err(Refused::from)?;
        let (waiter, response) = oneshot::channel();
        let id = request.id;
        self.judge(request, at_ms, Some(waiter))?;
        let _awaited = Awaited(self, id);
        let timed_out = |_| RequestError::TimedOut(timeout);
        let response = tokio::time::timeout(timeout, response).await.map_err(timed_out)?;
        let confirmation = response.map_err(|_| Refused::NotAwaited(id))?;
        match confirmation.settled {
            Settled::Answered(Outcome::Expired(ExpiredCause::Failed(why))) => {
                Err(RequestError::NotAsked(why.to_string()))
            }
            _ => Ok(confirmation),
        }
    }
}

impl Bus {
    /// Waits until the request is no longer in flight. Only the first caller waits, which is the subscriber that puts
    /// the request before a person; any later call returns at once.
    pub(crate) async fn landed(&self, id: RequestId) {
        let lands = self.shared.in_flight.lock().requests.get_mut(&id).and_then(|flight| flight.lands.take());
        if let Some(lands) = lands {
            let _ = lands.await;
        }
    }
}

impl InFlight {
    /// Puts a request in flight. An error if a request with its id is in flight already.
    pub(super) fn begin(&mut self, request: &Request, waiter: Option<Waiter>) -> Result<(), Refused> {
        let now = Instant::now();
        if self.requests.len() >= self.prune_at.max(MANY) {
            self.requests.retain(|_, flight| flight.is_awaited(now));
            self.prune_at = self.requests.len() * 2;
        }
        if self.requests.get(&request.id).is_some_and(|flight| flight.is_awaited(now)) {
            return Err(Refused::IdTaken(request.id));
        }
        let life = Duration::from_millis(request.expires_ms.saturating_sub(request.created_ms));
        let until = now.checked_add(life).unwrap_or(now);
        let (landed, lands) = oneshot::channel();
        self.requests.insert(request.id, Flight { waiter, until, _landed: landed, lands: Some(lands) });
        Ok(())
    }

    /// Delivers the response. Returns false if the request is not in flight, or its publisher is gone.
    pub(super) fn end(&mut self, confirmation: Confirmation) -> bool {
        let Some(flight) = self.requests.remove(&confirmation.correlation_id) else { return false };
        flight.waiter.is_none_or(|waiter| waiter.send(confirmation).is_ok())
    }

    /// Removes a request from flight.
    pub(super) fn forget(&mut self, id: RequestId) {
        self.requests.remove(&id);
    }
}

impl Flight {
    fn is_awaited(&self, now: Instant) -> bool {
        self.waiter.as_ref().map_or(self.until > now, |waiter| !waiter.is_closed())
    }
}

impl Drop for Awaited<'_> {
    fn drop(&mut self) {
        self.0.shared.in_flight.lock().forget(self.1);
    }
}
