//! The gateway's side of the store. A change is durable when its call returns.
//!
//! One thread owns the store and commits all waiting work in one transaction; another thread reads beside it. A
//! [`Disk`] is a handle to both: cheap to clone, usable from any runtime. The threads end when the last handle is
//! dropped.
//!
//! A request that ends is stored masked ([`mod@masked`]), and so are the reason in its outcome and the whole audit trail. A
//! waiting asker gets the exact answer from [`Approvals`](crate::Approvals), not from here.
//!
//! A row that cannot be read is left out of lists, events and figures, so that it hides no other row ([`Unreadable`]).
//! Looking it up by its id is an error: it is never taken for a missing request, nor for one that was allowed.

mod check;
mod commits;
mod error;
mod events;
mod figures;
pub mod ledger;
mod masked;
mod pruning;
mod recording;
mod rows;
mod threads;

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use dmplz_protocol::{RequestId, Standing};
use dmplz_state::StateDir;
use dmplz_state::store::{
    Happened, Head, Invocation, Note, Reader, Stamp, Store, StoreError, StoreOptions, Unreadable, Verdict, Writes,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use uuid::Uuid;

pub use check::{Checked, check, readable};
pub(crate) use commits::Commits;
pub use error::DiskError;
pub use masked::{masked, masked_end};
pub use pruning::Kept;

use threads::{Questions, Writer, answers, end};

/// Returns the time since the machine's start; `None` if the machine does not identify that start. The caller supplies
/// it.
pub type Uptime = Arc<dyn Fn() -> Option<Stamp> + Send + Sync>;

/// A handle to everything that the gateway stores.
#[derive(Clone)]
pub struct Disk {
    dir: StateDir,
    options: StoreOptions,
    uptime: Uptime,
    pub(crate) writer: Writer,
    pub(crate) reader: Questions,
    checks: check::Checks,
}

/// The state found when the disk was opened.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Recovered {
    /// Every request that has not ended and can be read, oldest first.
    pub open: Vec<Standing>,
    /// By how many milliseconds the wall clock was set forward (negative: back) since a request was asked, or denied.
    /// It is known only for requests asked since the machine was started.
    pub drift_ms: HashMap<RequestId, i64>,
    /// The open requests whose card a messenger noted. The others were shown to nobody, or on a page or a terminal,
    /// which connect again by themselves while somebody looks at them.
    pub shown: HashSet<RequestId>,
    /// Requests that have not ended and cannot be read. Nobody is asked about them, and they are never allowed.
    pub unreadable: Vec<Unreadable>,
    /// The number of the last event.
    pub last_event: u64,
}

impl Disk {
    /// Opens or creates the store in the state directory. The remaining times of requests are estimated by the wall
    /// clock.
    pub async fn open(dir: &StateDir, options: StoreOptions, now_ms: u64) -> Result<(Self, Recovered), DiskError> {
        Self::open_timed(dir, options, now_ms, Arc::new(|| None)).await
    }

    /// Does the same as [`Self::open`] with a clock for `uptime`, by which the remaining times are exact even if the
    /// wall clock (now `now_ms`) was set meanwhile.
    pub async fn open_timed(
        dir: &StateDir,
        options: StoreOptions,
        now_ms: u64,
        uptime: Uptime,
    ) -> Result<(Self, Recovered), DiskError> {
        let (at, now) = (dir.clone(), uptime());
        let open = move || -> Result<_, DiskError> {
            let store = Store::open(&at, options, now_ms)?;
            let recovered = rows::recovered(store.reads(), now.as_ref(), now_ms)?;
            let reader = Reader::open(&at, options)?;
            Ok((store, reader, recovered))
        };
        let (store, reader, recovered) = blocking(open).await??;
        let threads = |store, reader| Ok((Writer::start(store)?, Questions::start(reader)?));
        let (writer, reader) = threads(store, reader).map_err(|_: std::io::Error| DiskError::Gone)?;
        let checks = check::Checks::default();
        Ok((Self { dir: dir.clone(), options, uptime, writer, reader, checks }, recovered))
    }

    /// Returns a surface's readable notes on requests, in the order of the requests.
    pub async fn notes<T: DeserializeOwned>(&self, surface: &str) -> Result<Vec<(RequestId, T)>, DiskError> {
        let surface = surface.to_owned();
        let notes = self.reader.ask(move |reads| reads.notes(&surface)).await?;
        let read =
            |Note { request_id, body }: &Note| Some((request_id.parse().ok()?, serde_json::from_str(body).ok()?));
        Ok(notes.iter().filter_map(read).collect())
    }

    /// Stores a surface's note on a request, replacing its earlier note. A note with a `card` means that the surface
    /// shows the request; the first of them is in the audit trail as `card.shown`.
    pub async fn keep_note(
        &self,
        id: RequestId,
        surface: &str,
        note: &impl Serialize,
        now_ms: u64,
    ) -> Result<(), DiskError> {
        let (id, surface) = (id.to_string(), surface.to_owned());
        let note = serde_json::to_value(note).map_err(DiskError::json("a note"))?;
        let shows = note.get("card").is_some_and(|card| !card.is_null());
        let (note, shown) = (note.to_string(), serde_json::json!({ "surface": surface }).to_string());
        let keep = move |writes: &Writes<'_>| {
            if shows && !writes.notes_a_card(&id, &surface)? {
                writes.record(&Happened { at_ms: now_ms, kind: "card.shown", request_id: Some(&id), body: &shown })?;
            }
            writes.keep_note(&id, &surface, &note)
        };
        self.writer.write(keep).await
    }

    /// Removes a surface's note on a request.
    pub async fn drop_note(&self, id: RequestId, surface: &str) -> Result<(), DiskError> {
        let (id, surface) = (id.to_string(), surface.to_owned());
        self.writer.write(move |writes| writes.drop_note(&id, &surface)).await
    }

    /// Stores a tool invocation in its present state. `finished_ms` is when it ended, in Unix milliseconds.
    pub async fn keep_invocation(
        &self,
        id: Uuid,
        finished_ms: Option<u64>,
        state: &impl Serialize,
    ) -> Result<(), DiskError> {
        let body = serde_json::to_string(state).map_err(DiskError::json("an invocation"))?;
        let invocation = Invocation { id: id.to_string(), finished_ms, body };
        self.writer.write(move |writes| writes.keep_invocation(&invocation)).await
    }

    /// Removes a tool invocation.
    pub async fn drop_invocation(&self, id: Uuid) -> Result<(), DiskError> {
        let id = id.to_string();
        self.writer.write(move |writes| writes.drop_invocation(&id)).await
    }

    /// Returns a tool invocation.
    pub async fn invocation<T: DeserializeOwned>(&self, id: Uuid) -> Result<Option<T>, DiskError> {
        let id = id.to_string();
        let found = self.reader.ask(move |reads| reads.invocation(&id)).await?;
        let read = |Invocation { id, body, .. }| serde_json::from_str(&body).map_err(DiskError::json(&id));
        found.map(read).transpose()
    }

    /// Returns the readable tool invocations that have not ended, oldest first.
    pub async fn unfinished_invocations<T: DeserializeOwned>(&self) -> Result<Vec<(Uuid, T)>, DiskError> {
        let found = self.reader.ask(|reads| reads.unfinished_invocations()).await?;
        let read =
            |Invocation { id, body, .. }: &Invocation| Some((id.parse().ok()?, serde_json::from_str(body).ok()?));
        Ok(found.iter().filter_map(read).collect())
    }

    /// Verifies the audit trail, and that the stored requests agree with it. `expected` is a head kept elsewhere.
    pub async fn verify(&self, expected: Option<Head>) -> Result<Verdict, DiskError> {
        self.aside(move |reader| reader.verify(expected)).await
    }

    /// Returns whether both threads still take work, even if that work fails.
    pub(crate) async fn answers(&self) -> bool {
        tokio::join!(answers(&self.writer.work), answers(&self.reader.questions)) == (true, true)
    }

    /// Writes a row and removes it again, in one transaction that reaches the disk.
    pub(crate) async fn probe(&self) -> Result<(), DiskError> {
        let probe = Invocation { id: "probe".to_owned(), finished_ms: None, body: "null".to_owned() };
        let work = move |writes: &Writes<'_>| {
            writes.keep_invocation(&probe)?;
            writes.drop_invocation(&probe.id)
        };
        self.writer.write(work).await
    }

    /// Returns how long commits took since the process began.
    pub(crate) fn commits(&self) -> Commits {
        self.writer.commits.now()
    }

    /// Returns the files of the database, each with a name for people.
    pub(crate) fn files(&self) -> Vec<(&'static str, PathBuf)> {
        let path = |name| self.dir.path().join(name);
        vec![("database", path("state.db")), ("log", path("state.db-wal"))]
    }

    /// Closes the database after all earlier work is done. This removes the write-ahead log, with any unmasked text that
    /// it still holds. Later work for the two threads fails with [`DiskError::Gone`].
    pub async fn close(&self) {
        self.checks.end().await;
        end(&self.reader.questions).await;
        end(&self.writer.work).await;
    }

    /// Runs a slow read on a connection of its own, so that no other read waits for it.
    async fn aside<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Reader) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, DiskError> {
        let (dir, options) = (self.dir.clone(), self.options);
        Ok(blocking(move || question(&Reader::open(&dir, options)?)).await??)
    }
}

/// Runs slow work on a blocking thread, away from the runtime's one thread.
pub(crate) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, DiskError> {
    tokio::task::spawn_blocking(work).await.map_err(|_| DiskError::Gone)
}

#[cfg(test)]
mod tests;
