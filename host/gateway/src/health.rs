//! The gateway's health, for supervisors, monitoring, and people whose requests would not be seen.
//!
//! | question | answered from |
//! |---|---|
//! | is it alive ([`Health::is_alive`]) | the runtime that runs this, and both threads of the store |
//! | can it take requests ([`Health::readiness`]) | the store, the surfaces, the messengers, the Unix socket |
//! | what are its metrics ([`Health::metrics`]) | the same, and counters that begin with the process |
//! | which messengers are unreachable ([`Health::messengers`]) | the reports of the messengers' desks |
//!
//! A messenger that cannot be used for a minute ([`outage::PATIENCE`]) is an alert: it is published once
//! (`messenger.unreachable`), and once more when the messenger is back (`messenger.reachable`).

mod exposition;
mod metrics;
mod outage;
mod process;
mod readiness;
mod store;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use dmplz_core::visible::visible_line;
use dmplz_protocol::Message;
use dmplz_protocol::health::MessengerStatus;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until, timeout};

use crate::approvals::Approvals;
use crate::disk::Disk;
use crate::mutex::Mutex;

pub(crate) use exposition::MEDIA_TYPE;
pub use metrics::Polled;

use metrics::Polls;
use outage::{Outage, Reach};
use store::Probe;

/// The most characters of the reason why a messenger cannot be used.
const WHY: usize = 300;

/// A handle to the gateway's health. Cheap to clone.
#[derive(Clone)]
pub struct Health {
    shared: Arc<Shared>,
}

struct Shared {
    approvals: Approvals,
    disk: Option<Disk>,
    messengers: Mutex<BTreeMap<String, Messenger>>,
    /// Wakes the task that waits for the next alert.
    changed: Notify,
    /// Why hooks cannot connect; `None` if they can.
    socket: Mutex<Option<String>>,
    connections: Mutex<BTreeMap<String, usize>>,
    probe: Probe,
}

#[derive(Default)]
struct Messenger {
    reach: Reach,
    polls: Polls,
    waiting: Arc<AtomicUsize>,
}

/// Counts a connection until it is dropped.
pub(crate) struct Connected {
    health: Health,
    surface: String,
}

/// The number of requests that wait until a messenger has room for their cards. Dropping it sets the number to 0.
#[derive(Debug)]
pub struct Waiting(Arc<AtomicUsize>);

impl Health {
    /// Creates the health of a gateway. `disk` is `None` if the gateway stores nothing.
    pub fn new(approvals: Approvals, disk: Option<Disk>) -> Self {
        let shared = Shared {
            approvals,
            disk,
            messengers: Mutex::default(),
            changed: Notify::new(),
            socket: Mutex::default(),
            connections: Mutex::default(),
            probe: Probe::default(),
        };
        Self { shared: Arc::new(shared) }
    }

    /// Notes that a messenger is configured and starting.
    pub fn expect(&self, messenger: &str) {
        self.down(messenger, None);
    }

    /// Notes that a messenger can be used.
    pub fn reachable(&self, messenger: &str) {
        let over = self.shared.messengers.lock().entry(messenger.to_owned()).or_default().reach.up();
        if over.is_some_and(|outage| outage.is_told) {
            self.shared.approvals.tell(Message::MessengerReachable { messenger: messenger.to_owned() });
        }
        self.shared.changed.notify_one();
    }

    /// Notes that a messenger cannot be used, with the reason in English.
    pub fn unreachable(&self, messenger: &str, why: &str) {
        self.down(messenger, Some(visible_line(why).chars().take(WHY).collect()));
    }

    /// Counts one poll of a messenger for events.
    pub fn polled(&self, messenger: &str, how: Polled) {
        self.shared.messengers.lock().entry(messenger.to_owned()).or_default().polls.count(how, Instant::now());
    }

    /// Returns the counter of requests that wait for room on a messenger.
    pub fn waiting(&self, messenger: &str) -> Waiting {
        Waiting(Arc::clone(&self.shared.messengers.lock().entry(messenger.to_owned()).or_default().waiting))
    }

    /// Notes why hooks cannot connect to the Unix socket; `None` if they can.
    pub(crate) fn socket(&self, trouble: Option<String>) {
        *self.shared.socket.lock() = trouble;
    }

    /// Returns why hooks cannot connect to the Unix socket; `None` if they can.
    pub(crate) fn socket_trouble(&self) -> Option<String> {
        self.shared.socket.lock().clone()
    }

    /// Counts an open connection of a surface.
    pub(crate) fn connected(&self, surface: &str) -> Connected {
        *self.shared.connections.lock().entry(surface.to_owned()).or_default() += 1;
        Connected { health: self.clone(), surface: surface.to_owned() }
    }

    /// Returns the status of every configured messenger.
    pub fn messengers(&self) -> Vec<MessengerStatus> {
        let messengers = self.shared.messengers.lock();
        let status = |(name, messenger): (&String, &Messenger)| {
            let outage = messenger.reach.outage();
            MessengerStatus {
                name: name.clone(),
                reachable: outage.is_none(),
                since_ms: outage.map(|outage| outage.since_ms),
                why: outage.and_then(|outage| outage.why.clone()),
                alert: outage.is_some_and(|outage| outage.is_told),
            }
        };
        messengers.iter().map(status).collect()
    }

    /// Returns whether this runtime and the store's threads respond within `within`. A store that responds with errors
    /// is alive.
    pub async fn is_alive(&self, within: Duration) -> bool {
        match &self.shared.disk {
            Some(disk) => timeout(within, disk.answers()).await == Ok(true),
            None => true,
        }
    }

    /// Publishes alerts when they are due. Never returns.
    pub async fn watch(self) {
        loop {
            let due = self.shared.messengers.lock().values().filter_map(|messenger| messenger.reach.due()).min();
            tokio::select! {
                () = sleep_until(due.unwrap_or_else(Instant::now)), if due.is_some() => self.tell_outages(),
                () = self.shared.changed.notified() => {}
            }
        }
    }

    fn tell_outages(&self) {
        let now = Instant::now();
        let told: Vec<(String, Outage)> = self
            .shared
            .messengers
            .lock()
            .iter_mut()
            .filter_map(|(name, messenger)| Some((name.clone(), messenger.reach.tell(now)?)))
            .collect();
        for (messenger, Outage { since_ms, why, .. }) in told {
            self.shared.approvals.tell(Message::MessengerUnreachable { messenger, since_ms, why });
        }
    }

    fn down(&self, messenger: &str, why: Option<String>) {
        let now_ms = self.shared.approvals.now_ms();
        self.shared.messengers.lock().entry(messenger.to_owned()).or_default().reach.down(why, Instant::now(), now_ms);
        self.shared.changed.notify_one();
    }
}

impl Drop for Connected {
    fn drop(&mut self) {
        if let Some(count) = self.health.shared.connections.lock().get_mut(&self.surface) {
            *count -= 1;
        }
    }
}

impl Waiting {
    /// Sets the number of waiting requests.
    pub fn set(&self, count: usize) {
        self.0.store(count, Ordering::Relaxed);
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.set(0);
    }
}

#[cfg(test)]
mod tests;
