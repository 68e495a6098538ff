//! The gateway's disk: one writer, slow or full when the script says so. It outlives the gateways that use it.

use std::fmt;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use dmplz_core::stats::Figures;
use dmplz_gateway::ledger::{Later, Ledger, OnNumber, Record};
use dmplz_gateway::{DiskError, Event, Memory, Recovered, Request, RequestId, Search, Standing};
use dmplz_state::store::StoreError;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Duration, Instant, sleep, sleep_until};

use super::page::hook_of;
use crate::script::{HookId, Step};
use crate::truth::Kept;
use crate::world::World;

/// What is kept, and the way to it.
pub struct Platters {
    kept: Arc<Memory>,
    jobs: mpsc::UnboundedSender<Job>,
    /// Writes of gateways before this number are lost if they had not ended when it was killed.
    lost_before: Arc<AtomicU64>,
    life: AtomicU64,
    frozen_until: Arc<Mutex<Option<Instant>>>,
}

/// The disk as one gateway has it.
pub struct Disk {
    kept: Arc<Memory>,
    jobs: mpsc::UnboundedSender<Job>,
    /// Whether the gateway that uses it still runs.
    lives: Arc<AtomicBool>,
    life: u64,
}

/// Something to be written down.
pub struct Job {
    record: Record,
    at_ms: u64,
    told: OnNumber,
    reply: oneshot::Sender<Result<Option<u64>, DiskError>>,
    lives: Arc<AtomicBool>,
    life: u64,
}

impl Platters {
    /// An empty disk, and what is to be written on it: see [`write`].
    pub fn new() -> (Self, mpsc::UnboundedReceiver<Job>) {
        let (jobs, queue) = mpsc::unbounded_channel();
        let (kept, lost_before, frozen_until) = Default::default();
        (Self { kept, jobs, lost_before, life: AtomicU64::new(0), frozen_until }, queue)
    }

    /// A gateway was killed.
    pub fn killed(&self, loses: bool) {
        if loses {
            self.lost_before.store(self.life.load(Ordering::SeqCst) + 1, Ordering::SeqCst);
        }
    }

    /// The gateway, and so the thread that writes, does not run until then.
    pub fn frozen_until(&self, until: Instant) {
        *self.frozen_until.lock().unwrap_or_else(PoisonError::into_inner) = Some(until);
    }

    /// What is on it of a request.
    pub async fn standing(&self, id: RequestId) -> Option<Standing> {
        self.kept.get(id).await.ok().flatten()
    }

    /// What has not ended.
    pub fn recovered(&self) -> Recovered {
        self.kept.recovered()
    }
}

impl Disk {
    /// The disk for a gateway that starts.
    pub fn of(platters: &Platters, lives: Arc<AtomicBool>) -> Self {
        let life = platters.life.fetch_add(1, Ordering::SeqCst) + 1;
        Self { kept: Arc::clone(&platters.kept), jobs: platters.jobs.clone(), lives, life }
    }

    /// What the gateway before left.
    pub fn recovered(&self) -> Recovered {
        self.kept.recovered()
    }
}

/// Writes one job after the other, as long as the run lasts.
pub async fn write(world: Rc<World>, mut jobs: mpsc::UnboundedReceiver<Job>) {
    while let Some(job) = jobs.recv().await {
        let now = world.now();
        let slow = world.script.steps.iter().find_map(|step| match step {
            Step::DiskSlow { from, until, lasts } if (*from..*until).contains(&now) => Some(*lasts),
            _ => None,
        });
        if let Some(lasts) = slow.filter(|_| world.now() < world.fair_from.get()) {
            sleep(Duration::from_millis(lasts)).await;
        }
        thaw(&world.disk).await;
        let Job { record, at_ms, told, reply, lives, life } = job;
        if world.is_disk_full() {
            let full = std::io::Error::from(std::io::ErrorKind::StorageFull);
            let error = StoreError::Open { path: PathBuf::from("store.db"), source: Arc::new(full) };
            let _ = reply.send(Err(error.into()));
            continue;
        }
        if lives.load(Ordering::SeqCst) {
            let answer = answer(&record);
            let written = world.disk.kept.write(record, at_ms, told).await;
            if let (Some((hook, denies)), Ok(Some(_))) = (answer, &written) {
                let (at, mut truth) = (world.now(), world.truth.borrow_mut());
                let life = truth.of(hook);
                life.kept.push(Kept { at, denies, was_heard: life.is_connected });
            }
            let _ = reply.send(written);
        } else if life >= world.disk.lost_before.load(Ordering::SeqCst) {
            // It was handed in before the gateway was killed, and nobody is there to be told.
            let _ = world.disk.kept.write(record, at_ms, Box::new(|_| {})).await;
        }
    }
}

/// Whether a person's answer is to be written down: to which hook, and whether it denies.
fn answer(record: &Record) -> Option<(HookId, bool)> {
    let (id, denies) = match record {
        Record::Denied { id, .. } => (id, true),
        Record::Ended { id, resolution } if resolution.by.is_some() => (id, !resolution.outcome.is_approval()),
        _ => return None,
    };
    Some((hook_of(&id.to_string())?, denies))
}

async fn thaw(platters: &Platters) {
    loop {
        let until = *platters.frozen_until.lock().unwrap_or_else(PoisonError::into_inner);
        match until {
            Some(until) if until > Instant::now() => sleep_until(until).await,
            _ => return,
        }
    }
}

impl Ledger for Disk {
    fn write(&self, record: Record, at_ms: u64, told: OnNumber) -> Later<'_, Option<u64>> {
        let (reply, written) = oneshot::channel();
        let job = Job { record, at_ms, told, reply, lives: Arc::clone(&self.lives), life: self.life };
        let lives = self.lives.load(Ordering::SeqCst);
        let sent = lives && self.jobs.send(job).is_ok();
        Box::pin(async move {
            match written.await {
                Ok(written) if sent => written,
                // The process is dead: nothing of it goes on.
                _ => std::future::pending().await,
            }
        })
    }

    fn get(&self, id: RequestId) -> Later<'_, Option<Standing>> {
        self.kept.get(id)
    }

    fn is_again<'a>(&'a self, request: &'a Request) -> Later<'a, Option<bool>> {
        self.kept.is_again(request)
    }

    fn history<'a>(&'a self, search: &'a Search, limit: u32) -> Later<'a, Vec<Standing>> {
        self.kept.history(search, limit)
    }

    fn events_after(&self, seq: u64, limit: u32) -> Later<'_, Vec<Event>> {
        self.kept.events_after(seq, limit)
    }

    fn figures(&self, since_ms: Option<u64>, until_ms: Option<u64>) -> Later<'_, Figures> {
        self.kept.figures(since_ms, until_ms)
    }
}

impl fmt::Debug for Platters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Platters").finish_non_exhaustive()
    }
}
