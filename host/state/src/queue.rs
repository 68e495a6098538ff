//! The queue of processes for one account, first come, first served.
//!
//! A place is a file `queue/<account>/<number>`, which its owner locks exclusively while the owner lives. The living
//! place with the lowest number is first. Three rules make this safe:
//!
//! 1. Only the holder of `queue/<account>/lock` creates files and removes dead ones. A new file is locked before that
//!    lock is released, so everybody who looks sees a locked file, or one whose owner has ended.
//! 2. A new number is the highest existing one plus one. While a waiter lives, its own file exists, so no number below
//!    its own is used again: the file that it waits for cannot become another process's.
//! 3. Owners lock exclusively; processes that look or wait take shared locks. So looking at a dead place never makes it
//!    seem alive to another process.
//!
//! A waiter sleeps in the kernel until the place before it is free, then checks again. There is no polling, and the
//! place of a killed process is free at once.

mod ticket;

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use ticket::Ticket;

use crate::lock::{self, Lock};
use crate::{AccountKey, StateDir, dir};

/// How long to wait for the directory's lock. It is held for some microseconds.
const GATE_WAIT: Duration = Duration::from_secs(2);

/// The prefix of a gateway's place file; the process id follows. The files of other processes are empty.
const GATEWAY: &str = "gateway ";

/// The queue of one account.
#[derive(Debug, Clone)]
pub struct Queue {
    dir: PathBuf,
}

/// Why a place in the queue cannot be taken.
#[derive(Debug, thiserror::Error)]
pub enum QueueError {
    /// The deadline passed first.
    #[error("its turn in the queue did not come in time")]
    Deadline,
    /// The queue's files cannot be used.
    #[error("the queue in {dir} cannot be used")]
    Io {
        /// The queue's directory.
        dir: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

impl Queue {
    /// Opens the queue of an account. No file is touched yet.
    pub fn new(state: &StateDir, account: &AccountKey) -> Self {
        Self { dir: state.path().join("queue").join(account.as_str()) }
    }

    /// Takes the last place, without waiting for the places before it.
    pub fn join(&self) -> Result<Ticket, QueueError> {
        self.last_place(None).map_err(|source| QueueError::Io { dir: self.dir.clone(), source })
    }

    /// Takes the last place for a gateway, which keeps it while it runs. The processes behind it can see that
    /// ([`Ticket::gateway_ahead`]). `process` is the gateway's process id.
    pub fn join_as_gateway(&self, process: u32) -> Result<Ticket, QueueError> {
        self.last_place(Some(process)).map_err(|source| QueueError::Io { dir: self.dir.clone(), source })
    }

    fn last_place(&self, gateway: Option<u32>) -> io::Result<Ticket> {
        let gate = dir::within(&self.dir, || gate(&self.dir))?;
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
    let taken = Lock::take(&dir.join("lock"), GATE_WAIT)?;
    taken.ok_or_else(|| io::Error::new(io::ErrorKind::TimedOut, "its lock was not free in time"))
}

fn place(dir: &Path, number: u64) -> PathBuf {
    dir.join(format!("{number:010}"))
}

/// Returns the numbers of all places, dead or alive, in ascending order.
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
