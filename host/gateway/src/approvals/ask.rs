//! How a request comes in, how the asker waits for its end, and how the asker reports whether it took the decision.

use std::sync::Arc;
use std::time::Duration;

use dmplz_core::card::Subject;
use dmplz_core::claude::ToolCall;
use dmplz_core::request::Offer;
use dmplz_protocol::{Message, Request, RequestId, Source, Standing, Status};
use dmplz_state::store::StoreError;
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::entry::{Entry, Life};
use super::owner::{Change, Waiters};
use super::{AnswerError, Approvals};
use crate::bus::AskError;
use crate::clock::millis;
use crate::disk::DiskError;
use crate::disk::ledger::Record;

/// The most requests that may be open at once: people cannot answer more.
const MOST: usize = 20_000;

/// The most bytes that all requests in memory may hold, including those that ended a moment ago.
const MOST_BYTES: usize = 512 << 20;

enum Place {
    /// It must be recorded; it expires at this moment.
    New(Instant),
    /// It is recorded already.
    Known,
    /// Another call is recording it.
    Waits(oneshot::Receiver<()>),
    /// It is not in memory, and no surface is there to show it.
    NobodyListens,
}

impl Approvals {
    /// Returns the request to make a call. It begins now, and stays open for as long as the rules allow.
    pub(crate) fn request(
        &self,
        id: RequestId,
        source: Source,
        call: ToolCall,
        cwd: String,
        subject: Subject,
        offer: Offer,
    ) -> Request {
        let created_ms = self.now_ms();
        let expires_ms = created_ms.saturating_add(millis(self.shared.rules.expiry));
        Request { id, source, tool: call.tool, input: call.input, cwd, subject, offer, created_ms, expires_ms }
    }

    /// Puts a request before the surfaces. Asking the same request again is no error, even after its end: a hook that
    /// lost its connection then waits for the same answer.
    pub async fn ask(&self, request: Request) -> Result<(), AskError> {
        request.check()?;
        self.start();
        let (id, request) = (request.id, Arc::new(request));
        loop {
            match self.place(&request)? {
                Place::Known => return Ok(()),
                Place::Waits(turn) => drop(turn.await),
                Place::NobodyListens => return self.ask_again(&request, AskError::NobodyListens).await,
                Place::New(expires) => {
                    let (this, new) = (self.clone(), Arc::clone(&request));
                    let asked = tokio::spawn(async move { this.put(new, expires).await });
                    return match asked.await.unwrap_or(Err(DiskError::Gone)) {
                        Ok(()) => Ok(()),
                        Err(DiskError::Store(StoreError::IdTaken(_))) => {
                            self.ask_again(&request, AskError::IdTaken(id)).await
                        }
                        Err(error) => Err(AskError::NotRecorded(id, error)),
                    };
                }
            }
        }
    }

    /// Waits until the request has ended. The resolution is unmasked, unless the gateway was restarted since.
    pub async fn ended(&self, id: RequestId) -> Result<Standing, AnswerError> {
        let end = {
            let mut state = self.state();
            match state.requests.get_mut(&id) {
                Some(entry) if entry.has_ended() => return Ok(entry.exact()),
                Some(entry) => {
                    let (asker, end) = oneshot::channel();
                    entry.askers.retain(|asker| !asker.is_closed());
                    entry.askers.push(asker);
                    Some(end)
                }
                None => None,
            }
        };
        if let Some(end) = end {
            return end.await.map(|standing| *standing).map_err(|_| AnswerError::Unknown(id));
        }
        match self.shared.ledger.get(id).await {
            Ok(Some(standing)) if matches!(standing.status, Status::Ended { .. }) => Ok(standing),
            Ok(_) => Err(AnswerError::Unknown(id)),
            Err(error) => Err(AnswerError::Unreadable(id, error)),
        }
    }

    /// Notes whether the asker took the decision. Only the first call counts, and only after the request has ended.
    pub async fn taken(&self, id: RequestId, taken: bool) {
        {
            let mut state = self.state();
            match state.requests.get_mut(&id).map(|entry| entry.ended_mut()) {
                // It is recorded after the end itself: see `record_taken_again`.
                Some(Some(ended)) if !ended.recorded => {
                    ended.taken = ended.taken.or(Some(taken));
                    return;
                }
                Some(Some(_)) | None => {}
                Some(None) => return,
            }
        }
        self.keep_taken(id, taken).await;
    }

    /// Records whether the decision was taken, which is possible now that the end is on disk.
    pub(super) async fn record_taken_again(&self, id: RequestId) {
        let taken = self.state().requests.get(&id).and_then(|entry| entry.ended()).and_then(|ended| ended.taken);
        if let Some(taken) = taken {
            self.keep_taken(id, taken).await;
        }
    }

    async fn keep_taken(&self, id: RequestId, taken: bool) {
        let this = self.clone();
        let kept = move || {
            if let Some(ended) = this.state().requests.get_mut(&id).and_then(|entry| entry.ended_mut()) {
                ended.taken = Some(taken);
            }
            (Some(Message::ApprovalTaken { request_id: id, taken }), Waiters::default())
        };
        // If this is not recorded, the history shows it as unknown, which is then true.
        let _ = self.keep(Record::Taken { id, taken }, self.now_ms(), kept).await;
    }

    fn place(&self, request: &Arc<Request>) -> Result<Place, AskError> {
        let life = Duration::from_millis(request.expires_ms.saturating_sub(request.created_ms));
        let expires = Instant::now() + life.min(self.shared.rules.expiry);
        let mut state = self.state();
        let state = &mut *state;
        if let Some(known) = state.requests.get_mut(&request.id) {
            // An ended request is masked in memory, so the ledger compares.
            if known.has_ended() {
                return Ok(Place::NobodyListens);
            }
            if !known.request.is_again(request) {
                return Err(AskError::IdTaken(request.id));
            }
            if !known.is_new {
                return Ok(Place::Known);
            }
            let (turn, waits) = oneshot::channel();
            known.turns.push(turn);
            return Ok(Place::Waits(waits));
        }
        if state.surfaces.is_empty() {
            return Ok(Place::NobodyListens);
        }
        let entry = Entry { is_new: true, busy: true, ..Entry::new(Arc::clone(request), Life::Open, expires) };
        if state.unfinished >= MOST || state.weight.saturating_add(entry.weight) > MOST_BYTES {
            return Err(AskError::TooMany(state.unfinished));
        }
        state.insert(entry);
        Ok(Place::New(expires))
    }

    /// Records a new request and puts it before the surfaces.
    async fn put(&self, request: Arc<Request>, expires: Instant) -> Result<(), DiskError> {
        let (id, this) = (request.id, self.clone());
        let approval = Box::new(Standing { request: (*request).clone(), status: Status::Open });
        let kept = move || {
            let waiters = this.change(id, Change { life: Life::Open, request: None, wake: Some(expires) });
            (Some(Message::ApprovalRequested { approval }), waiters)
        };
        let kept = self.keep(Record::Asked(request), self.now_ms(), kept).await;
        if kept.is_err() {
            let forgotten = self.state().forget(id);
            Waiters::turns(forgotten.map(|entry| entry.turns).unwrap_or_default()).tell();
        }
        kept.map(drop)
    }

    /// Accepts a request that cannot be put before anybody now if the ledger has the same one; otherwise returns
    /// `otherwise`.
    async fn ask_again(&self, request: &Arc<Request>, otherwise: AskError) -> Result<(), AskError> {
        match self.shared.ledger.is_again(request).await {
            Ok(Some(true)) => Ok(()),
            Ok(Some(false)) => Err(AskError::IdTaken(request.id)),
            Ok(None) => Err(otherwise),
            Err(error) => Err(AskError::NotRecorded(request.id, error)),
        }
    }
}
