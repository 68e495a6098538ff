//! One change of a request: who is first, what goes to the disk, and what if that fails.

use std::sync::Arc;
use std::time::Duration;

use dmplz_core::request::{Command, Outcome, Resolution};
use dmplz_protocol::{Message, Request, RequestId, Standing, Status};
use tokio::sync::{OwnedSemaphorePermit, oneshot};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

use super::entry::{Denial, Ended, Life, Step, denied};
use super::expiry::LAST_LOOK;
use super::ledger::Record;
use super::owner::{Change, MOST_TURNS};
use super::{AnswerError, Approvals};
use crate::disk::{DiskError, masked, masked_end};

/// How long a request that ended stays in memory: most who ask for it do so right then.
const LINGER: Duration = Duration::from_secs(60);

/// How long until the record of an end is tried again.
const RETRY: Duration = Duration::from_secs(2);

/// Bytes of a request above which masking it would hold up everybody else on the runtime.
const LONG: usize = 16 << 10;

/// How it goes on for somebody who wants to change a request.
pub(super) enum Begun {
    /// He was first, and the request is his until [`Approvals::carry_out`] is through.
    First(Turn, Step),
    /// Its time was over before he came; now it ends by that.
    Late(Turn, Step),
    /// Somebody else has it: until then.
    Waits(oneshot::Receiver<()>),
    /// It is not time for it.
    NotYet,
    /// It is not in memory.
    NotHere,
}

/// The right to change one request. Dropped before its end, it leaves the request as it was, and the next caller may change it.
pub(super) struct Turn {
    approvals: Approvals,
    request: Arc<Request>,
    is_over: bool,
    /// What [`Approvals::close`] waits for.
    _permit: OwnedSemaphorePermit,
}

impl Turn {
    fn end(mut self) {
        self.is_over = true;
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if !self.is_over {
            self.approvals.give_back(self.request.id);
        }
    }
}

impl Approvals {
    /// Carries out a command on a request, unless another command ended it first. When this returns what it made of the
    /// request is on disk.
    pub async fn apply(&self, id: RequestId, command: Command) -> Result<Standing, AnswerError> {
        let lost = |_| Err(AnswerError::NotRecorded(id, Some(DiskError::Gone)));
        loop {
            match self.begin(id, Some(&command))? {
                Begun::First(turn, step) => return Self::carry_out(turn, step).await.unwrap_or_else(lost),
                // What became of it is seen by looking again.
                Begun::Late(turn, step) => drop(Self::carry_out(turn, step).await),
                Begun::Waits(turn) => drop(turn.await),
                Begun::NotYet => return Err(AnswerError::Unknown(id)),
                Begun::NotHere => {
                    return Err(match self.shared.ledger.get(id).await {
                        Ok(Some(standing)) if matches!(standing.status, Status::Ended { .. }) => {
                            AnswerError::Ended(standing.into())
                        }
                        Ok(_) => AnswerError::Unknown(id),
                        Err(error) => AnswerError::NotRecorded(id, Some(error)),
                    });
                }
            }
        }
    }

    /// Takes no command from now on, and returns when those before are on disk and whoever asked knows. What arrived
    /// before this was called still counts, where it is brought within 100 ms.
    pub async fn close(&self) {
        sleep(LAST_LOOK).await;
        // Where nobody waits for this any more, it stays closed all the same.
        let all = Arc::clone(&self.shared.turns).acquire_many_owned(MOST_TURNS);
        let _ = tokio::spawn(async move { all.await.map(OwnedSemaphorePermit::forget) }).await;
    }

    /// Says who is first. Without a command it is time for the request.
    pub(super) fn begin(&self, id: RequestId, command: Option<&Command>) -> Result<Begun, AnswerError> {
        let (now, now_ms) = (Instant::now(), self.now_ms());
        let permit = Arc::clone(&self.shared.turns).try_acquire_owned().map_err(|_| AnswerError::Closing(id))?;
        let mut state = self.state();
        let Some(entry) = state.requests.get_mut(&id) else { return Ok(Begun::NotHere) };
        if entry.busy && !entry.has_ended() {
            let (turn, waits) = oneshot::channel();
            entry.turns.push(turn);
            return Ok(Begun::Waits(waits));
        }
        let due = entry.due().is_some_and(|due| due <= now);
        if command.is_none() && !(due && entry.ends.is_some_and(|ends| ends <= now)) {
            return Ok(Begun::NotYet);
        }
        // A denial counts until the request has ended: this process may have been suspended while it came in.
        let in_time = command.filter(|command| !due || command.denies());
        let step = in_time.cloned().unwrap_or_else(|| entry.expiry());
        let step = entry.step(step, self.shared.rules.reason_timeout, now, now_ms)?;
        entry.busy = true;
        let request = Arc::clone(&entry.request);
        let turn = Turn { approvals: self.clone(), request, is_over: false, _permit: permit };
        let is_late = command.is_some() && in_time.is_none();
        Ok(if is_late { Begun::Late(turn, step) } else { Begun::First(turn, step) })
    }

    /// Puts a change on the disk, and then into effect. It goes on when nobody waits for it.
    pub(super) fn carry_out(turn: Turn, step: Step) -> JoinHandle<Result<Standing, AnswerError>> {
        tokio::spawn(async move {
            let request = Arc::clone(&turn.request);
            let changed = match step {
                Step::Deny(denial) => turn.approvals.carry_out_denial(request, denial).await,
                Step::End(outcome) => turn.approvals.carry_out_end(request, outcome).await,
            };
            turn.end();
            changed
        })
    }

    async fn carry_out_denial(&self, request: Arc<Request>, denial: Denial) -> Result<Standing, AnswerError> {
        let (id, at_ms) = (request.id, self.now_ms());
        let standing = Standing { request: (*request).clone(), status: denied(&denial) };
        let (by, until_ms, instead) = (denial.by.answerer().clone(), denial.until.unix_ms, denial.instead);
        let record = Record::Denied { id, by, until_ms, instead };
        let (this, approval, life) = (self.clone(), Box::new(standing.clone()), Life::Denied(denial.clone()));
        let kept = move || {
            let waiters = this.change(id, Change { life, request: None, wake: None });
            (Some(Message::ApprovalDenied { approval }), waiters)
        };
        match self.keep(record, at_ms, kept).await {
            Ok(Some(_)) => {
                self.tell_denied(id).await;
                Ok(standing)
            }
            // Nobody may be promised that there is time for a reason, but whoever asked is denied.
            failed => {
                let ended = Ended::of(denial.silent(), at_ms);
                self.end_unrecorded(shown(request).await, ended);
                Err(AnswerError::NotRecorded(id, failed.err()))
            }
        }
    }

    async fn carry_out_end(&self, request: Arc<Request>, exact: Outcome) -> Result<Standing, AnswerError> {
        let (id, at_ms) = (request.id, self.now_ms());
        let allows = matches!(exact, Outcome::Approved { .. });
        let record = Record::Ended { id, resolution: Resolution::of(&exact) };
        let (masked, ended) = (shown(Arc::clone(&request)).await, Ended::of(exact, at_ms));
        let standing = ended.standing(&masked);
        let kept = self.clone().recorded(Arc::clone(&masked), ended.clone(), Instant::now() + LINGER);
        match self.keep(record, at_ms, kept).await {
            Ok(Some(_)) => Ok(standing),
            failed => {
                match allows {
                    true => self.change(id, Change { life: Life::Open, request: None, wake: None }).tell(),
                    false => self.end_unrecorded(masked, ended),
                }
                Err(AnswerError::NotRecorded(id, failed.err()))
            }
        }
    }

    /// An end is on the disk.
    fn recorded(
        self,
        request: Arc<Request>,
        ended: Ended,
        linger: Instant,
    ) -> impl FnOnce() -> (Option<Message>, super::Waiters) + Send + 'static {
        move || {
            let approval = Box::new(ended.standing(&request));
            let (id, life) = (request.id, Life::Ended(Box::new(Ended { recorded: true, ..ended })));
            let waiters = self.change(id, Change { life, request: Some(request), wake: Some(linger) });
            (Some(Message::ApprovalResolved { approval }), waiters)
        }
    }

    /// An end that is no allow counts, although the disk does not take it. It is told now, and under its number once it
    /// has one.
    fn end_unrecorded(&self, request: Arc<Request>, ended: Ended) {
        let approval = Box::new(ended.standing(&request));
        let (id, at_ms, life) = (request.id, ended.ended_ms, Life::Ended(Box::new(ended)));
        let waiters = self.change(id, Change { life, request: Some(request), wake: Some(Instant::now() + RETRY) });
        self.publish(None, at_ms, Message::ApprovalResolved { approval });
        waiters.tell();
    }

    /// Tries once more to put an end on the disk.
    pub(super) fn record_again(&self, id: RequestId) {
        let mut state = self.state();
        let Some(entry) = state.requests.get_mut(&id) else { return };
        let Some(ended) = entry.ended().cloned() else { return };
        let request = Arc::clone(&entry.request);
        drop(state);
        let this = self.clone();
        tokio::spawn(async move {
            let linger = Instant::now() + LINGER;
            let record = Record::Ended { id, resolution: Resolution::of(&ended.exact) };
            let kept = this.clone().recorded(Arc::clone(&request), ended.clone(), linger);
            let wake = match this.keep(record, ended.ended_ms, kept).await {
                Ok(Some(_)) => return this.record_taken_again(id).await,
                // The disk has an end of it.
                Ok(None) => return drop(this.recorded(request, ended, linger)()),
                Err(_) => Some(Instant::now() + RETRY),
            };
            let sooner = this.state().wake(id, wake);
            if sooner {
                this.shared.sooner.notify_one();
            }
        });
    }
}

impl Ended {
    fn of(exact: Outcome, ended_ms: u64) -> Self {
        Self { shown: masked_end(&Resolution::of(&exact)), exact, ended_ms, taken: None, recorded: false }
    }

    fn standing(&self, masked: &Request) -> Standing {
        let Self { shown, ended_ms, taken, .. } = self;
        let status = Status::Ended { resolution: shown.clone(), ended_ms: *ended_ms, taken: *taken };
        Standing { request: masked.clone(), status }
    }
}

/// The request as it is shown from its end on.
async fn shown(request: Arc<Request>) -> Arc<Request> {
    if request.weight() <= LONG {
        return Arc::new(masked(&request));
    }
    let long = Arc::clone(&request);
    tokio::task::spawn_blocking(move || Arc::new(masked(&long))).await.unwrap_or_else(|_| Arc::new(masked(&request)))
}
