//! The real store of the gateway below the simulated disk. Its threads do not use the virtual clock, so every call
//! blocks until it is done, and takes no virtual time.

use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;

use dmplz_core::stats::Figures;
use dmplz_gateway::ledger::{Later, Ledger, OnNumber, Record};
use dmplz_gateway::{Disk, DiskError, Recovered};
use dmplz_protocol::{Event, Request, RequestId, Standing};
use dmplz_state::StateDir;
use dmplz_state::store::{Filter, Stamp, StoreOptions};

use super::{moment, wall_ms};

/// The store, opened anew for each gateway.
pub struct Store {
    dir: StateDir,
    disk: Mutex<Option<Disk>>,
}

impl Store {
    /// Opens the store of a state directory.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn open(dir: &StateDir) -> Result<Self, DiskError> {
        let store = Self { dir: dir.clone(), disk: Mutex::default() };
        store.reopen()?;
        Ok(store)
    }

    /// Reopens the store for the next gateway. Returns what it finds.
    pub fn reopen(&self) -> Result<Recovered, DiskError> {
        let mut place = self.disk.lock().unwrap_or_else(PoisonError::into_inner);
        // The one before ends its threads, and frees the files.
        drop(place.take());
        let uptime = || Some(Stamp { boot: "this".to_owned(), up_ms: moment().up_ms });
        let opening = Disk::open_timed(&self.dir, StoreOptions::default(), wall_ms(), Arc::new(uptime));
        let (disk, recovered) = at_once(opening)?;
        *place = Some(disk);
        Ok(recovered)
    }

    fn disk(&self) -> Result<Disk, DiskError> {
        self.disk.lock().unwrap_or_else(PoisonError::into_inner).clone().ok_or(DiskError::Gone)
    }
}

/// Waits for something that other threads do, while no time passes here.
fn at_once<T>(work: impl Future<Output = T>) -> T {
    struct Unpark(Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let mut work = pin!(work);
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    let mut context = Context::from_waker(&waker);
    loop {
        match work.as_mut().poll(&mut context) {
            Poll::Ready(done) => return done,
            Poll::Pending => std::thread::park(),
        }
    }
}

impl Ledger for Store {
    fn write(&self, record: Record, at_ms: u64, told: OnNumber) -> Later<'_, Option<u64>> {
        let done = self.disk().and_then(|disk| at_once(Ledger::write(&disk, record, at_ms, told)));
        Box::pin(std::future::ready(done))
    }

    fn get(&self, id: RequestId) -> Later<'_, Option<Standing>> {
        Box::pin(std::future::ready(self.disk().and_then(|disk| at_once(Ledger::get(&disk, id)))))
    }

    fn is_again<'a>(&'a self, request: &'a Request) -> Later<'a, Option<bool>> {
        Box::pin(std::future::ready(self.disk().and_then(|disk| at_once(Ledger::is_again(&disk, request)))))
    }

    fn history<'a>(&'a self, search: &'a Filter, limit: u32) -> Later<'a, Vec<Standing>> {
        Box::pin(std::future::ready(self.disk().and_then(|disk| at_once(Ledger::history(&disk, search, limit)))))
    }

    fn events_after(&self, seq: u64, limit: u32) -> Later<'_, Vec<Event>> {
        Box::pin(std::future::ready(self.disk().and_then(|disk| at_once(Ledger::events_after(&disk, seq, limit)))))
    }

    fn figures(&self, since_ms: Option<u64>, until_ms: Option<u64>) -> Later<'_, Figures> {
        Box::pin(std::future::ready(self.disk().and_then(|disk| at_once(Ledger::figures(&disk, since_ms, until_ms)))))
    }
}
