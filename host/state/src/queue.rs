//! Who waits for an account, first come first served, between processes: seed 0, section 8.4.
//!
//! A place is a file `queue/<account>/<number>`, locked exclusively by its owner as long as the owner lives. The one
//! with the lowest number that is alive is first. Three rules carry everything else:
//!
//! 1. Files are created, and dead ones removed, only by whoever holds `queue/<account>/lock`. A file is locked before
//!    that lock is let go, so everybody who looks sees a locked file, or one whose owner has ended.
//! 2. A new number is one more than the highest there is. While a waiter lives its own file is there, so no number
//!    below its own is ever given out again: the file that it waits for cannot become somebody else's.
//! 3. Owners lock exclusively; those who look or wait lock shared. Looking at a dead place thus never makes it seem
//!    alive to somebody else.
//!
//! A waiter sleeps in the kernel until the place before it is free, then looks again: no polling, and a place whose
//! process was killed is free at once.

mod ticket;

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use ticket::Ticket;

use crate::lock::{self, Lock, LockError};
use crate::{AccountKey, StateDir, dir};

/// How long the lock of the directory is waited for. It is held for some microseconds.
const GATE_WAIT: Duration = Duration::from_secs(2);

/// What the file of a gateway's place begins with; the process id follows. The files of others are empty.
const GATEWAY: &str = "gateway ";

/// The queue of one account.
#[derive(Debug, Clone)]
pub struct Queue {
    dir: PathBuf,
}

/// Why a place in the queue is not to be had.
#[derive(Debug, thiserror::Error)]
pub enum QueueError {
    /// The deadline came first.
    #[error("its turn in the queue did not come in time")]
    Deadline,
    /// The files of the queue cannot be used.
    #[error("the queue in {dir} cannot be used")]
    Io {
        /// Its directory.
        dir: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl Queue {
    /// The queue of an account. Touches nothing yet.
    pub fn new(state: &StateDir, account: &AccountKey) -> Self {
        Self { dir: state.path().join("queue").join(account.as_str()) }
    }

    /// Takes the last place. Does not wait for the places before it.
    pub fn join(&self) -> Result<Ticket, QueueError> {
        self.last_place(None).map_err(|source| QueueError::Io { dir: self.dir.clone(), source })
    }

    /// Takes the last place for a gateway, which keeps it as long as it runs: whoever waits behind it can see that
    /// ([`Ticket::gateway_ahead`]). `process` is the gateway's process id.
    pub fn join_as_gateway(&self, process: u32) -> Result<Ticket, QueueError> {
        self.last_place(Some(process)).map_err(|source| QueueError::Io { dir: self.dir.clone(), source })
    }

    fn last_place(&self, gateway: Option<u32>) -> io::Result<Ticket> {
        let gate = match gate(&self.dir) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                dir::make(&self.dir)?;
                gate(&self.dir)?
            }
            gate => gate?,
        };
        let highest = numbers(&self.dir)?.last().copied();
        let number = highest.unwrap_or(0).checked_add(1).ok_or_else(|| io::Error::other("no number is left"))?;
        let mut file = lock::open_ours(OpenOptions::new().write(true).create_new(true), &place(&self.dir, number))?;
        if !lock::try_exclusive(&file)? {
            return Err(io::Error::other("a new place is taken already"));
        }
        if let Some(process) = gateway {
            file.write_all(format!("{GATEWAY}{process}\n").as_bytes())?;
        }
        drop(gate);
        Ok(Ticket::new(self.dir.clone(), number, file, highest.is_none()))
    }
}

/// Locks the directory: see rule 1.
fn gate(dir: &Path) -> io::Result<Lock> {
    Lock::take(&dir.join("lock"), GATE_WAIT).map_err(|error| match error {
        LockError::Busy => io::Error::new(io::ErrorKind::TimedOut, "its lock was not free in time"),
        LockError::Io(source) => source,
    })
}

fn place(dir: &Path, number: u64) -> PathBuf {
    dir.join(format!("{number:010}"))
}

/// The numbers of all places, dead or alive, in ascending order.
fn numbers(dir: &Path) -> io::Result<Vec<u64>> {
    let mut numbers = Vec::new();
    for entry in fs::read_dir(dir)? {
        let name = entry?.file_name();
        let number = name.to_str().filter(|name| name.bytes().all(|byte| byte.is_ascii_digit()));
        numbers.extend(number.and_then(|name| name.parse::<u64>().ok()));
    }
    numbers.sort_unstable();
    Ok(numbers)
}

#[cfg(test)]
mod tests;
