//! The gateway's database: every request with its history, and the audit trail.
//!
//! | table | what | changes |
//! |---|---|---|
//! | `requests` | what was asked, how it stands or ended | a request ends once, by compare-and-swap |
//! | `audit` | what happened, hash-chained (`audit.rs`) | grows at its end; its beginning may be cut off |
//! | `notes` | what a surface needs to go on with a request after a restart | with its request, until it ended |
//! | `invocations` | what the tool runtime runs | until it ended |
//!
//! SQLite in WAL mode, every commit synced to the disk before it counts. One [`Store`] writes; any number of
//! [`Reader`]s, in this process or another, read beside it. What is written goes through a [`Batch`]: one transaction in
//! which each piece of work stands or falls for itself, so that many decisions share one sync of the disk.
//!
//! Requests are kept as columns to look for them by, and as JSON that only the gateway reads. While a request is open its
//! exact text is kept, because it may have to be shown again after a restart. With its end a masked one, made when it
//! came in, takes its place. Overwritten text is zeroed in the database; in the write-ahead log it stays until that is
//! written over, which a few hundred commits do, or the store is closed.
//!
//! With time, what was asked is dropped from the texts of what ended long ago, and later all of it (`retention.rs`).
//!
//! A file of a newer version, a damaged one, or one whose audit trail lost its end is an error and stays as it is. A
//! single row that cannot be read is none: it is named and left out (`rows.rs`).

mod audit;
mod batch;
mod error;
mod hash;
mod head;
mod invocations;
mod notes;
mod requests;
mod retention;
mod room;
mod rows;
mod schema;
mod stamp;
mod upkeep;
mod verify;

use std::fs::OpenOptions;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

pub use audit::{Entry, Happened};
pub use batch::{Batch, Writes};
pub use error::StoreError;
pub use hash::{Hash, InvalidHash};
pub use head::{Head, InvalidHead};
pub use invocations::Invocation;
pub use notes::Note;
pub use requests::{End, EndedRow, Filter, NewRequest, RequestRow, Which, digest};
pub use retention::{Dropped, Prunable, Pruned};
pub use rows::{Row, Unreadable};
pub use stamp::Stamp;
pub use upkeep::{Interrupt, RestoreError, Restored, backup, restore};
pub use verify::{Break, Verdict};

use crate::StateDir;
use crate::lock::open_ours;
use head::HeadFile;

/// The database's file in the state directory.
const FILE: &str = "state.db";

/// So much text is handed out at once, in bytes: a page ends early where requests are long, but never before its first.
const PAGE: usize = 16 << 20;

/// How the store is opened.
#[derive(Debug, Clone, Copy)]
pub struct StoreOptions {
    /// How long to wait for another process that holds the database.
    pub busy: Duration,
    /// The size that the database may have at most, in pages of 4 KiB. None: as much as the disk has.
    pub max_pages: Option<u32>,
    /// Whether to make room ahead on the disk (`room.rs`): 8 MiB for commits that take about half as long.
    pub room_ahead: bool,
}

/// The one writer of the database.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    head: HeadFile,
}

/// Reads the database, beside the writer.
#[derive(Debug)]
pub struct Reader {
    connection: Connection,
    /// None for a copy, to which none belongs.
    head: Option<HeadFile>,
}

/// Everything that can be read: of a moment within a [`Batch`], else of each call's own moment.
#[derive(Debug, Clone, Copy)]
pub struct Reads<'a> {
    connection: &'a Connection,
}

impl Default for StoreOptions {
    fn default() -> Self {
        Self { busy: Duration::from_secs(5), max_pages: None, room_ahead: false }
    }
}

impl Store {
    /// Opens the database, creates it where it is missing, and brings one of an older version up to date.
    ///
    /// `now_ms` (Unix milliseconds) is written where the audit trail has to say that its head was missing.
    pub fn open(dir: &StateDir, options: StoreOptions, now_ms: u64) -> Result<Self, StoreError> {
        let path = dir.path().join(FILE);
        // SQLite gives its other files the mode of this one.
        open_ours(OpenOptions::new().read(true).write(true).create(true), &path)
            .map_err(|source| StoreError::Open { path: path.clone(), source: source.into() })?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = connect(&path, flags, options)?;
        schema::prepare(&mut connection)?;
        if options.room_ahead {
            room::make(&connection, &path);
        }
        let mut store = Self { connection, head: HeadFile::new(dir.path()) };
        store.hold_to_the_head(now_ms)?;
        Ok(store)
    }

    /// Begins a transaction in which records are written.
    pub fn batch(&mut self) -> Result<Batch<'_>, StoreError> {
        Batch::begin(&mut self.connection, &mut self.head)
    }

    /// The questions that can be asked of what is stored.
    pub fn reads(&self) -> Reads<'_> {
        Reads { connection: &self.connection }
    }

    /// A trail whose end is missing is not gone on with: the entries that follow would hide it. One without a head is,
    /// and says so.
    fn hold_to_the_head(&mut self, now_ms: u64) -> Result<(), StoreError> {
        let last = self.reads().last()?;
        match self.head.read()? {
            Some(head) if self.reads().agrees(&head)? => self.head.write(&last),
            Some(head) => return Err(StoreError::EndMissing { head, last }),
            None if last.seq == 0 => self.head.write(&last),
            None => {
                let mut batch = self.batch()?;
                batch.attempt(|writes| {
                    writes.record(&Happened { at_ms: now_ms, kind: "audit.head_missing", request_id: None, body: "{}" })
                })?;
                batch.commit()?;
            }
        }
        Ok(())
    }
}

impl Reader {
    /// Opens a database that is there, to read it only.
    pub fn open(dir: &StateDir, options: StoreOptions) -> Result<Self, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = connect(&dir.path().join(FILE), flags, options)?;
        schema::known(&connection)?;
        Ok(Self { connection, head: Some(HeadFile::new(dir.path())) })
    }

    /// The questions that can be asked of what is stored.
    pub fn reads(&self) -> Reads<'_> {
        Reads { connection: &self.connection }
    }
}

fn connect(path: &Path, flags: OpenFlags, options: StoreOptions) -> Result<Connection, StoreError> {
    let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_EXRESCODE)?;
    connection.busy_timeout(options.busy)?;
    connection.set_prepared_statement_cache_capacity(64);
    if let Some(pages) = options.max_pages {
        connection.pragma_update(None, "max_page_count", pages)?;
    }
    Ok(connection)
}

#[cfg(test)]
mod tests;
