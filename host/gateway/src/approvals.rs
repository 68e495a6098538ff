//! The owner of every request. A request ends exactly once: by the first answer, by its time, or because nobody waits
//! for it any more.
//!
//! Where it stands is its [`Life`](dmplz_core::request::Life): the same state machine as a desk's that is alone.
//!
//! Whoever is first has the request to himself until it is known whether his change is on the disk; whoever comes
//! meanwhile waits, and is told who won. Then surfaces are told, in the order of the audit trail, and whoever asked.
//!
//! | the disk fails | the request | whoever asked | whoever answered |
//! |---|---|---|---|
//! | when it is asked | is forgotten | gets an error | |
//! | for an allow | is open again | waits on | gets [`AnswerError::NotRecorded`] |
//! | for a denial | has ended, denied | is denied | gets the same; the record is tried again until it is there |
//! | for its time, or withdrawn | has ended | is told so | the record is tried again |
//!
//! **Invariant:** nothing that allows is told anybody before it is on the disk.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use dmplz_core::approvers::Approver;
use dmplz_core::reason::ReasonRules;
use dmplz_core::request::{Answer, Command, Resolver};
use dmplz_core::stats::Figures;
use dmplz_protocol::{Event, Kind, Message, Request, RequestId, Standing, Status};

use crate::bus::Bus;
use crate::disk::{Disk, DiskError, Recovered, Search};

mod answer;
mod ask;
mod confirmations;
mod denial;
mod entry;
mod error;
mod expiry;
pub mod ledger;
mod memory;
mod owner;
mod replay;
mod tally;

pub(crate) use denial::DenialNotice;
pub(crate) use entry::millis;
pub use error::{AnswerError, AskError};
pub use memory::Memory;
pub use owner::Attached;
pub use replay::Replay;
pub(crate) use tally::Tally;

use ledger::{Ledger, Record};
use owner::{Shared, Waiters};

/// The wall clock in Unix milliseconds: given by the caller. What waits, waits on a monotonic clock.
pub type Clock = Arc<dyn Fn() -> u64 + Send + Sync>;

/// What does not change while the gateway runs.
#[derive(Debug, Clone)]
pub struct Rules {
    /// How long a request stays open at most (`DMPLZ_QUESTION_TIMEOUT_MS`).
    pub expiry: Duration,
    /// How long a reason is waited for.
    pub reason_timeout: Duration,
    /// How a reason is read.
    pub reason: ReasonRules,
}

/// The owner of every request. Cheap to clone. It lives on one tokio runtime, and is used from any thread.
#[derive(Clone)]
pub struct Approvals {
    shared: Arc<Shared>,
}

impl Approvals {
    /// The owner of what is on the disk: every request that had not ended goes on with what is left of its time. It
    /// answers the requests of the bus, and keeps what the policy decides there.
    pub fn durable(disk: Disk, recovered: Recovered, bus: Bus, rules: Rules, now_ms: Clock) -> Self {
        Self::over(Arc::new(disk), recovered, bus, rules, now_ms)
    }

    /// The same over any ledger.
    pub fn over(ledger: Arc<dyn Ledger>, recovered: Recovered, bus: Bus, rules: Rules, now_ms: Clock) -> Self {
        let approvals = Self::with(ledger, bus, rules, now_ms);
        approvals.go_on(recovered);
        approvals.serve_bus();
        approvals
    }

    /// An owner that keeps nothing beyond the process: to try out surfaces with.
    pub fn new(bus: Bus, rules: Rules, now_ms: Clock) -> Self {
        Self::with(Arc::new(Memory::default()), bus, rules, now_ms)
    }

    fn with(ledger: Arc<dyn Ledger>, bus: Bus, rules: Rules, now_ms: Clock) -> Self {
        Self { shared: Arc::new(Shared::new(ledger, bus, rules, now_ms)) }
    }

    /// The bus on which every change is told.
    pub fn bus(&self) -> &Bus {
        &self.shared.bus
    }

    /// What does not change.
    pub fn rules(&self) -> &Rules {
        &self.shared.rules
    }

    /// The wall clock, Unix milliseconds.
    pub fn now_ms(&self) -> u64 {
        (self.shared.now_ms)()
    }

    /// The last event that is in the audit trail, from 1; 0 while there is none.
    pub fn last_event_id(&self) -> u64 {
        self.state().last_event
    }

    /// Says that a surface is there which shows every request at once, as long as what is returned lives.
    pub fn attach(&self) -> Attached {
        self.attach_as("other")
    }

    /// The same under the surface's name, such as `web` or `cli`.
    pub fn attach_as(&self, surface: &str) -> Attached {
        Attached::new(self.clone(), surface, true)
    }

    /// Says that a messenger is there, or about to be: requests are accepted for it. It says of each when its card is up
    /// ([`Self::shown`]).
    pub fn attach_messenger(&self, surface: &str) -> Attached {
        Attached::new(self.clone(), surface, false)
    }

    /// A messenger shows this request. One that ends before any surface showed it says so.
    pub fn shown(&self, id: RequestId) {
        if let Some(entry) = self.state().requests.get_mut(&id) {
            entry.was_shown = true;
        }
    }

    /// The surfaces that requests are accepted for, and how many of each are there.
    pub fn surfaces(&self) -> BTreeMap<String, usize> {
        self.state().surfaces.clone()
    }

    /// A person answers. When this returns the answer is on disk, and it was the first.
    pub async fn answer(&self, id: RequestId, answer: Answer, by: Approver) -> Result<Standing, AnswerError> {
        let answer = match answer {
            Answer::Deny { reason, instead } => {
                let reason = reason.and_then(|reason| self.shared.rules.reason.normalise(&reason));
                Answer::Deny { reason, instead }
            }
            allow => allow,
        };
        self.apply(id, Command::Answer { answer, by }).await
    }

    /// A person denies and may say why, or with `instead` what to do instead, within the time for it. When this returns
    /// the denial is on disk.
    pub async fn deny(&self, id: RequestId, by: Approver, instead: bool) -> Result<Standing, AnswerError> {
        self.apply(id, Command::Deny { by, instead }).await
    }

    /// Nobody waits for the answer any more. What was denied stays denied.
    pub async fn withdraw(&self, id: RequestId, resolver: Resolver) -> Result<Standing, AnswerError> {
        self.apply(id, Command::Withdraw(resolver)).await
    }

    /// Every request that has not ended, oldest first.
    pub fn open(&self) -> Vec<Standing> {
        let standing = |(request, status): (Arc<Request>, Status)| Standing { request: (*request).clone(), status };
        self.unfinished().into_iter().map(standing).collect()
    }

    /// How many have not ended.
    pub fn open_count(&self) -> usize {
        self.state().unfinished
    }

    /// How many people were asked and how they ended, since the process began.
    pub(crate) fn tally(&self) -> Tally {
        self.state().tally.clone()
    }

    /// Those of them that are wanted.
    pub fn open_where(&self, wanted: impl Fn(&Request) -> bool) -> Vec<RequestId> {
        let open = self.unfinished();
        open.iter().filter(|(request, _)| wanted(request)).map(|(request, _)| request.id).collect()
    }

    /// Requests are long: they are copied, and looked at, when the lock is free again.
    fn unfinished(&self) -> Vec<(Arc<Request>, Status)> {
        let state = self.state();
        let open = state.requests.values().filter(|entry| entry.is_open());
        let mut open: Vec<_> = open.map(|entry| (Arc::clone(&entry.request), entry.status())).collect();
        drop(state);
        open.sort_by_key(|(request, _)| (request.created_ms, request.id));
        open
    }

    /// A request and where it stands, also long after it ended.
    pub async fn get(&self, id: RequestId) -> Option<Standing> {
        let known = self.state().requests.get(&id).filter(|entry| !entry.is_new).map(|entry| entry.shown());
        match known {
            Some(standing) => Some(standing),
            None => self.shared.ledger.get(id).await.ok().flatten(),
        }
    }

    /// So many requests, newest first; fewer where they are long, but at least one where there is one.
    pub async fn history(&self, search: &Search, limit: u32) -> Result<Vec<Standing>, DiskError> {
        let mut found = self.shared.ledger.history(search, limit).await?;
        let state = self.state();
        // Times as they are counted here: the clock may have been set since they were written down.
        for standing in &mut found {
            let Some(entry) = state.requests.get(&standing.request.id).filter(|entry| entry.is_open()) else {
                continue;
            };
            standing.request.created_ms = entry.request.created_ms;
            standing.request.expires_ms = entry.request.expires_ms;
            if let (Status::Denied { until_ms, .. }, Status::Denied { until_ms: counted_ms, .. }) =
                (&mut standing.status, entry.status())
            {
                *until_ms = counted_ms;
            }
        }
        Ok(found)
    }

    /// So many events after that one, oldest first; fewer where they are long. None only where there are no more.
    pub async fn events_after(&self, seq: u64, limit: u32) -> Result<Vec<Event>, DiskError> {
        self.shared.ledger.events_after(seq, limit).await
    }

    /// Every event of these types after that one, those of the past first, without a gap and none twice.
    pub fn subscribe_from(&self, after: u64, kinds: &[Kind]) -> Replay {
        Replay::new(self.clone(), after, kinds)
    }

    /// What the requests that ended from then until before then (Unix milliseconds) came to.
    pub async fn figures(&self, since_ms: Option<u64>, until_ms: Option<u64>) -> Result<Figures, DiskError> {
        self.shared.ledger.figures(since_ms, until_ms).await
    }

    /// Tells an event that is kept nowhere.
    pub(crate) fn tell(&self, message: Message) {
        self.publish(None, self.now_ms(), message);
    }

    /// Keeps an event that belongs to no request's life (`tool.*`, `grant.*`) and tells it, in the order of
    /// the audit trail. Its number.
    pub async fn record(&self, message: Message) -> Result<u64, DiskError> {
        let record = Record::Told(message.clone());
        let number = self.keep(record, self.now_ms(), move || (Some(message), Waiters::default())).await?;
        Ok(number.unwrap_or_default())
    }
}

impl fmt::Debug for Approvals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Approvals").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
