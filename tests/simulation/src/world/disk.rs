//! The gateway's disk: one writer, slow or full when the script says so. It outlives the gateways that use it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use dmplz_core::stats::Figures;
use dmplz_gateway::ledger::{Later, Ledger, OnNumber, Record};
use dmplz_gateway::{DiskError, Recovered, masked, masked_end};
use dmplz_protocol::{Event, Request, RequestId, Standing};
use dmplz_state::StateDir;
use dmplz_state::store::{Filter, StoreError, Which};
use tokio::sync::{Notify, mpsc, oneshot};
use tokio::time::{Duration, Instant, sleep, sleep_until};

use self::memory::Memory;
use super::store::Store;
use super::{World, wall_set_by};
use crate::asks::hook_of;
use crate::script::{HookId, Step};
use crate::truth::Kept as Answer;

/// The ledger of the gateway's own tests.
#[path = "../../../../host/gateway/src/approvals/tests/memory.rs"]
mod memory;

/// The stored data, and the queue of its writes.
pub struct Platters {
    kept: Kept,
    /// The offset of the wall clock when a request was asked, or denied.
    set_by: RefCell<BTreeMap<RequestId, i64>>,
    jobs: mpsc::UnboundedSender<Job>,
    /// Whether the disk is unreadable.
    unreadable: Arc<AtomicBool>,
    /// Notified when a gateway is killed.
    killed: Notify,
    /// Whether what it was writing then is lost.
    loses: AtomicBool,
    frozen_until: Arc<Mutex<Option<Instant>>>,
}

/// The way in which the data is stored.
enum Kept {
    Memory(Arc<Memory>),
    /// In the real store.
    Store(Arc<Store>),
}

/// The disk as one gateway has it.
pub struct Disk {
    kept: Arc<dyn Ledger>,
    jobs: mpsc::UnboundedSender<Job>,
    unreadable: Arc<AtomicBool>,
    /// Whether the gateway that uses it still runs.
    lives: Arc<AtomicBool>,
}

/// Something to be written down.
pub struct Job {
    record: Record,
    at_ms: u64,
    told: OnNumber,
    reply: oneshot::Sender<Result<Option<u64>, DiskError>>,
    lives: Arc<AtomicBool>,
}

impl Platters {
    /// Creates an empty disk, and the queue of its writes: see [`write()`]. With `store`, everything is written to the
    /// real store in this directory.
    ///
    /// # Errors
    /// When the store cannot be opened.
    pub fn new(store: Option<&StateDir>) -> anyhow::Result<(Self, mpsc::UnboundedReceiver<Job>)> {
        let (jobs, queue) = mpsc::unbounded_channel();
        let kept = match store {
            Some(dir) => Kept::Store(Arc::new(Store::open(dir)?)),
            None => Kept::Memory(Arc::default()),
        };
        let frozen_until = Arc::default();
        Ok((
            Self {
                kept,
                set_by: RefCell::default(),
                jobs,
                unreadable: Arc::default(),
                killed: Notify::new(),
                loses: AtomicBool::new(false),
                frozen_until,
            },
            queue,
        ))
    }

    fn ledger(&self) -> Arc<dyn Ledger> {
        match &self.kept {
            Kept::Memory(memory) => Arc::clone(memory) as Arc<dyn Ledger>,
            Kept::Store(store) => Arc::clone(store) as Arc<dyn Ledger>,
        }
    }

    /// Returns whether every request has ended.
    pub async fn is_settled(&self) -> bool {
        let open = Filter { which: Which::Open, ..Filter::default() };
        self.ledger().history(&open, 1).await.is_ok_and(|open| open.is_empty())
    }

    /// Records that a gateway was killed. `loses` tells whether what it was writing is lost.
    pub fn killed(&self, loses: bool) {
        self.loses.store(loses, Ordering::SeqCst);
        self.killed.notify_waiters();
        *self.frozen_until.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Handles the stop of a gateway, which finishes its pending writes.
    pub fn stops(&self) {
        self.loses.store(false, Ordering::SeqCst);
    }

    /// Completes the writes that an ended gateway had passed to the system, before the next one starts.
    pub fn gone(&self) {
        self.killed.notify_waiters();
    }

    /// Makes the disk unreadable, or readable again.
    pub fn unreadable(&self, unreadable: bool) {
        self.unreadable.store(unreadable, Ordering::SeqCst);
    }

    /// Freezes the gateway, and so the thread that writes, until this time.
    pub fn frozen_until(&self, until: Instant) {
        *self.frozen_until.lock().unwrap_or_else(PoisonError::into_inner) = Some(until);
    }

    /// Returns what the disk has of a request.
    pub async fn standing(&self, id: RequestId) -> Option<Standing> {
        self.ledger().get(id).await.ok().flatten()
    }

    /// Returns the requests that have not ended, which the next gateway finds.
    pub fn recovered(&self) -> Recovered {
        let memory = match &self.kept {
            Kept::Memory(memory) => memory,
            Kept::Store(store) => return store.reopen().unwrap_or_default(),
        };
        let drift = |(id, then): (&RequestId, &i64)| (*id, wall_set_by().saturating_sub(*then));
        Recovered { drift_ms: self.set_by.borrow().iter().map(drift).collect(), ..memory.recovered() }
    }
}

impl Disk {
    /// Returns the disk of a gateway that starts.
    pub fn of(platters: &Platters, lives: Arc<AtomicBool>) -> Self {
        let unreadable = Arc::clone(&platters.unreadable);
        Self { kept: platters.ledger(), jobs: platters.jobs.clone(), unreadable, lives }
    }

    /// Looks something up, where anything can be read.
    fn read<'a, T: Send + 'static>(&'a self, found: impl FnOnce() -> Later<'a, T>) -> Later<'a, T> {
        match self.unreadable.load(Ordering::SeqCst) {
            true => Box::pin(std::future::ready(Err(DiskError::Gone))),
            false => found(),
        }
    }
}

/// Writes one job after the other, as long as the run lasts.
pub async fn write(world: Rc<World>, mut jobs: mpsc::UnboundedReceiver<Job>) {
    while let Some(job) = jobs.recv().await {
        if !job.lives.load(Ordering::SeqCst) {
            // It was still in the memory of a process that was killed.
            continue;
        }
        let now = world.now();
        let slow = world.script.steps.iter().find_map(|step| match step {
            Step::DiskSlow { from, until, lasts } if (*from..*until).contains(&now) => Some(*lasts),
            _ => None,
        });
        let slow = slow.filter(|_| now < world.fair_from.get()).unwrap_or_default();
        if slow > 0 {
            tokio::select! {
                biased;
                () = world.disk.killed.notified() => {}
                () = sleep(Duration::from_millis(slow)) => {}
            }
        }
        if job.lives.load(Ordering::SeqCst) {
            thaw(&world.disk).await;
        }
        let Job { record, at_ms, told, reply, lives } = job;
        if !lives.load(Ordering::SeqCst) {
            // It was passed to the system, and the process that would get the reply is dead.
            if !world.disk.loses.load(Ordering::SeqCst) {
                let answer = answer(&record);
                let written = world.disk.ledger().write(record, at_ms, Box::new(|_| {})).await;
                if let (Some((hook, denies)), Ok(Some(_))) = (answer, written) {
                    let kept = Answer { at: world.now(), denies, was_heard: false };
                    world.truth.borrow_mut().of(hook).kept.push(kept);
                }
            }
            continue;
        }
        if world.is_disk_full() {
            let full = std::io::Error::from(std::io::ErrorKind::StorageFull);
            let error = StoreError::Open { path: PathBuf::from("store.db"), source: Arc::new(full) };
            let _ = reply.send(Err(error.into()));
            continue;
        }
        let answer = answer(&record);
        let dated = match &record {
            Record::Asked(request) => Some(request.id),
            Record::Denied { id, .. } => Some(*id),
            _ => None,
        };
        world.disk.set_by.borrow_mut().extend(dated.map(|id| (id, wall_set_by())));
        let written = world.disk.ledger().write(record, at_ms, told).await;
        if let (Some((hook, denies)), Ok(Some(_))) = (answer, &written) {
            let (at, mut truth) = (world.now(), world.truth.borrow_mut());
            let life = truth.of(hook);
            life.kept.push(Answer { at, denies, was_heard: life.connected_to == world.post.life() });
        }
        let _ = reply.send(written);
    }
}

/// Waits while the process does not run, and ends when it is killed.
async fn thaw(platters: &Platters) {
    loop {
        let until = *platters.frozen_until.lock().unwrap_or_else(PoisonError::into_inner);
        match until {
            Some(until) if until > Instant::now() => {
                tokio::select! {
                    biased;
                    () = platters.killed.notified() => return,
                    () = sleep_until(until) => {}
                }
            }
            _ => return,
        }
    }
}

/// Returns whether a person's answer is to be written down: to which hook, and whether it denies.
fn answer(record: &Record) -> Option<(HookId, bool)> {
    let (id, denies) = match record {
        Record::Denied { id, .. } => (id, true),
        Record::Ended { id, resolution } if resolution.by.is_some() => (id, !resolution.outcome.is_approval()),
        _ => return None,
    };
    Some((hook_of(&id.to_string())?, denies))
}

impl Ledger for Disk {
    fn write(&self, record: Record, at_ms: u64, told: OnNumber) -> Later<'_, Option<u64>> {
        let (reply, written) = oneshot::channel();
        let job = Job { record, at_ms, told, reply, lives: Arc::clone(&self.lives) };
        let lives = self.lives.load(Ordering::SeqCst);
        let sent = lives && self.jobs.send(job).is_ok();
        Box::pin(async move {
            match written.await {
                Ok(written) if sent => written,
                // The process is dead, so this never continues.
                _ => std::future::pending().await,
            }
        })
    }

    fn get(&self, id: RequestId) -> Later<'_, Option<Standing>> {
        self.read(|| self.kept.get(id))
    }

    fn is_again<'a>(&'a self, request: &'a Request) -> Later<'a, Option<bool>> {
        self.read(|| self.kept.is_again(request))
    }

    fn history<'a>(&'a self, search: &'a Filter, limit: u32) -> Later<'a, Vec<Standing>> {
        self.read(|| self.kept.history(search, limit))
    }

    fn events_after(&self, seq: u64, limit: u32) -> Later<'_, Vec<Event>> {
        self.read(|| self.kept.events_after(seq, limit))
    }

    fn figures(&self, since_ms: Option<u64>, until_ms: Option<u64>) -> Later<'_, Figures> {
        self.read(|| self.kept.figures(since_ms, until_ms))
    }
}

impl fmt::Debug for Platters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Platters").finish_non_exhaustive()
    }
}
