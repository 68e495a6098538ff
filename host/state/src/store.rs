//! The gateway's database: every request with its history, and the audit trail.
//!
//! | table | content | changes |
//! |---|---|---|
//! | `requests` | requests, with their status or end | a request ends once, by compare-and-swap |
//! | `audit` | the audit trail, hash-chained (`audit.rs`) | grows at its end; its beginning may be cut off |
//! | `notes` | a surface's data for continuing with a request after a restart | with its request, until that has ended |
//! | `invocations` | the tool runtime's invocations | until they have ended |
//! | `notices`, `notice_*` | the queues of notices, and the state of their channels (`notices.rs`) | the oldest ended ones are removed |
//!
//! SQLite in WAL mode; every commit is synced to the disk before it counts. One [`Store`] writes. Any number of
//! [`Reader`]s, in this process or another, read beside it. Writes go through a [`Batch`]: one transaction in which
//! each piece of work succeeds or fails on its own, so that many decisions share one sync of the disk.
//!
//! Requests are stored as columns for searching, and as JSON that only the gateway reads. While a request is open its
//! exact text is kept, because it may have to be shown again after a restart. At its end a masked text, made when it
//! came in, replaces it. Overwritten text is zeroed in the database. In the write-ahead log it stays until the log is
//! overwritten, which takes a few hundred commits, or the store is closed.
//!
//! Old requests first lose the text of what was asked, and later all of their data (`retention.rs`).
//!
//! A file of a newer version, a damaged one, or one whose audit trail lost its end is an error and stays unchanged. A
//! single unreadable row is no error: it is named and left out (`rows.rs`).

mod audit;
mod batch;
mod error;
mod hash;
mod head;
mod head_file;
mod invocations;
mod notes;
mod notices;
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
pub use notices::{Attempt, ChannelRow, NewNotice, Next, NoticeRow, Queued};
pub use requests::{End, EndedRow, Filter, NewRequest, RequestRow, Which, digest};
pub use retention::{Dropped, Prunable, Pruned};
pub use rows::{Row, Unreadable};
pub use stamp::Stamp;
pub use upkeep::{Interrupt, RestoreError, Restored, backup, restore};
pub use verify::{Break, Verdict};

use crate::StateDir;
use crate::lock::open_ours;
use head_file::HeadFile;

/// The database's file in the state directory.
const FILE: &str = "state.db";

/// The most bytes of text in one page. A page ends early if requests are long, but never before its first one.
const PAGE: usize = 16 << 20;

/// The options for opening the store.
#[derive(Debug, Clone, Copy)]
pub struct StoreOptions {
    /// How long to wait for another process that holds the database.
    pub busy: Duration,
    /// The most pages of 4 KiB that the database may have. `None`: as many as fit on the disk.
    pub max_pages: Option<u32>,
    /// Whether to reserve space on the disk (`room.rs`): 8 MiB, for commits that take about half as long.
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
    /// `None` for a copy, which has no head file.
    head: Option<HeadFile>,
}

/// All queries. Within a [`Batch`] they share one snapshot, otherwise each call has its own.
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
    /// Opens the database. Creates it if it is missing, and upgrades an older version.
    ///
    /// `now_ms` (Unix milliseconds) is the time of the audit entry that is added if the trail's head is missing.
    pub fn open(dir: &StateDir, options: StoreOptions, now_ms: u64) -> Result<Self, StoreError> {
        let path = dir.path().join(FILE);
        // SQLite gives its other files the same mode as this one.
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

    /// Begins a transaction for writing.
    pub fn batch(&mut self) -> Result<Batch<'_>, StoreError> {
        Batch::begin(&mut self.connection, &mut self.head)
    }

    /// Returns the queries on the stored data.
    pub fn reads(&self) -> Reads<'_> {
        Reads { connection: &self.connection }
    }

    /// Checks the trail against its head file. A trail without its end is an error: further entries would hide the
    /// loss. A trail without a head file continues, with an entry that says so.
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
    /// Opens an existing database for reading only.
    pub fn open(dir: &StateDir, options: StoreOptions) -> Result<Self, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = connect(&dir.path().join(FILE), flags, options)?;
        schema::known(&connection)?;
        Ok(Self { connection, head: Some(HeadFile::new(dir.path())) })
    }

    /// Returns the queries on the stored data.
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
