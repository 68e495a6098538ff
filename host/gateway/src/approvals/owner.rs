//! The owner's state, and the one place in which a request changes.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, MutexGuard, Once};

use dmplz_protocol::{Event, Message, Request, RequestId, Standing};
use tokio::sync::{Notify, Semaphore, oneshot};
use tokio::time::Instant;

use super::entry::{Entry, Life};
use super::{Approvals, Rules, Tally};
use crate::bus::Bus;
use crate::clock::Clock;
use crate::disk::DiskError;
use crate::disk::ledger::{Ledger, Record};
use crate::mutex::Mutex;

/// The most changes that can be in progress at once.
pub(super) const MOST_TURNS: u32 = 1 << 20;

pub(super) struct Shared {
    pub(super) ledger: Arc<dyn Ledger>,
    pub(super) bus: Bus,
    pub(super) rules: Rules,
    pub(super) now_ms: Clock,
    /// Wakes the expiry task when a request's time comes sooner than the one it waits for.
    pub(super) sooner: Arc<Notify>,
    pub(super) started: Once,
    /// One permit for each change in progress; [`Approvals::close`] takes all of them for good.
    pub(super) turns: Arc<Semaphore>,
    state: Mutex<State>,
}

#[derive(Default)]
pub(super) struct State {
    /// Boxed: the table has room for twice as many as there are.
    pub(super) requests: HashMap<RequestId, Box<Entry>>,
    /// The number of requests that have not ended.
    pub(super) unfinished: usize,
    /// The approximate size of all requests, in bytes.
    pub(super) weight: usize,
    /// The moments at which requests are checked next. Each request is in it at most once.
    pub(super) wakes: BTreeSet<(Instant, RequestId)>,
    pub(super) surfaces: BTreeMap<String, usize>,
    /// When the last poll of each messenger began of which all events have been passed on.
    pub(super) looks: HashMap<String, Instant>,
    /// The number of surfaces that show every request at once.
    pub(super) showing: usize,
    pub(super) last_event: u64,
    pub(super) tally: Tally,
}

/// Keeps a surface registered until it is dropped.
pub struct Attached {
    approvals: Approvals,
    surface: String,
    shows: bool,
}

/// A request's new state in memory.
pub(super) struct Change {
    pub(super) life: Life,
    /// The masked request, for one that ends.
    pub(super) request: Option<Arc<Request>>,
    /// The next moment at which the request is checked, if that is not when it is due.
    pub(super) wake: Option<Instant>,
}

/// The tasks that wait for a change of a request. They are told after the lock is released.
#[derive(Default)]
pub(super) struct Waiters {
    askers: Vec<(oneshot::Sender<Box<Standing>>, Box<Standing>)>,
    turns: Vec<oneshot::Sender<()>>,
}

impl Shared {
    pub(super) fn new(ledger: Arc<dyn Ledger>, bus: Bus, rules: Rules, now_ms: Clock) -> Self {
        let turns = Arc::new(Semaphore::new(MOST_TURNS as usize));
        let (sooner, started, state) = (Arc::default(), Once::new(), Mutex::default());
        Self { ledger, bus, rules, now_ms, sooner, started, turns, state }
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.sooner.notify_one();
    }
}

impl Attached {
    pub(super) fn new(approvals: Approvals, surface: &str, shows: bool) -> Self {
        {
            let mut state = approvals.state();
            *state.surfaces.entry(surface.to_owned()).or_default() += 1;
            if shows {
                state.showing += 1;
                state.requests.values_mut().for_each(|entry| entry.was_shown = true);
            }
        }
        Self { approvals, surface: surface.to_owned(), shows }
    }
}

impl Drop for Attached {
    fn drop(&mut self) {
        let mut state = self.approvals.state();
        state.showing -= usize::from(self.shows);
        if let Some(count) = state.surfaces.get_mut(&self.surface) {
            *count -= 1;
            if *count == 0 {
                state.surfaces.remove(&self.surface);
            }
        }
    }
}

impl Approvals {
    /// Locks the state. The lock is never held across an await, nor while anyone is told.
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock()
    }

    /// Puts a request into its new state, and lets the next waiting caller change it.
    pub(super) fn change(&self, id: RequestId, mut change: Change) -> Waiters {
        let mut state = self.state();
        let Some(entry) = state.requests.get_mut(&id) else { return Waiters::default() };
        let ends = !entry.has_ended() && matches!(change.life, Life::Ended(_));
        if let (Life::Ended(before), Life::Ended(ended)) = (&entry.life, &mut change.life) {
            ended.taken = before.taken.or(ended.taken);
        }
        entry.life = change.life;
        entry.is_new = false;
        entry.request = change.request.unwrap_or_else(|| Arc::clone(&entry.request));
        entry.busy = false;
        let askers = match ends {
            true => {
                std::mem::take(&mut entry.askers).into_iter().map(|asker| (asker, Box::new(entry.exact()))).collect()
            }
            false => Vec::new(),
        };
        let turns = std::mem::take(&mut entry.turns);
        let wake = change.wake.or(entry.due());
        state.unfinished -= usize::from(ends);
        let sooner = state.wake(id, wake);
        drop(state);
        if sooner {
            self.shared.sooner.notify_one();
        }
        Waiters { askers, turns }
    }

    /// Leaves a request as it is, and lets the next waiting caller change it.
    pub(super) fn give_back(&self, id: RequestId) {
        let life = self.state().requests.get(&id).map(|entry| entry.life.clone());
        if let Some(life) = life {
            self.change(id, Change { life, request: None, wake: None }).tell();
        }
    }

    /// Publishes a message to the subscribers.
    pub(super) fn publish(&self, event_id: Option<u64>, at_ms: u64, message: Message) {
        self.state().tally.count(event_id, &message);
        let refused = self.shared.bus.publish(Event { event_id, at_ms, message });
        debug_assert!(refused.is_ok(), "{refused:?}");
    }

    /// Stores a record and then, in the order of the audit trail, calls `kept` and publishes the message it returns.
    /// This continues even if the caller goes away. Returns the number of the event; `None` if the record contradicts
    /// the disk.
    pub(super) async fn keep(
        &self,
        record: Record,
        at_ms: u64,
        kept: impl FnOnce() -> (Option<Message>, Waiters) + Send + 'static,
    ) -> Result<Option<u64>, DiskError> {
        let this = self.clone();
        let kept = tokio::spawn(async move {
            let teller = this.clone();
            let told = Box::new(move |number| {
                let (message, waiters) = kept();
                teller.state().last_event = number;
                if let Some(message) = message {
                    teller.publish(Some(number), at_ms, message);
                }
                waiters.tell();
            });
            this.shared.ledger.write(record, at_ms, told).await
        });
        kept.await.unwrap_or(Err(DiskError::Gone))
    }
}

impl State {
    /// Schedules the next check of a request, or none. Returns whether it is now the earliest of all.
    pub(super) fn wake(&mut self, id: RequestId, wake: Option<Instant>) -> bool {
        let Some(entry) = self.requests.get_mut(&id) else { return false };
        if let Some(before) = std::mem::replace(&mut entry.wake, wake) {
            self.wakes.remove(&(before, id));
        }
        let Some(at) = wake else { return false };
        self.wakes.insert((at, id));
        self.wakes.first() == Some(&(at, id))
    }

    /// Adds a request that has not ended.
    pub(super) fn insert(&mut self, mut entry: Entry) {
        entry.was_shown |= self.showing > 0;
        self.unfinished += 1;
        self.weight += entry.weight;
        self.requests.insert(entry.request.id, Box::new(entry));
    }

    /// Removes a request from memory.
    pub(super) fn forget(&mut self, id: RequestId) -> Option<Box<Entry>> {
        self.wake(id, None);
        let entry = self.requests.remove(&id)?;
        self.weight -= entry.weight;
        self.unfinished -= usize::from(!entry.has_ended());
        Some(entry)
    }
}

impl Waiters {
    pub(super) fn turns(turns: Vec<oneshot::Sender<()>>) -> Self {
        Self { turns, ..Self::default() }
    }

    /// Notifies the waiting tasks. Sending to a task that has stopped waiting has no effect.
    pub(super) fn tell(self) {
        for (asker, standing) in self.askers {
            let _ = asker.send(standing);
        }
        for turn in self.turns {
            let _ = turn.send(());
        }
    }
}
