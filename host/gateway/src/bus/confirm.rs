//! Requests in flight, and the publishers that wait for their responses.
//!
//! ```text
//! request ─▶ rules ─ one decides ─▶ Requested::Ruled
//!              └─ none ─▶ subscribers; one of them is the owner of requests, who puts it before people
//!                           ├─ nobody can be asked ─▶ AskError
//!                           └─ Requested::Asked ─ confirmation.response ─▶ Outcome
//! ```

use std::collections::HashMap;
use std::fmt;
use std::time::Duration;

use dmplz_core::request::Outcome;
use dmplz_policy::Ruled;
use dmplz_protocol::{Request, RequestId};
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::{AskError, Bus};

/// The number of requests in flight above which expired ones are removed.
const MANY: usize = 1024;

/// What became of a request when it was published.
#[derive(Debug)]
pub enum Requested {
    /// A rule decided it, so nobody is asked.
    Ruled(Ruled),
    /// It is before people.
    Asked(Awaited),
}

/// The publisher's part in a request that is before people. When it is dropped, the request is withdrawn.
pub struct Awaited {
    bus: Bus,
    id: RequestId,
    response: oneshot::Receiver<Outcome>,
}

/// The part that the owner of requests has in one that is in flight.
pub(crate) struct Owned {
    put: Option<oneshot::Sender<Result<(), AskError>>>,
    lands: oneshot::Receiver<()>,
}

/// The requests in flight, by id.
#[derive(Default)]
pub(super) struct InFlight {
    requests: HashMap<RequestId, Flight>,
    prune_at: usize,
}

/// One request in flight.
pub(super) struct Flight {
    /// Gets the response.
    waiter: oneshot::Sender<Outcome>,
    /// Ends the owner's [`Owned::landed`].
    landed: oneshot::Sender<()>,
    /// The owner's part, until the owner takes it.
    owned: Option<Owned>,
}

impl Bus {
    /// Publishes a request. Returns once a rule has decided it or it is before people, which is within the time that it
    /// stays open. `at_ms` is the present time in Unix milliseconds.
    pub async fn request(&self, request: Request, at_ms: u64) -> Result<Requested, AskError> {
        request.check()?;
        let (id, life) = (request.id, life(&request));
        let (put, is_put) = oneshot::channel();
        let (mut flight, owned, response) = Flight::awaited();
        flight.owned = Some(Owned { put: Some(put), ..owned });
        if let Some(ruled) = self.judge(request, at_ms, flight)? {
            return Ok(Requested::Ruled(ruled));
        }
        let awaited = Awaited { bus: self.clone(), id, response };
        match timeout(life, is_put).await {
            Ok(Ok(Err(error))) => Err(error),
            // The response was published before anybody said that people are asked.
            Ok(Ok(Ok(())) | Err(_)) => Ok(Requested::Asked(awaited)),
            Err(_) => Err(AskError::NobodyListens),
        }
    }

    /// Waits again for the response to a request that was put before people earlier, by a gateway that has ended.
    pub(crate) fn resume(&self, id: RequestId) -> Result<(Awaited, Owned), AskError> {
        let (flight, owned, response) = Flight::awaited();
        self.shared.in_flight.lock().begin(id, flight)?;
        Ok((Awaited { bus: self.clone(), id, response }, owned))
    }

    /// Returns the owner's part in a request in flight, to the first caller. `None` also if its publisher is gone.
    pub(crate) fn own(&self, id: RequestId) -> Option<Owned> {
        self.shared.in_flight.lock().requests.get_mut(&id)?.owned.take()
    }

    /// Removes a request from flight. Its publisher learns that no response comes.
    pub(crate) fn forget(&self, id: RequestId) {
        self.shared.in_flight.lock().requests.remove(&id);
    }
}

impl Awaited {
    /// Waits for the response. `None` if there will be none, which allows nothing.
    pub async fn outcome(&mut self) -> Option<Outcome> {
        (&mut self.response).await.ok()
    }

    /// Stops waiting. The request stays before people, for a later [`Bus::resume`].
    pub(crate) fn leave(self) {
        if let Some(flight) = self.bus.shared.in_flight.lock().requests.remove(&self.id) {
            // Fails if no owner has taken it, so that nobody was asked.
            let _ = flight.landed.send(());
        }
    }
}

impl fmt::Debug for Awaited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Awaited").field(&self.id).finish()
    }
}

impl Drop for Awaited {
    fn drop(&mut self) {
        self.bus.forget(self.id);
    }
}

impl Owned {
    /// Tells the publisher that people are asked, or why not.
    pub(crate) fn tell(&mut self, put: Result<(), AskError>) {
        if let Some(publisher) = self.put.take() {
            // Fails if the publisher is gone, which `landed` then says.
            let _ = publisher.send(put);
        }
    }

    /// Waits until the request is no longer in flight. Returns whether its publisher gave it up.
    pub(crate) async fn landed(self) -> bool {
        self.lands.await.is_err()
    }
}

impl InFlight {
    /// Puts a request in flight. An error if a request with its id is in flight already.
    pub(super) fn begin(&mut self, id: RequestId, flight: Flight) -> Result<(), AskError> {
        if self.requests.len() >= self.prune_at.max(MANY) {
            self.requests.retain(|_, flight| flight.is_awaited());
            self.prune_at = self.requests.len() * 2;
        }
        if self.requests.get(&id).is_some_and(Flight::is_awaited) {
            return Err(AskError::IdTaken(id));
        }
        self.requests.insert(id, flight);
        Ok(())
    }

    /// Delivers the response. Returns false if the request is not in flight, or its publisher is gone.
    pub(super) fn end(&mut self, id: RequestId, outcome: Outcome) -> bool {
        let Some(flight) = self.requests.remove(&id) else { return false };
        flight.waiter.send(outcome).is_ok()
    }
}

impl Flight {
    /// Creates the flight of a request, the owner's part in it, and what its publisher waits for.
    fn awaited() -> (Self, Owned, oneshot::Receiver<Outcome>) {
        let (waiter, response) = oneshot::channel();
        let (landed, lands) = oneshot::channel();
        (Self { waiter, landed, owned: None }, Owned { put: None, lands }, response)
    }

    fn is_awaited(&self) -> bool {
        !self.waiter.is_closed()
    }
}

/// Returns how long a request may stay open.
fn life(request: &Request) -> Duration {
    Duration::from_millis(request.expires_ms.saturating_sub(request.created_ms))
}
