//! The message bus: publishers and subscribers know only the bus, not each other.
//!
//! | published | becomes |
//! |---|---|
//! | a malformed message | an error for the publisher, and nothing else |
//! | any other message | sent to the subscribers of its type |
//!
//! What a rule decides about a request is published as a `confirmation.response`, after a `policy.rejection` where the
//! rule denies. Without a judge a person decides every request.
//!
//! A subscriber that falls too far behind is dropped. Nobody waits for it, and its backlog is bounded.

use std::sync::{Arc, OnceLock};

use dmplz_core::text::Lang;
use dmplz_protocol::{Event, Kind, Malformed, Request};

mod subscriber;
mod verdict;

pub use subscriber::{Published, Subscription};
pub use verdict::Verdict;

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
    pub fn publish(&self, event: Event) -> Result<(), Malformed> {
        event.check()?;
        self.tell(event);
        Ok(())
    }

    /// Sends an event to every subscriber of its type. Drops subscribers that are gone or too far behind.
    fn tell(&self, event: Event) {
        let event = Arc::new(Published::from(event));
        self.shared.subscribers.lock().retain(|subscriber| subscriber.offer(&event));
    }
}

#[cfg(test)]
mod tests;
