//! Checks whether the database is sound, and which of its requests cannot be read.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use dmplz_protocol::Standing;
use dmplz_state::store::{Interrupt, Reader, StoreError, Unreadable};
use serde::Serialize;
use tokio::sync::{Mutex, oneshot, watch};

use super::{Disk, DiskError, blocking, rows};

/// How many requests are read at once.
const PAGE: u32 = 256;
/// The most unreadable rows that are named.
const NAMED: usize = 100;

/// The result of checking the whole database.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Checked {
    /// The damage that SQLite reports; empty if the file is sound.
    pub damage: Vec<String>,
    /// How many requests can be read.
    pub requests: usize,
    /// The first 100 stored requests that cannot be read.
    pub unreadable: Vec<Unreadable>,
    /// Whether the check covered the whole database.
    pub is_complete: bool,
}

/// The checks in progress, so that closing the database can end them.
#[derive(Debug, Clone, Default)]
pub(super) struct Checks {
    /// Held during each check.
    running: Arc<Mutex<()>>,
    ends: Arc<watch::Sender<bool>>,
}

impl Checked {
    /// Returns whether the check found nothing wrong.
    pub fn is_well(&self) -> bool {
        self.damage.is_empty() && self.unreadable.is_empty()
    }
}

impl Checks {
    /// Ends the checks, and waits until they have closed the file.
    pub(super) async fn end(&self) {
        self.ends.send_replace(true);
        drop(self.running.lock().await);
    }
}

impl Disk {
    /// Checks the whole database, beside all other work, for at most `limit`.
    pub async fn check(&self, limit: Duration) -> Result<Checked, DiskError> {
        let _running = self.checks.running.lock().await;
        let (stops, mut stopped) = (Arc::new(AtomicBool::new(false)), self.checks.ends.subscribe());
        if *stopped.borrow_and_update() {
            return Ok(Checked::default());
        }
        let (told, interrupt) = oneshot::channel::<Interrupt>();
        let (dir, options, stop) = (self.dir.clone(), self.options, Arc::clone(&stops));
        let checking = blocking(move || {
            let reader = Reader::open(&dir, options)?;
            let _ = told.send(reader.interrupt());
            check(&reader, &stop)
        });
        let ending = async {
            let Ok(interrupt) = interrupt.await else { return };
            let _ = tokio::time::timeout(limit, stopped.wait_for(|ends| *ends)).await;
            stops.store(true, Ordering::Relaxed);
            // Repeated, because an interrupt does not affect a call that begins after it.
            loop {
                interrupt.interrupt();
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::select! {
            checked = checking => Ok(checked??),
            never = async { ending.await; std::future::pending().await } => never,
        }
    }
}

/// Checks a whole database until `stop` is set. The caller also interrupts the call that is running then.
pub fn check(reader: &Reader, stop: &AtomicBool) -> Result<Checked, StoreError> {
    match look(reader, stop) {
        (checked, Err(StoreError::Interrupted)) => Ok(checked),
        // A damaged database cannot be read to its end.
        (checked, Err(StoreError::Corrupt(_))) if !checked.damage.is_empty() => Ok(checked),
        (checked, done) => done.map(|is_complete| Checked { is_complete, ..checked }),
    }
}

/// Passes every stored request to `each`, oldest first, or the reason why it cannot be read.
pub fn readable<E: From<StoreError>>(
    reader: &Reader,
    mut each: impl FnMut(Result<Standing, Unreadable>) -> Result<(), E>,
) -> Result<(), E> {
    let mut after = 0;
    loop {
        let page = reader.reads().requests_after(after, PAGE)?;
        let Some(last) = page.last() else { return Ok(()) };
        after = rows::number(last);
        page.into_iter().try_for_each(|row| each(row.and_then(|row| rows::readable(&row))))?;
    }
}

fn look(reader: &Reader, stop: &AtomicBool) -> (Checked, Result<bool, StoreError>) {
    let mut checked = Checked::default();
    match reader.quick_check() {
        Ok(damage) => checked.damage = damage,
        Err(error) => return (checked, Err(error)),
    }
    let done = readable(reader, |row| {
        match row {
            Ok(_) => checked.requests += 1,
            Err(row) if checked.unreadable.len() < NAMED => checked.unreadable.push(row),
            Err(_) => {}
        }
        if stop.load(Ordering::Relaxed) { Err(StoreError::Interrupted) } else { Ok(()) }
    });
    (checked, done.map(|()| true))
}
