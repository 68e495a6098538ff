//! One subscriber, and how far it may fall behind.

use std::ops::Deref;
use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use dmplz_protocol::{Event, Kind, Message};
use tokio::sync::mpsc;

/// The most events a subscriber may fall behind before it is dropped. It then subscribes again and catches up by event
/// id.
const BACKLOG: usize = 1024;

/// The most bytes of text that these events may hold together. A larger event passes if nothing else waits.
const BACKLOG_BYTES: usize = 16 << 20;

/// Receives the events of a subscription. Dropping it ends the subscription.
#[derive(Debug)]
pub struct Subscription {
    events: mpsc::Receiver<Arc<Published>>,
    behind: Arc<AtomicUsize>,
}

/// An event as subscribers get it. Its serialised text is made once for all of them.
#[derive(Debug)]
pub struct Published {
    event: Event,
    /// The approximate size of the event's message in bytes.
    bytes: usize,
    text: OnceLock<Option<Arc<str>>>,
}

impl Published {
    /// Returns the text that `write` makes of the event. Every subscriber uses the same text, so it is made once.
    pub(crate) fn text(&self, write: impl FnOnce(&Event) -> Option<String>) -> Option<Arc<str>> {
        self.text.get_or_init(|| write(&self.event).map(Arc::from)).clone()
    }
}

impl From<Event> for Published {
    fn from(event: Event) -> Self {
        Self { bytes: weight(&event.message), event, text: OnceLock::new() }
    }
}

impl Deref for Published {
    type Target = Event;

    fn deref(&self) -> &Event {
        &self.event
    }
}

#[derive(Debug)]
pub(super) struct Subscriber {
    kinds: Vec<Kind>,
    events: mpsc::Sender<Arc<Published>>,
    behind: Arc<AtomicUsize>,
}

pub(super) fn pair(kinds: &[Kind]) -> (Subscriber, Subscription) {
    let (sender, events) = mpsc::channel(BACKLOG);
    let behind = Arc::<AtomicUsize>::default();
    let subscriber = Subscriber { kinds: kinds.to_vec(), events: sender, behind: Arc::clone(&behind) };
    (subscriber, Subscription { events, behind })
}

impl Subscriber {
    /// Hands the event over. Returns whether the subscriber wants its type, or `None` if the subscriber must be
    /// dropped.
    pub(super) fn offer(&self, event: &Arc<Published>) -> Option<bool> {
        if !self.kinds.contains(&event.message.kind()) {
            return (!self.events.is_closed()).then_some(false);
        }
        let behind = self.behind.fetch_add(event.bytes, Ordering::Relaxed);
        if behind > 0 && behind.saturating_add(event.bytes) > BACKLOG_BYTES {
            return None;
        }
        self.events.try_send(Arc::clone(event)).ok().map(|()| true)
    }
}

impl Subscription {
    /// Returns the next event. `None` once this subscriber fell too far behind, or the bus is gone.
    pub async fn next(&mut self) -> Option<Arc<Published>> {
        let event = self.events.recv().await?;
        self.behind.fetch_sub(event.bytes, Ordering::Relaxed);
        Some(event)
    }

    /// Returns the next event, if it is there already.
    #[cfg(test)]
    pub(crate) fn take(&mut self) -> Option<Arc<Published>> {
        self.events.try_recv().ok()
    }
}

/// Returns the approximate number of bytes of text in a message.
fn weight(message: &Message) -> usize {
    const REST: usize = 512;
    let request = match message {
        Message::ConfirmationRequest { request, .. } => Some(&**request),
        Message::ApprovalRequested { approval }
        | Message::ApprovalDenied { approval }
        | Message::ApprovalResolved { approval } => Some(&approval.request),
        _ => None,
    };
    let text = match message {
        Message::ToolOutput { text, .. } => text.len(),
        Message::SessionEvent { happened, .. } => happened.event.weight(),
        Message::SessionPartial { text, .. } => text.len(),
        Message::SessionChanged { session } => session.weight(),
        _ => 0,
    };
    REST + text + request.map_or(0, dmplz_protocol::Request::weight)
}
