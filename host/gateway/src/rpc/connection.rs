//! The state that the calls of one session share: the peer, and the way back to it.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use dmplz_protocol::framing::Call;
use dmplz_protocol::method::Notification;
use dmplz_protocol::{RequestId, RpcError};
use tokio::sync::{Notify, mpsc, watch};
use tokio::task::JoinSet;

use super::envelope;
use super::{Peer, Services};
use crate::approvals::DenialNotice;
use crate::health::Connected;
use crate::mutex::Mutex;
use crate::presence::Present;

/// The most texts that wait to be sent. Behind it, the bus keeps the events, one copy for all slow subscribers.
const OUTBOX: usize = 16;

/// The number of the next connection.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// The texts to send to the peer.
#[derive(Debug)]
pub struct Outbox {
    texts: mpsc::Receiver<Arc<str>>,
    let_go: Arc<Notify>,
}

/// A subscription. Dropping it ends its task.
struct Feed {
    to_start: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
    task: JoinSet<()>,
}

/// The state that the calls of a session share.
pub(super) struct Connection {
    /// A number that no other connection of this process has.
    pub(super) number: u64,
    pub(super) services: Services,
    pub(super) peer: Peer,
    _counted: Connected,
    texts: mpsc::Sender<Arc<str>>,
    let_go: Arc<Notify>,
    feed: Mutex<Option<Feed>>,
    hung_up: watch::Sender<bool>,
    /// Denials that were sent to the hooks on this connection and are not acknowledged yet.
    pub(super) denials: Mutex<HashMap<RequestId, DenialNotice>>,
    /// The report that this surface is in front of a person.
    pub(super) present: Mutex<Option<Present>>,
}

/// Returns a service. If this gateway does not offer it, there is no such method.
pub(super) fn offered<T>(service: &Option<T>) -> Result<&T, RpcError> {
    service.as_ref().ok_or_else(RpcError::no_method)
}

impl Outbox {
    /// Returns the next text to send. `None` when the connection must be closed.
    pub async fn next(&mut self) -> Option<Arc<str>> {
        tokio::select! {
            biased;
            () = self.let_go.notified() => None,
            text = self.texts.recv() => text,
        }
    }
}

impl Connection {
    /// Opens a connection, and returns it with its outbox.
    pub(super) fn open(services: Services, peer: Peer) -> (Self, Outbox) {
        let (sender, texts) = mpsc::channel(OUTBOX);
        let let_go = Arc::new(Notify::new());
        let connection = Self {
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            _counted: services.health.connected(peer.by.surface()),
            services,
            peer,
            texts: sender,
            let_go: Arc::clone(&let_go),
            feed: Mutex::default(),
            hung_up: watch::Sender::new(false),
            denials: Mutex::default(),
            present: Mutex::default(),
        };
        (connection, Outbox { texts, let_go })
    }

    /// Notes that the peer has closed its sending side.
    pub(super) fn hang_up(&self) {
        self.hung_up.send_replace(true);
    }

    pub(super) async fn send(&self, text: impl Into<Arc<str>>) {
        // Sending fails once the transport is gone, which is fine.
        let _ = self.texts.send(text.into()).await;
    }

    pub(super) async fn notify<N: Notification>(&self, params: &N) {
        self.send(envelope::text(&Call::notify(params))).await;
    }

    /// Closes the connection. The peer connects again and continues after the last event that it received.
    pub(super) fn let_go(&self) {
        self.let_go.notify_one();
    }

    /// Returns whether the peer has closed its sending side.
    pub(super) fn has_hung_up(&self) -> bool {
        *self.hung_up.borrow()
    }

    /// Waits until the peer has closed its sending side.
    pub(super) async fn hung_up(&self) {
        let _ = self.hung_up.subscribe().wait_for(|hung_up| *hung_up).await;
    }

    /// Replaces the subscription by one whose task sends events once it is started.
    pub(super) fn subscribe(&self, telling: impl Future<Output = ()> + Send + 'static) {
        *self.feed.lock() = Some(Feed { to_start: Some(Box::pin(telling)), task: JoinSet::new() });
    }

    /// Ends the subscription: nothing more is sent for it.
    pub(super) fn unsubscribe(&self) {
        *self.feed.lock() = None;
    }

    /// Starts the subscription, so that events follow the reply to the call.
    pub(super) fn start_feed(&self) {
        if let Some(Feed { to_start, task }) = &mut *self.feed.lock()
            && let Some(telling) = to_start.take()
        {
            task.spawn(telling);
        }
    }
}
