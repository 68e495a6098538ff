//! The owner of every request. A request ends exactly once: by the first answer, by its time, or because nobody waits
//! for it any more.
//!
//! ```text
//! Open ─ approve, session, deny with its reason ─▶ Ended        Denied ─ reason, skip ──────▶ Ended (rejected)
//!   │  ─ its time, withdrawn ─▶ Ended                              └─ time, withdrawn ─▶ Ended (rejected: timeout)
//!   └─ deny, reason to come ─▶ Denied
//! ```
//!
//! **Invariant:** from `Denied` every way leads to a rejection.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use dmplz_core::approvers::Approver;
use dmplz_core::flow::{ExpiredCause, Outcome, ReasonSource, Resolver};
use dmplz_core::reason::ReasonRules;
use dmplz_core::resolution::{Answerer, Resolution};
use dmplz_core::stats::End;
use tokio::sync::watch;

use crate::bus::Bus;
use crate::message::{Event, Message};
use crate::request::{Request, RequestId, Standing, Status};

/// The wall clock in Unix milliseconds: given by the caller. What waits, waits on a monotonic clock.
pub type Clock = Arc<dyn Fn() -> u64 + Send + Sync>;

/// The surface of an end that no person brought.
const NOBODY: &str = "";

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

/// What a person says to a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// Allow it, this once.
    Approve,
    /// Allow it and what its grant covers for the session.
    Session,
    /// Deny it.
    Deny {
        /// In their words; none where they chose to give none.
        reason: Option<String>,
    },
}

/// Why nobody can be asked. None of them is an allow.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// No surface is there to show it.
    #[error("ask anybody: no messenger, page or terminal is listening")]
    NobodyListens,
    /// It has an id that another request had.
    #[error("ask under the id {0}: another request has it")]
    IdTaken(RequestId),
}

/// Why an answer does not count.
#[derive(Debug, thiserror::Error)]
pub enum AnswerError {
    /// There is no such request.
    #[error("find a request {0}")]
    Unknown(RequestId),
    /// Somebody, or its time, was first.
    #[error("answer request {}: it has ended", .0.request.id)]
    Ended(Box<Standing>),
    /// Somebody else denied, and may still say why.
    #[error("answer request {}: it was denied", .0.request.id)]
    Denied(Box<Standing>),
    /// It cannot be granted for the session.
    #[error("allow request {0} for the session: it offers no such grant")]
    NoGrant(RequestId),
}

/// Why a shortened id names no request.
#[derive(Debug, thiserror::Error)]
pub enum FindError {
    /// None begins so.
    #[error("find an open request that begins with {0}")]
    None(String),
    /// More than one does.
    #[error("tell which request {0} is: {1} open requests begin so")]
    Ambiguous(String, usize),
}

/// The owner of every request. Cheap to clone.
#[derive(Clone)]
pub struct Approvals {
    shared: Arc<Shared>,
}

struct Shared {
    bus: Bus,
    rules: Rules,
    now_ms: Clock,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    requests: HashMap<RequestId, Entry>,
    surfaces: usize,
    events: u64,
}

struct Entry {
    request: Request,
    status: watch::Sender<Status>,
}

/// A surface is there as long as this is.
#[derive(Debug)]
pub struct Attached {
    approvals: Approvals,
}

impl Drop for Attached {
    fn drop(&mut self) {
        self.approvals.state().surfaces -= 1;
    }
}

impl Approvals {
    /// An owner without requests.
    pub fn new(bus: Bus, rules: Rules, now_ms: Clock) -> Self {
        Self { shared: Arc::new(Shared { bus, rules, now_ms, state: Mutex::default() }) }
    }

    /// What it tells.
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

    /// The last event that was told, from 1; 0 while there was none.
    pub fn last_event_id(&self) -> u64 {
        self.state().events
    }

    /// Says that a surface can show requests, as long as what is returned lives.
    pub fn attach(&self) -> Attached {
        self.state().surfaces += 1;
        Attached { approvals: self.clone() }
    }

    /// Puts a request before the surfaces. Asking the very same again is no error: a hook that lost its connection
    /// waits for the same answer.
    pub async fn ask(&self, request: Request) -> Result<(), AskError> {
        let id = request.id;
        let expires_in = Duration::from_millis(request.expires_ms.saturating_sub(request.created_ms));
        {
            let mut state = self.state();
            if let Some(known) = state.requests.get(&id) {
                return if known.request.is_again(&request) { Ok(()) } else { Err(AskError::IdTaken(id)) };
            }
            if state.surfaces == 0 {
                return Err(AskError::NobodyListens);
            }
            let status = watch::Sender::new(Status::Open);
            state.requests.insert(id, Entry { request: request.clone(), status });
            let approval = Box::new(Standing { request, status: Status::Open });
            self.tell(&mut state, Message::ApprovalRequested { approval });
        }
        let this = self.clone();
        tokio::spawn(async move {
            tokio::time::sleep(expires_in.min(this.shared.rules.expiry)).await;
            let _ = this.end(id, &Outcome::Expired(ExpiredCause::Nobody), NOBODY).await;
        });
        Ok(())
    }

    /// Waits until it has ended.
    pub async fn ended(&self, id: RequestId) -> Result<Standing, AnswerError> {
        let mut status = match self.state().requests.get(&id) {
            Some(entry) => entry.status.subscribe(),
            None => return Err(AnswerError::Unknown(id)),
        };
        let _ = status.wait_for(|status| matches!(status, Status::Ended { .. })).await;
        self.get(id).await.ok_or(AnswerError::Unknown(id))
    }

    /// A person answers. When this returns the answer is on disk, and it was the first.
    pub async fn answer(
        &self,
        id: RequestId,
        answer: Answer,
        by: Approver,
        surface: &str,
    ) -> Result<Standing, AnswerError> {
        let outcome = match answer {
            Answer::Approve => Outcome::Approved { by },
            Answer::Session => Outcome::ApprovedSession { by },
            Answer::Deny { reason } => match reason.and_then(|reason| self.shared.rules.reason.normalise(&reason)) {
                Some(reason) => Outcome::RejectedWithReason { by, reason },
                None => Outcome::RejectedNoReason { by, source: ReasonSource::ExplicitSkip },
            },
        };
        self.end(id, &outcome, surface).await
    }

    /// A person denies and may say why within the time for it. When this returns the denial is on disk.
    pub async fn deny(&self, id: RequestId, by: Approver, surface: &str) -> Result<Standing, AnswerError> {
        let denier = Answerer { surface: surface.to_owned(), id: by.id().to_owned(), name: by.name().to_owned() };
        let standing = {
            let mut state = self.state();
            let limit = u64::try_from(self.shared.rules.reason_timeout.as_millis()).unwrap_or(u64::MAX);
            let entry = state.requests.get(&id).ok_or(AnswerError::Unknown(id))?;
            let until_ms = self.now_ms().saturating_add(limit).min(entry.request.expires_ms);
            let now = entry.status.borrow().clone();
            let standing = |status| Box::new(Standing { request: entry.request.clone(), status });
            match now {
                Status::Open => {}
                Status::Denied { .. } => return Err(AnswerError::Denied(standing(now))),
                Status::Ended { .. } => return Err(AnswerError::Ended(standing(now))),
            }
            let denied = Status::Denied { by: denier, until_ms };
            let approval = standing(denied.clone());
            entry.status.send_replace(denied);
            self.tell(&mut state, Message::ApprovalDenied { approval: approval.clone() });
            *approval
        };
        let this = self.clone();
        tokio::spawn(async move {
            tokio::time::sleep(this.shared.rules.reason_timeout).await;
            let silent = Outcome::RejectedNoReason { by, source: ReasonSource::Timeout };
            let _ = this.end(id, &silent, NOBODY).await;
        });
        Ok(standing)
    }

    /// Nobody waits for the answer any more. What was denied stays denied.
    pub async fn withdraw(&self, id: RequestId, resolver: Resolver) -> Result<Standing, AnswerError> {
        self.end(id, &Outcome::ResolvedElsewhere(resolver), NOBODY).await
    }

    /// Whoever asked took the decision, or did not.
    pub async fn taken(&self, id: RequestId, taken: bool) {
        let mut state = self.state();
        if let Some(entry) = state.requests.get(&id) {
            entry.status.send_if_modified(|status| match status {
                Status::Ended { taken: known @ None, .. } => {
                    *known = Some(taken);
                    true
                }
                _ => false,
            });
            self.tell(&mut state, Message::ApprovalTaken { request_id: id, taken });
        }
    }

    /// A request and where it stands.
    pub async fn get(&self, id: RequestId) -> Option<Standing> {
        let state = self.state();
        let entry = state.requests.get(&id)?;
        let status = entry.status.borrow().clone();
        Some(Standing { request: entry.request.clone(), status })
    }

    /// Every request that has not ended, oldest first.
    pub fn open(&self) -> Vec<Standing> {
        let state = self.state();
        let standing =
            |entry: &Entry| Standing { request: entry.request.clone(), status: entry.status.borrow().clone() };
        let mut open: Vec<_> = state.requests.values().map(standing).collect();
        open.retain(|standing| !matches!(standing.status, Status::Ended { .. }));
        open.sort_by_key(|standing| (standing.request.created_ms, standing.request.id));
        open
    }

    /// The open request whose id begins so.
    pub fn find(&self, prefix: &str) -> Result<RequestId, FindError> {
        let prefix = prefix.to_lowercase();
        let open = self.open();
        let mut named = open.iter().map(|standing| standing.request.id).filter(|id| id.begins(&prefix));
        match (named.next(), named.count()) {
            (Some(id), 0) => Ok(id),
            (Some(_), more) => Err(FindError::Ambiguous(prefix, more + 1)),
            (None, _) => Err(FindError::None(prefix)),
        }
    }

    /// Ends a request, unless it has ended. One that was denied ends as a rejection whatever comes.
    async fn end(&self, id: RequestId, outcome: &Outcome, surface: &str) -> Result<Standing, AnswerError> {
        let mut state = self.state();
        let entry = state.requests.get(&id).ok_or(AnswerError::Unknown(id))?;
        let standing = |status| Box::new(Standing { request: entry.request.clone(), status });
        let (now, resolution) = (entry.status.borrow().clone(), Resolution::of(outcome, surface));
        let resolution = match &now {
            Status::Open if resolution.outcome == End::ApprovedSession && !entry.request.offers_session => {
                return Err(AnswerError::NoGrant(id));
            }
            Status::Open => resolution,
            Status::Ended { .. } => return Err(AnswerError::Ended(standing(now))),
            Status::Denied { by, .. } if surface == NOBODY => Resolution {
                outcome: End::RejectedNoReason,
                by: Some(by.clone()),
                reason: None,
                reason_source: Some(ReasonSource::Timeout),
                cause: None,
                rule: None,
            },
            Status::Denied { by, .. } if resolution.reason_source.is_some() && resolution.by.as_ref() == Some(by) => {
                resolution
            }
            Status::Denied { .. } => return Err(AnswerError::Denied(standing(now))),
        };
        let ended = Status::Ended { resolution, ended_ms: self.now_ms(), taken: None };
        let approval = standing(ended.clone());
        entry.status.send_replace(ended);
        self.tell(&mut state, Message::ApprovalResolved { approval: approval.clone() });
        Ok(*approval)
    }

    fn tell(&self, state: &mut State, message: Message) {
        state.events += 1;
        let _ = self.shared.bus.publish(Event { event_id: Some(state.events), at_ms: self.now_ms(), message });
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Approvals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Approvals").finish_non_exhaustive()
    }
}
