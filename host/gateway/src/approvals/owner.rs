//! What the owner holds, and the one place in which a request changes.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};

use dmplz_protocol::{Event, Message, Request, RequestId, Standing};
use tokio::sync::{Notify, Semaphore, oneshot};
use tokio::time::Instant;

use super::entry::{Entry, Life};
use super::ledger::{Ledger, Record};
use super::{Approvals, Clock, Rules, Tally};
use crate::bus::Bus;
use crate::disk::DiskError;

/// Changes of requests that can be on their way to the disk at once.
pub(super) const MOST_TURNS: u32 = 1 << 20;

pub(super) struct Shared {
    pub(super) ledger: Arc<dyn Ledger>,
    pub(super) bus: Bus,
    pub(super) rules: Rules,
    pub(super) now_ms: Clock,
    /// Wakes the task that waits for the next request's time.
    pub(super) sooner: Arc<Notify>,
    pub(super) started: Once,
    /// A permit for each change that is being carried out; none are left once commands are no longer taken.
    pub(super) turns: Arc<Semaphore>,
    state: Mutex<State>,
}

#[derive(Default)]
pub(super) struct State {
    pub(super) requests: HashMap<RequestId, Entry>,
    /// Requests that have not ended.
    pub(super) unfinished: usize,
    /// About how many bytes all requests hold.
    pub(super) weight: usize,
    /// When which request is looked at next. Each is in it at most once.
    pub(super) wakes: BTreeSet<(Instant, RequestId)>,
    pub(super) surfaces: BTreeMap<String, usize>,
    /// How many of the surfaces show every request at once.
    pub(super) showing: usize,
    pub(super) last_event: u64,
    pub(super) tally: Tally,
}

/// A surface is there as long as this is.
#[derive(Debug)]
pub struct Attached {
    approvals: Approvals,
    surface: String,
    shows: bool,
}

/// What becomes of a request in memory.
pub(super) struct Change {
    pub(super) life: Life,
    /// Masked, once it ended.
    pub(super) request: Option<Arc<Request>>,
    /// When it is looked at next, where that is not when it is due.
    pub(super) wake: Option<Instant>,
}

/// Who waits for a change of a request, to be told of it outside the lock.
#[derive(Default)]
pub(super) struct Waiters {
    askers: Vec<(oneshot::Sender<Standing>, Standing)>,
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
    /// The state. Never held while something is awaited, or while anybody is told.
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Where a request stands now. The next one who wants to change it may.
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
            true => std::mem::take(&mut entry.askers).into_iter().map(|asker| (asker, entry.exact())).collect(),
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

    /// A request stays as it is. The next one who wants to change it may.
    pub(super) fn give_back(&self, id: RequestId) {
        let life = self.state().requests.get(&id).map(|entry| entry.life.clone());
        if let Some(life) = life {
            self.change(id, Change { life, request: None, wake: None }).tell();
        }
    }

    /// Tells something to whoever listens.
    pub(super) fn publish(&self, event_id: Option<u64>, at_ms: u64, message: Message) {
        self.state().tally.count(event_id, &message);
        let refused = self.shared.bus.publish(Event { event_id, at_ms, message });
        debug_assert!(refused.is_ok(), "{refused:?}");
    }

    /// Keeps a record and then, in the order of the audit trail, tells what `kept` makes of it. This goes on when whoever
    /// waits for it is gone. The number of its event; none where the disk knows better.
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
    /// Looks at a request then, and at no other time. Whether that is sooner than any other.
    pub(super) fn wake(&mut self, id: RequestId, wake: Option<Instant>) -> bool {
        let Some(entry) = self.requests.get_mut(&id) else { return false };
        if let Some(before) = std::mem::replace(&mut entry.wake, wake) {
            self.wakes.remove(&(before, id));
        }
        let Some(at) = wake else { return false };
        self.wakes.insert((at, id));
        self.wakes.first() == Some(&(at, id))
    }

    /// Takes a request in that has not ended.
    pub(super) fn insert(&mut self, mut entry: Entry) {
        entry.was_shown |= self.showing > 0;
        self.unfinished += 1;
        self.weight += entry.weight;
        self.requests.insert(entry.request.id, entry);
    }

    /// Forgets a request.
    pub(super) fn forget(&mut self, id: RequestId) -> Option<Entry> {
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

    /// Tells them. Who does not wait any more need not know.
    pub(super) fn tell(self) {
        for (asker, standing) in self.askers {
            let _ = asker.send(standing);
        }
        for turn in self.turns {
            let _ = turn.send(());
        }
    }
}
