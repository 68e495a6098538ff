//! One change of a request: which caller is first, what is recorded, and what happens if recording fails.

use std::sync::Arc;
use std::time::Duration;

use dmplz_core::approvers::Approver;
use dmplz_core::request::{Answer, Command, Outcome, Resolution};
use dmplz_protocol::{Message, Request, RequestId, Standing, Status};
use tokio::sync::{OwnedSemaphorePermit, oneshot};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};

use super::entry::{Denial, Ended, LAST_LOOK, Life, Step, denied};
use super::owner::{Change, MOST_TURNS, State};
use super::{AnswerError, Approvals};
use crate::disk::ledger::Record;
use crate::disk::{DiskError, masked, masked_end};

/// How long an ended request stays in memory: most clients that look it up do so right after its end.
const LINGER: Duration = Duration::from_secs(60);

/// How long to wait before recording an end again.
const RETRY: Duration = Duration::from_secs(2);

/// How long an approval that came too late waits for the request's end, at most: longer than the request can stay open, unless the
/// disk is slow.
const END: Duration = Duration::from_secs(2);

/// The size of a request, in bytes, above which masking it on the runtime would hold up all other tasks.
const LONG: usize = 16 << 10;

/// How a caller's attempt to change a request begins.
pub(super) enum Begun {
    /// The caller was first, and holds the request until [`Approvals::carry_out`] has finished.
    First(Turn, Step),
    /// The request's time was over before the caller came; the step now ends it.
    Late(Turn, Step),
    /// The caller allows a request whose time is over, with this outcome. It stays open for a moment yet, because a denial
    /// that was made in time may be on its way.
    TooLate(Arc<Request>, Outcome),
    /// Another caller holds the request. The receiver fires when that caller has finished.
    Waits(oneshot::Receiver<()>),
    /// The request's time has not come yet.
    NotYet,
    /// The request is not in memory.
    NotHere,
}

/// The right to change one request. Dropping it unused leaves the request unchanged and lets the next caller in.
pub(super) struct Turn {
    approvals: Approvals,
    request: Arc<Request>,
    is_over: bool,
    /// [`Approvals::close`] waits until every permit is returned.
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
    /// Applies a command to a request, unless another command ended it first. When this returns `Ok`, the resulting
    /// status is on disk.
    pub async fn apply(&self, id: RequestId, command: Command) -> Result<Standing, AnswerError> {
        let lost = |_| Err(AnswerError::NotRecorded(id, Some(DiskError::Gone)));
        loop {
            match self.begin(id, Some(&command))? {
                Begun::First(turn, step) => return Self::carry_out(turn, step).await.unwrap_or_else(lost),
                // The next round of the loop sees the resulting status.
                Begun::Late(turn, step) => drop(Self::carry_out(turn, step).await),
                Begun::TooLate(request, outcome) => {
                    let (ended, request) = (Ended::of(outcome, self.now_ms()), shown(request).await);
                    return Err(AnswerError::Ended(ended.standing(&request).into()));
                }
                Begun::Waits(turn) => drop(turn.await),
                Begun::NotYet => return Err(AnswerError::Unknown(id)),
                Begun::NotHere => {
                    return Err(match self.shared.ledger.get(id).await {
                        Ok(Some(standing)) if matches!(standing.status, Status::Ended { .. }) => {
                            AnswerError::Ended(standing.into())
                        }
                        Ok(_) => AnswerError::Unknown(id),
                        Err(error) => AnswerError::Unreadable(id, error),
                    });
                }
            }
        }
    }

    /// Does the same as [`Self::answer`], for a surface that says at once how the request ended. An approval that came too
    /// late first waits for that end: a denial that was made in time may still be on its way.
    pub(crate) async fn respond(&self, id: RequestId, answer: Answer, by: Approver) -> Result<Standing, AnswerError> {
        let told = match self.answer(id, answer, by).await {
            Err(AnswerError::Ended(told)) => told,
            answered => return answered,
        };
        let end = async {
            self.ended(id).await.ok()?;
            self.get(id).await
        };
        let ended = timeout(END, end).await.ok().flatten();
        Err(AnswerError::Ended(ended.map_or(told, Box::new)))
    }

    /// Stops taking commands, and returns when the earlier ones are on disk and their askers know. A command that had
    /// arrived before this call still counts if it is applied within 100 ms.
    pub async fn close(&self) {
        sleep(LAST_LOOK).await;
        // Spawned, so that the semaphore is closed even if the caller of `close` goes away.
        let all = Arc::clone(&self.shared.turns).acquire_many_owned(MOST_TURNS);
        let _ = tokio::spawn(async move { all.await.map(OwnedSemaphorePermit::forget) }).await;
    }

    /// Decides which caller is first. Without a command, the caller reports that the request's time has come.
    pub(super) fn begin(&self, id: RequestId, command: Option<&Command>) -> Result<Begun, AnswerError> {
        let (now, now_ms) = (Instant::now(), self.now_ms());
        let permit = Arc::clone(&self.shared.turns).try_acquire_owned().map_err(|_| AnswerError::Closing(id))?;
        let mut state = self.state();
        let State { requests, looks, .. } = &mut *state;
        let Some(entry) = requests.get_mut(&id) else { return Ok(Begun::NotHere) };
        if entry.busy && !entry.has_ended() {
            let (turn, waits) = oneshot::channel();
            entry.turns.push(turn);
            return Ok(Begun::Waits(waits));
        }
        let due = entry.due().is_some_and(|due| due <= now);
        if command.is_none() && !(due && entry.ends.is_some_and(|ends| ends <= now)) {
            return Ok(Begun::NotYet);
        }
        // A denial counts until the request has ended: this process may have been suspended when it arrived.
        let in_time = command.filter(|command| !due || command.denies());
        let step = in_time.cloned().unwrap_or_else(|| entry.expiry());
        let step = entry.step(step, self.shared.rules.reason_timeout, now, now_ms)?;
        let is_late = command.is_some() && in_time.is_none();
        let allows = matches!(command, Some(Command::Answer { answer: Answer::Allow(_), .. }));
        let request = Arc::clone(&entry.request);
        let step = match step {
            Step::End(outcome) if is_late && allows && entry.life == Life::Open && entry.held(looks, now).is_some() => {
                return Ok(Begun::TooLate(request, outcome));
            }
            step => step,
        };
        entry.busy = true;
        let turn = Turn { approvals: self.clone(), request, is_over: false, _permit: permit };
        Ok(if is_late { Begun::Late(turn, step) } else { Begun::First(turn, step) })
    }

    /// Records a change and then applies it. The task continues even if nobody awaits it.
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
            // Nobody may be promised time for a reason, but the asker is denied.
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

    /// Returns what to do once an end is on disk: it applies the end and yields the event and the waiters to tell.
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

    /// Applies an end that is no allow, although the disk did not take it. The event is published now without a number,
    /// and again with its number once it is recorded.
    fn end_unrecorded(&self, request: Arc<Request>, ended: Ended) {
        let approval = Box::new(ended.standing(&request));
        let (id, at_ms, life) = (request.id, ended.ended_ms, Life::Ended(Box::new(ended)));
        let waiters = self.change(id, Change { life, request: Some(request), wake: Some(Instant::now() + RETRY) });
        self.publish(None, at_ms, Message::ApprovalResolved { approval });
        waiters.tell();
    }

    /// Tries once more to record an end.
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
                // The disk already has an end of this request.
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

/// Returns the masked request, as it is shown once it has ended.
async fn shown(request: Arc<Request>) -> Arc<Request> {
    if request.weight() <= LONG {
        return Arc::new(masked(&request));
    }
    let long = Arc::clone(&request);
    tokio::task::spawn_blocking(move || Arc::new(masked(&long))).await.unwrap_or_else(|_| Arc::new(masked(&request)))
}
