//! Owns every request while it runs. A request ends exactly once: by the first answer, by its time limit, or because
//! nobody waits for it any more.
//!
//! A request's state is its [`Life`](dmplz_core::request::Life): the same state machine that a desk without the gateway
//! runs.
//!
//! The first caller who changes a request holds it exclusively until the change is on disk or has failed. Callers that
//! arrive meanwhile wait, and then learn who won. After that, surfaces and the asker (the client that asked) are told,
//! in the order of the audit trail.
//!
//! | the disk fails to record | the request | the asker | the approver |
//! |---|---|---|---|
//! | a new request | is forgotten | gets an error | |
//! | an allow | is open again | goes on waiting | gets [`AnswerError::NotRecorded`] |
//! | a denial | has ended, denied | is denied | gets [`AnswerError::NotRecorded`]; the write is retried until it succeeds |
//! | an expiry or a withdrawal | has ended | learns of the end | none; the write is retried until it succeeds |
//!
//! **Invariant:** an allow is told to nobody before it is on disk.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use dmplz_core::approvers::Approver;
use dmplz_core::reason::ReasonRules;
use dmplz_core::request::{Answer, Command, Resolver};
use dmplz_core::stats::Figures;
use dmplz_protocol::{Event, Kind, Message, Request, RequestId, Standing, Status};
use dmplz_state::store::Filter;
use tokio::time::Instant;

use crate::bus::Bus;
use crate::clock::Clock;
use crate::disk::ledger::{Ledger, Record};
use crate::disk::{DiskError, Recovered};

mod answer;
mod ask;
mod confirmations;
mod denial;
mod denial_notice;
mod entry;
mod error;
mod expiry;
mod owner;
mod replay;
mod tally;

pub(crate) use denial_notice::DenialNotice;
pub use error::AnswerError;
pub use owner::Attached;
pub use replay::Replay;
pub(crate) use tally::Tally;

use owner::{Shared, Waiters};

/// Settings that stay the same while the gateway runs.
#[derive(Debug, Clone)]
pub struct Rules {
    /// The longest time that a request stays open (`DMPLZ_QUESTION_TIMEOUT_MS`).
    pub expiry: Duration,
    /// How long the gateway waits for the reason of a denial.
    pub reason_timeout: Duration,
    /// How the text of a reason is normalised.
    pub reason: ReasonRules,
}

/// The owner of every request. Cheap to clone. It runs on one tokio runtime and can be used from any thread.
#[derive(Clone)]
pub struct Approvals {
    shared: Arc<Shared>,
}

impl Approvals {
    /// Opens an owner over a ledger, such as the disk. Every request that had not ended continues with its remaining
    /// time. The owner puts the bus's confirmation requests before the surfaces, publishes their responses, and records
    /// the policy's decisions.
    pub fn over(ledger: impl Ledger + 'static, recovered: Recovered, bus: Bus, rules: Rules, now_ms: Clock) -> Self {
        let approvals = Self::with(Arc::new(ledger), bus, rules, now_ms);
        approvals.go_on(recovered);
        approvals.serve_bus();
        approvals
    }

    /// Creates an owner that keeps everything in memory only and does not serve the bus.
    #[cfg(test)]
    pub(crate) fn new(bus: Bus, rules: Rules, now_ms: Clock) -> Self {
        Self::with(Arc::new(tests::memory::Memory::default()), bus, rules, now_ms)
    }

    pub(crate) fn with(ledger: Arc<dyn Ledger>, bus: Bus, rules: Rules, now_ms: Clock) -> Self {
        Self { shared: Arc::new(Shared::new(ledger, bus, rules, now_ms)) }
    }

    /// Returns the bus on which every change is published.
    pub fn bus(&self) -> &Bus {
        &self.shared.bus
    }

    /// Returns the settings that stay the same while the gateway runs.
    pub fn rules(&self) -> &Rules {
        &self.shared.rules
    }

    /// Returns the wall clock in Unix milliseconds.
    pub fn now_ms(&self) -> u64 {
        (self.shared.now_ms)()
    }

    /// Returns the number of the last event in the audit trail. Numbers begin at 1; 0 means that there is no event.
    pub fn last_event_id(&self) -> u64 {
        self.state().last_event
    }

    /// Registers a surface by its name, such as `web` or `cli`. It shows every request at once, and stays registered
    /// until the returned value is dropped.
    pub fn attach(&self, surface: &str) -> Attached {
        Attached::new(self.clone(), surface, true)
    }

    /// Registers a messenger, so that requests are accepted for it. The messenger calls [`Self::shown`] for each
    /// request whose card is posted.
    pub fn attach_messenger(&self, surface: &str) -> Attached {
        Attached::new(self.clone(), surface, false)
    }

    /// Notes that a messenger shows this request. A request that ends before any surface showed it says so in its
    /// outcome.
    pub fn shown(&self, id: RequestId, messenger: &str) {
        if let Some(entry) = self.state().requests.get_mut(&id) {
            entry.was_shown = true;
            if !entry.cards.iter().any(|known| known == messenger) {
                entry.cards.push(messenger.to_owned());
            }
        }
    }

    /// Notes that everything is passed on which a poll of this messenger returned that began at this moment. A request
    /// that a messenger shows expires once it has looked after the request's time, or a moment later at most.
    pub fn looked(&self, messenger: &str, began: Instant) {
        self.state().looks.insert(messenger.to_owned(), began);
    }

    /// Returns the moment at which a request's time is over, or `None` if it is not in memory. A surface that counts it
    /// down must use this and not `expires_ms`: a wall clock that is set, as after a suspension, ends no request.
    pub fn expires(&self, id: RequestId) -> Option<Instant> {
        self.state().requests.get(&id).map(|entry| entry.expires)
    }

    /// Returns the moment until which the reason of a denied request may come, or `None` if it waits for none.
    pub fn reason_until(&self, id: RequestId) -> Option<Instant> {
        match &self.state().requests.get(&id)?.life {
            entry::Life::Denied(denial) => Some(denial.until.at),
            _ => None,
        }
    }

    /// Returns the surfaces that requests are accepted for, and how many of each are registered.
    pub fn surfaces(&self) -> BTreeMap<String, usize> {
        self.state().surfaces.clone()
    }

    /// Answers for a person. When this returns `Ok`, the answer was the first and is on disk.
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

    /// Denies for a person, who may then give a reason (or with `instead`, what to do instead) within the time for it.
    /// When this returns `Ok`, the denial is on disk.
    pub async fn deny(&self, id: RequestId, by: Approver, instead: bool) -> Result<Standing, AnswerError> {
        self.apply(id, Command::Deny { by, instead }).await
    }

    /// Ends a request because nobody waits for its answer any more. A denied request stays denied.
    pub async fn withdraw(&self, id: RequestId, resolver: Resolver) -> Result<Standing, AnswerError> {
        self.apply(id, Command::Withdraw(resolver)).await
    }

    /// Returns every request that has not ended, oldest first.
    pub fn open(&self) -> Vec<Standing> {
        let standing = |(request, status): (Arc<Request>, Status)| Standing { request: (*request).clone(), status };
        self.unfinished(|_| true).into_iter().map(standing).collect()
    }

    /// Returns the number of requests that have not ended.
    pub fn open_count(&self) -> usize {
        self.state().unfinished
    }

    /// Returns the counts of requests asked and ended since the process began.
    pub(crate) fn tally(&self) -> Tally {
        self.state().tally.clone()
    }

    /// Returns the ids of the open requests for which `wanted` is true, oldest first.
    pub fn open_where(&self, wanted: impl FnMut(&Request) -> bool) -> Vec<RequestId> {
        self.unfinished(wanted).iter().map(|(request, _)| request.id).collect()
    }

    /// Returns the requests that have not ended and for which `wanted` is true, oldest first. They can be long, so they
    /// are copied and inspected after the lock is released.
    fn unfinished(&self, mut wanted: impl FnMut(&Request) -> bool) -> Vec<(Arc<Request>, Status)> {
        let state = self.state();
        let open = state.requests.values().filter(|entry| entry.is_open());
        let mut open: Vec<_> = open.map(|entry| (Arc::clone(&entry.request), entry.status())).collect();
        drop(state);
        open.retain(|(request, _)| wanted(request));
        open.sort_by_key(|(request, _)| (request.created_ms, request.id));
        open
    }

    /// Returns a request and its status, also long after it ended. `None`: no request has this id. An error: the disk
    /// cannot tell, so nothing may be concluded.
    pub async fn find(&self, id: RequestId) -> Result<Option<Standing>, DiskError> {
        let known = self.state().requests.get(&id).filter(|entry| !entry.is_new).map(|entry| entry.shown());
        match known {
            Some(standing) => Ok(Some(standing)),
            None => self.shared.ledger.get(id).await,
        }
    }

    /// Returns the request that a client names, or why it cannot be returned.
    pub(crate) async fn named(&self, id: RequestId) -> Result<Standing, AnswerError> {
        let found = self.find(id).await.map_err(|error| AnswerError::Unreadable(id, error))?;
        found.ok_or(AnswerError::Unknown(id))
    }

    /// Does the same as [`Self::find`] for a surface that only shows the request: `None` also if the disk cannot tell.
    pub async fn get(&self, id: RequestId) -> Option<Standing> {
        self.find(id).await.ok().flatten()
    }

    /// Returns at most `limit` requests, newest first. It returns fewer if they are long, but at least one if any
    /// matches.
    pub async fn history(&self, filter: &Filter, limit: u32) -> Result<Vec<Standing>, DiskError> {
        let mut found = self.shared.ledger.history(filter, limit).await?;
        let state = self.state();
        // The clock may have been set since the times were recorded, so the times that this process uses are returned.
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

    /// Returns at most `limit` events after `seq`, oldest first; fewer if they are long. Empty only if there are no
    /// more.
    pub async fn events_after(&self, seq: u64, limit: u32) -> Result<Vec<Event>, DiskError> {
        self.shared.ledger.events_after(seq, limit).await
    }

    /// Subscribes to every event of `kinds` after `after`: recorded events first, then live ones, each exactly once.
    pub fn subscribe_from(&self, after: u64, kinds: &[Kind]) -> Replay {
        Replay::new(self.clone(), after, kinds)
    }

    /// Returns the figures of the requests that ended from `since_ms` until just before `until_ms` (Unix milliseconds).
    pub async fn figures(&self, since_ms: Option<u64>, until_ms: Option<u64>) -> Result<Figures, DiskError> {
        self.shared.ledger.figures(since_ms, until_ms).await
    }

    /// Publishes an event that is not recorded.
    pub(crate) fn tell(&self, message: Message) {
        self.publish(None, self.now_ms(), message);
    }

    /// Records an event that belongs to no request (`tool.*`, `grant.*`), publishes it in the order of the audit trail,
    /// and returns its number.
    pub async fn record(&self, message: Message) -> Result<u64, DiskError> {
        let record = Record::Told(message.clone());
        let number = self.keep(record, self.now_ms(), move || (Some(message), Waiters::default())).await?;
        Ok(number.unwrap_or_default())
    }
}

#[cfg(test)]
pub(crate) mod tests;
