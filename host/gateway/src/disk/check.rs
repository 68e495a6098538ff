//! Whether the database is sound, and which of its requests cannot be read.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use dmplz_protocol::Standing;
use dmplz_state::store::{Interrupt, Reader, StoreError, Unreadable};
use serde::Serialize;
use tokio::sync::{Mutex, oneshot, watch};

use super::{Disk, DiskError, blocking, rows};

/// Requests that are read at once.
const PAGE: u32 = 256;
/// Rows that are named at most.
const NAMED: usize = 100;

/// What a look at all of the database found.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Checked {
    /// What SQLite found wrong in the file, as it says it; nothing where the file is sound.
    pub damage: Vec<String>,
    /// How many requests can be read.
    pub requests: usize,
    /// Requests that are there and cannot be read; the first 100.
    pub unreadable: Vec<Unreadable>,
    /// Whether everything was looked at.
    pub is_complete: bool,
}

/// The looks that are being taken, so that closing the database ends them.
#[derive(Debug, Clone, Default)]
pub(super) struct Checks {
    /// Held during each.
    running: Arc<Mutex<()>>,
    ends: Arc<watch::Sender<bool>>,
}

impl Checked {
    /// Whether nothing is wrong with what was looked at.
    pub fn is_well(&self) -> bool {
        self.damage.is_empty() && self.unreadable.is_empty()
    }
}

impl Checks {
    /// Ends them, and waits until they have let go of the file.
    pub(super) async fn end(&self) {
        self.ends.send_replace(true);
        drop(self.running.lock().await);
    }
}

impl Disk {
    /// Looks at all of the database, beside everything else, for `limit` at most.
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
            // A call that begins a moment later is not met by the first one.
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

/// Looks at all of a database, until `stop` is set; what is running then is to be interrupted.
pub fn check(reader: &Reader, stop: &AtomicBool) -> Result<Checked, StoreError> {
    match look(reader, stop) {
        (checked, Err(StoreError::Interrupted)) => Ok(checked),
        // What is damaged cannot be read to its end.
        (checked, Err(StoreError::Corrupt(_))) if !checked.damage.is_empty() => Ok(checked),
        (checked, done) => done.map(|is_complete| Checked { is_complete, ..checked }),
    }
}

/// Every request that can be read, oldest first, to `each`. How many cannot.
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
