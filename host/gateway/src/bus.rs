//! Who publishes and who listens know only the bus.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::mpsc;

use crate::message::{Event, Kind};

/// What one subscriber may fall behind before it is let go: it subscribes again and catches up by event id.
const BACKLOG: usize = 1024;

/// Carries messages to whoever subscribed to their type. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Bus {
    subscribers: Arc<Mutex<Vec<Subscriber>>>,
}

#[derive(Debug)]
struct Subscriber {
    kinds: Vec<Kind>,
    events: mpsc::Sender<Arc<Event>>,
}

/// Receives what was subscribed to. Dropping it ends the subscription.
#[derive(Debug)]
pub struct Subscription {
    events: mpsc::Receiver<Arc<Event>>,
}

impl Bus {
    /// Listens for some types of messages from now on.
    pub fn subscribe(&self, kinds: &[Kind]) -> Subscription {
        let (sender, events) = mpsc::channel(BACKLOG);
        let subscriber = Subscriber { kinds: kinds.to_vec(), events: sender };
        self.subscribers.lock().unwrap_or_else(PoisonError::into_inner).push(subscriber);
        Subscription { events }
    }

    /// Tells everyone who listens for this type. Who is full or gone is let go; nobody is waited for.
    pub fn publish(&self, event: Event) {
        let event = Arc::new(event);
        let mut subscribers = self.subscribers.lock().unwrap_or_else(PoisonError::into_inner);
        let kind = event.message.kind();
        subscribers.retain(|subscriber| match subscriber.kinds.contains(&kind) {
            true => subscriber.events.try_send(Arc::clone(&event)).is_ok(),
            false => !subscriber.events.is_closed(),
        });
    }
}

impl Subscription {
    /// The next event; none once this subscriber fell too far behind, or the bus is gone.
    pub async fn next(&mut self) -> Option<Arc<Event>> {
        self.events.recv().await
    }
}
