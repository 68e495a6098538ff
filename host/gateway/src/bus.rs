//! The message bus: publishers and subscribers know only the bus, not each other.
//!
//! | published | becomes |
//! |---|---|
//! | a malformed message | an error for the publisher, and nothing else |
//! | by [`Bus::request`], a request that a rule allows | `confirmation.response`, confirmed: nobody is asked |
//! | by it, a request that a rule denies | `policy.rejection`, and `confirmation.response`, not confirmed |
//! | by it, any other request | `confirmation.request`, sent to subscribers; an error for the publisher if there are none |
//! | `confirmation.request` by [`Bus::publish`] | an error: people would be asked, and nobody would wait for their answer |
//! | `confirmation.response` | sent to subscribers if its request is in flight: the first one counts, any other is an error |
//! | any other message | sent to subscribers |
//!
//! Without a judge a person decides every request.
//!
//! A subscriber that falls too far behind is dropped. Nobody waits for it, and its backlog is bounded.

use std::sync::{Arc, OnceLock};

use dmplz_core::text::Lang;
use dmplz_protocol::{Event, Kind, Malformed, Message, Request};

mod confirm;
mod error;
mod subscriber;
mod verdict;

pub(crate) use confirm::Owned;
pub use confirm::{Awaited, Requested};
pub use error::{AskError, Refused};
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
            Message::ConfirmationRequest { correlation_id, .. } => Err(Refused::Unawaited(correlation_id)),
            Message::ConfirmationResponse { correlation_id, ref resolution, .. } => {
                let outcome = resolution.outcome().map_err(Malformed::from)?;
                if !self.shared.in_flight.lock().end(correlation_id, outcome) {
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
