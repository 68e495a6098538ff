//! The gateway's side of the store: what is durable when the call returns.
//!
//! One thread owns the store and commits the work of everybody who waits in one transaction; another reads beside it. A
//! [`Disk`] is a handle to both: cheap to clone, usable from any runtime. When the last one is dropped the threads end.
//!
//! A request that ends is kept masked ([`masked`]), and so are the reason in its end and everything in the audit trail;
//! who waits for the answer gets it as it was written from [`Approvals`](crate::Approvals), not from here.
//!
//! What is kept and cannot be read is left out of lists, events and figures, so that it hides nothing else ([`Unreadable`]).
//! Asked for by its id it is an error: nothing takes it for a request that is not there, or for one that was allowed.

mod check;
mod commits;
mod error;
mod events;
mod figures;
mod masked;
mod pruning;
mod rows;
mod telling;
mod threads;

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use dmplz_core::approvers::Answerer;
use dmplz_core::request::{End, Resolution};
use dmplz_core::stats::Figures;
use dmplz_protocol::{Event, Message, Request, RequestId, Standing};
use dmplz_state::StateDir;
use dmplz_state::store::{
    Filter, Head, Invocation, Note, Reader, Row, Stamp, Store, StoreError, StoreOptions, Unreadable, Verdict, Which,
    Writes,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use uuid::Uuid;

pub use check::{Checked, check, readable};
pub(crate) use commits::Commits;
pub use error::DiskError;
pub use masked::{masked, masked_end};
pub use pruning::Kept;

use threads::{Questions, Writer};

/// Says the moment on the clock since the machine's start; none where the machine does not say which start that was.
/// Given by the caller.
pub type Uptime = Arc<dyn Fn() -> Option<Stamp> + Send + Sync>;

/// A handle to what the gateway keeps.
#[derive(Clone)]
pub struct Disk {
    dir: StateDir,
    options: StoreOptions,
    uptime: Uptime,
    writer: Writer,
    reader: Questions,
    checks: check::Checks,
}

/// What was there when the disk was opened.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Recovered {
    /// Every request that has not ended and can be read, oldest first.
    pub open: Vec<Standing>,
    /// Milliseconds by which the wall clock was put forward (negative: back) since a request was asked, or denied. Only of
    /// requests since the machine was started: of the others nobody knows.
    pub drift_ms: HashMap<RequestId, i64>,
    /// Those of them whose card a messenger noted. Any other was shown to nobody, or on a page or a terminal, which come
    /// back by themselves where somebody still looks at them.
    pub shown: HashSet<RequestId>,
    /// Requests that have not ended and cannot be read. Nobody is asked about them, and they are never allowed.
    pub unreadable: Vec<Unreadable>,
    /// The number of the last event.
    pub last_event: u64,
}

/// Which requests are looked for. What is none does not matter.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Search {
    /// By how they stand.
    pub which: Which,
    /// Only requests to call this tool.
    pub tool: Option<String>,
    /// Answered on this surface.
    pub surface: Option<String>,
    /// Only requests that ended with this outcome.
    pub outcome: Option<End>,
    /// With this in what was asked, in the tool's name or in the folder; ASCII letters in either case.
    pub text: Option<String>,
    /// That came in before this one.
    pub before: Option<RequestId>,
}

impl Disk {
    /// Opens what is kept in the state directory, or creates it. What is left of requests' times is not known exactly.
    pub async fn open(dir: &StateDir, options: StoreOptions, now_ms: u64) -> Result<(Self, Recovered), DiskError> {
        Self::open_timed(dir, options, now_ms, Arc::new(|| None)).await
    }

    /// The same. `uptime` tells what is left of requests' times, however the wall clock, which now says `now_ms`, was set
    /// meanwhile.
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

    /// Keeps a request. The number of its event.
    pub async fn add(&self, request: &Request) -> Result<u64, DiskError> {
        self.add_telling(request, |_| {}).await
    }

    /// Keeps a request that the policy decided, so that nobody was asked. The number of its event.
    pub async fn settle(&self, request: &Request, end: &Resolution, at_ms: u64) -> Result<u64, DiskError> {
        self.settle_telling(request, end, at_ms, |_| {}).await
    }

    /// Keeps that somebody denied and may say why, or with `instead` what to do instead, until then. None where the request is not open, or not there.
    pub async fn deny(
        &self,
        id: RequestId,
        by: &Answerer,
        until_ms: u64,
        instead: bool,
        at_ms: u64,
    ) -> Result<Option<u64>, DiskError> {
        self.deny_telling(id, by, until_ms, instead, at_ms, |_| {}).await
    }

    /// Keeps how a request ended. None where it has ended already, was denied and this is no rejection, or is not there.
    pub async fn resolve(&self, id: RequestId, end: &Resolution, at_ms: u64) -> Result<Option<u64>, DiskError> {
        self.resolve_telling(id, end, at_ms, |_| {}).await
    }

    /// Keeps whether whoever asked took the decision. None where that is known, or the request has not ended.
    pub async fn taken(&self, id: RequestId, taken: bool, at_ms: u64) -> Result<Option<u64>, DiskError> {
        self.taken_telling(id, taken, at_ms, |_| {}).await
    }

    /// Keeps an event that belongs to no request's life: `tool.*`, `grant.*`. Its number.
    pub async fn record(&self, message: &Message, at_ms: u64) -> Result<u64, DiskError> {
        self.record_telling(message, at_ms, |_| {}).await
    }

    /// A request and where it stands.
    pub async fn get(&self, id: RequestId) -> Result<Option<Standing>, DiskError> {
        let id = id.to_string();
        self.reader.ask(move |reads| reads.request(&id)).await?.as_ref().map(rows::standing).transpose()
    }

    /// Whether what is kept under the request's id is the same request: of the same asker, for the same tool, with the same
    /// input, at the same place. None where nothing is.
    pub async fn is_again(&self, request: &Request) -> Result<Option<bool>, DiskError> {
        let id = request.id.to_string();
        let digest = self.reader.ask(move |reads| reads.digest(&id)).await?;
        let (Some(digest), Some(known)) = (digest, self.get(request.id).await?) else { return Ok(None) };
        let Request { source, tool, cwd, .. } = &known.request;
        let same = (source, tool, cwd) == (&request.source, &request.tool, &request.cwd);
        Ok(Some(same && rows::digest(request)? == digest))
    }

    /// Up to `limit` requests that can be read, newest first; fewer where they are long, but at least one where there is
    /// one.
    pub async fn history(&self, search: &Search, limit: u32) -> Result<Vec<Standing>, DiskError> {
        let Search { which, tool, surface, outcome, text, before } = search.clone();
        let outcome = outcome.map(|outcome| rows::word(&outcome)).transpose()?;
        let before = before.map(|id| id.to_string());
        let mut filter = Filter { which, tool, surface, outcome, text, before, below: None };
        loop {
            let asked = filter.clone();
            let rows = match filter.text {
                // To look into every text takes long, and who looks for an id is not to wait for that.
                Some(_) => self.aside(move |reader| reader.reads().history(&asked, limit)).await?,
                None => self.reader.ask(move |reads| reads.history(&asked, limit)).await?,
            };
            let found: Vec<Standing> = rows.iter().flatten().filter_map(|row| rows::readable(row).ok()).collect();
            match rows.last() {
                // A page of nothing that can be read is not the end.
                Some(last) if found.is_empty() => filter.below = Some(rows::number(last)),
                _ => return Ok(found),
            }
        }
    }

    /// Up to `limit` events after that one that can be read, oldest first; fewer where they are long. None only where
    /// there are no more.
    pub async fn events_after(&self, mut seq: u64, limit: u32) -> Result<Vec<Event>, DiskError> {
        loop {
            let entries = self.reader.ask(move |reads| reads.entries_after(seq, limit)).await?;
            let event = |row: &Row<_>| {
                let (entry, body): &(_, Option<String>) = row.as_ref().ok()?;
                events::event(entry, body.as_deref()).ok()?
            };
            let events: Vec<Event> = entries.iter().filter_map(event).collect();
            match entries.last() {
                // Some entries tell surfaces nothing, and some cannot be read.
                Some(Ok((last, _))) if events.is_empty() => seq = last.seq,
                Some(Err(last)) if events.is_empty() => seq = last.number,
                _ => return Ok(events),
            }
        }
    }

    /// What the requests that ended from then until before then (Unix milliseconds) came to, as `dmplz stats` counts.
    pub async fn figures(&self, since_ms: Option<u64>, until_ms: Option<u64>) -> Result<Figures, DiskError> {
        let rows = self.reader.ask(move |reads| reads.ended(since_ms, until_ms)).await?;
        blocking(move || figures::of(&rows)).await
    }

    /// What a surface noted on requests and can be read, in their order.
    pub async fn notes<T: DeserializeOwned>(&self, surface: &str) -> Result<Vec<(RequestId, T)>, DiskError> {
        let surface = surface.to_owned();
        let notes = self.reader.ask(move |reads| reads.notes(&surface)).await?;
        let read =
            |Note { request_id, body }: &Note| Some((request_id.parse().ok()?, serde_json::from_str(body).ok()?));
        Ok(notes.iter().filter_map(read).collect())
    }

    /// Keeps what a surface notes on a request, in place of what it noted before. A note that has a `card` says that the
    /// request is shown there.
    pub async fn keep_note(&self, id: RequestId, surface: &str, note: &impl Serialize) -> Result<(), DiskError> {
        let (id, surface) = (id.to_string(), surface.to_owned());
        let body = serde_json::to_string(note).map_err(DiskError::json("a note"))?;
        self.writer.write(move |writes| writes.keep_note(&id, &surface, &body)).await
    }

    /// Forgets what a surface noted on a request.
    pub async fn drop_note(&self, id: RequestId, surface: &str) -> Result<(), DiskError> {
        let (id, surface) = (id.to_string(), surface.to_owned());
        self.writer.write(move |writes| writes.drop_note(&id, &surface)).await
    }

    /// Keeps a run of a tool as it is now, and when it ended (Unix milliseconds): `state` is the runtime's.
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

    /// Forgets a run of a tool.
    pub async fn drop_invocation(&self, id: Uuid) -> Result<(), DiskError> {
        let id = id.to_string();
        self.writer.write(move |writes| writes.drop_invocation(&id)).await
    }

    /// A run of a tool.
    pub async fn invocation<T: DeserializeOwned>(&self, id: Uuid) -> Result<Option<T>, DiskError> {
        let id = id.to_string();
        let found = self.reader.ask(move |reads| reads.invocation(&id)).await?;
        let read = |Invocation { id, body, .. }| serde_json::from_str(&body).map_err(DiskError::json(&id));
        found.map(read).transpose()
    }

    /// The runs of tools that are not over and can be read, oldest first.
    pub async fn unfinished_invocations<T: DeserializeOwned>(&self) -> Result<Vec<(Uuid, T)>, DiskError> {
        let found = self.reader.ask(|reads| reads.unfinished_invocations()).await?;
        let read =
            |Invocation { id, body, .. }: &Invocation| Some((id.parse().ok()?, serde_json::from_str(body).ok()?));
        Ok(found.iter().filter_map(read).collect())
    }

    /// Whether the audit trail is what was recorded. `expected` is a head that somebody kept elsewhere.
    pub async fn verify(&self, expected: Option<Head>) -> Result<Verdict, DiskError> {
        self.aside(move |reader| reader.verify(expected)).await
    }

    /// Whether both threads take work, whatever becomes of it.
    pub(crate) async fn answers(&self) -> bool {
        tokio::join!(self.writer.answers(), self.reader.answers()) == (true, true)
    }

    /// Writes something and takes it back, in one transaction that goes to the disk.
    pub(crate) async fn probe(&self) -> Result<(), DiskError> {
        let probe = Invocation { id: "probe".to_owned(), finished_ms: None, body: "null".to_owned() };
        let work = move |writes: &Writes<'_>| {
            writes.keep_invocation(&probe)?;
            writes.drop_invocation(&probe.id)
        };
        self.writer.write(work).await
    }

    /// How long commits took since the process began.
    pub(crate) fn commits(&self) -> Commits {
        self.writer.commits()
    }

    /// The files of the database, each with a name for people.
    pub(crate) fn files(&self) -> Vec<(&'static str, PathBuf)> {
        let path = |name| self.dir.path().join(name);
        vec![("database", path("state.db")), ("log", path("state.db-wal"))]
    }

    /// Closes the database once everything that was handed in before is done. With it the write-ahead log is gone, and
    /// what it still held of texts that are masked by now. Afterwards nothing is kept or found.
    pub async fn close(&self) {
        self.checks.end().await;
        self.reader.end().await;
        self.writer.end().await;
    }

    /// Reads through a connection of its own what takes so long that nobody else is to wait for it.
    async fn aside<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Reader) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, DiskError> {
        let (dir, options) = (self.dir.clone(), self.options);
        Ok(blocking(move || question(&Reader::open(&dir, options)?)).await??)
    }
}

/// Does what takes long elsewhere than on the runtime's one thread.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, DiskError> {
    tokio::task::spawn_blocking(work).await.map_err(|_| DiskError::Gone)
}

impl fmt::Debug for Disk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Disk").field("dir", &self.dir).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
