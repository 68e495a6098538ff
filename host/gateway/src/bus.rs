//! The message bus: publishers and subscribers know only the bus, not each other.
//!
//! | published | becomes |
//! |---|---|
//! | a malformed message | an error for the publisher, and nothing else |
//! | `confirmation.request` that a rule allows | `confirmation.response`, confirmed: nobody is asked |
//! | `confirmation.request` that a rule denies | `policy.rejection`, and `confirmation.response`, not confirmed |
//! | any other `confirmation.request` | sent to subscribers; an error for the publisher if there are none |
//! | `confirmation.response` | sent to subscribers if its request is in flight: the first one counts, any other is an error |
//! | any other message | sent to subscribers |
//!
//! Without a judge a person decides every request.
//!
//! A subscriber that falls too far behind is dropped. Nobody waits for it, and its backlog is bounded.

use std::sync::{Arc, OnceLock};

use dmplz_core::text::Lang;
use dmplz_protocol::{Event, Kind, Malformed, Message, Request, RequestId};

mod confirm;
mod subscriber;
mod verdict;

pub use confirm::{Confirmation, RequestError, Settled};
pub use subscriber::{Published, Subscription};
pub use verdict::Verdict;

use confirm::InFlight;
use subscriber::Subscriber;
use verdict::{Judge, Keeper};

use crate::mutex::Mutex;

/// Carries messages to the subscribers of their type. Cheap to clone.
#[derive(Clone, Default)]
pub struct Bus {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    judge: Option<(Judge, Lang)>,
    keeper: OnceLock<Keeper>,
    subscribers: Mutex<Vec<Subscriber>>,
    in_flight: Mutex<InFlight>,
}

/// Why a message was not published. No subscriber received it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The message is malformed.
    #[error(transparent)]
    Malformed(#[from] Malformed),
    /// A request with this id is in flight.
    #[error("the id {0} is taken: a request in flight has it")]
    IdTaken(RequestId),
    /// No subscriber is there to put the request before a person.
    #[error("nobody listens for requests")]
    NobodyListens,
    /// No request with this id is in flight: it has had its response, or its time is over.
    #[error("request {0} cannot be answered: nobody waits for it")]
    NotAwaited(RequestId),
}

impl Bus {
    /// Creates a bus on which a policy judges every request first. Any doubt must be [`Verdict::Ask`], whose remarks are
    /// shown in `lang`.
    pub fn judged(judge: impl Fn(&Request) -> Verdict + Send + Sync + 'static, lang: Lang) -> Self {
        Self { shared: Arc::new(Shared { judge: Some((Box::new(judge), lang)), ..Shared::default() }) }
    }

    /// Subscribes to some types of messages from now on.
    pub fn subscribe(&self, kinds: &[Kind]) -> Subscription {
        let (subscriber, subscription) = subscriber::pair(kinds);
        self.shared.subscribers.lock().push(subscriber);
        subscription
    }

    /// Publishes a message: see the table above.
    pub fn publish(&self, event: Event) -> Result<(), Refused> {
        event.check()?;
        match event.message {
            Message::ConfirmationRequest { request, .. } => self.judge(*request, event.at_ms, None),
            Message::ConfirmationResponse { correlation_id, ref resolution, .. } => {
                let settled = Settled::Answered(resolution.outcome().map_err(Malformed::from)?);
                let confirmation = Confirmation { correlation_id, settled, resolution: resolution.clone() };
                if !self.shared.in_flight.lock().end(confirmation) {
                    return Err(Refused::NotAwaited(correlation_id));
                }
                self.tell(event);
                Ok(())
            }
            _ => {
                self.tell(event);
                Ok(())
            }
        }
    }

    /// Sends an event to every subscriber of its type and returns how many there were. Drops subscribers that are gone
    /// or too far behind.
    fn tell(&self, event: Event) -> usize {
        let (event, mut told) = (Arc::new(Published::from(event)), 0);
        self.shared.subscribers.lock().retain(|subscriber| {
            let stays = subscriber.offer(&event);
            told += usize::from(stays == Some(true));
            stays.is_some()
        });
        told
    }
}

#[cfg(test)]
mod tests;
