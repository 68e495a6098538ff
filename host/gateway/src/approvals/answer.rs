//! One change of a request: who is first, what goes to the disk, and what if that fails.

use std::sync::Arc;
use std::time::Duration;

use dmplz_core::request::Resolution;
use dmplz_protocol::{Message, Request, RequestId, Standing, Status};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::entry::{Command, Ended, Phase, Step, silent};
use super::ledger::Record;
use super::owner::Change;
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
    First(Arc<Request>, Step),
    /// Its time was over before he came; now it ends by that.
    Late(Arc<Request>, Step),
    /// Somebody else has it: until then.
    Waits(oneshot::Receiver<()>),
    /// It is not time for it.
    NotYet,
    /// It is not in memory.
    NotHere,
}

/// The right to change one request. Dropped before its end, it leaves the request as it was, and the next caller may change it.
struct Turn {
    approvals: Approvals,
    id: RequestId,
    is_over: bool,
}

impl Turn {
    fn end(mut self) {
        self.is_over = true;
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if !self.is_over {
            self.approvals.give_back(self.id);
        }
    }
}

impl Approvals {
    /// Carries out a command on a request, unless another command ended it first.
    pub(super) async fn apply(&self, id: RequestId, command: Command) -> Result<Standing, AnswerError> {
        let lost = |_| Err(AnswerError::NotRecorded(id, Some(DiskError::Gone)));
        loop {
            match self.begin(id, &command)? {
                Begun::First(request, step) => return self.carry_out(request, step).await.unwrap_or_else(lost),
                // What became of it is seen by looking again.
                Begun::Late(request, step) => drop(self.carry_out(request, step).await),
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

    /// Says who is first.
    pub(super) fn begin(&self, id: RequestId, command: &Command) -> Result<Begun, AnswerError> {
        let (now, now_ms) = (Instant::now(), self.now_ms());
        let mut state = self.state();
        let Some(entry) = state.requests.get_mut(&id) else { return Ok(Begun::NotHere) };
        if entry.busy && !entry.has_ended() {
            let (turn, waits) = oneshot::channel();
            entry.turns.push(turn);
            return Ok(Begun::Waits(waits));
        }
        let due = entry.due().is_some_and(|due| due <= now);
        let by_time = matches!(command, Command::Time);
        if by_time && !(due && entry.ends.is_some_and(|ends| ends <= now)) {
            return Ok(Begun::NotYet);
        }
        // A denial counts until the request has ended: this process may have been suspended while it came in.
        let due = due && !command.denies();
        let command = if due { &Command::Time } else { command };
        let step = entry.step(command, self.shared.rules.reason_timeout, now, now_ms)?;
        entry.busy = true;
        let request = Arc::clone(&entry.request);
        Ok(if due && !by_time { Begun::Late(request, step) } else { Begun::First(request, step) })
    }

    /// Puts a change on the disk, and then into effect. It goes on when nobody waits for it.
    pub(super) fn carry_out(&self, request: Arc<Request>, step: Step) -> JoinHandle<Result<Standing, AnswerError>> {
        let turn = Turn { approvals: self.clone(), id: request.id, is_over: false };
        tokio::spawn(async move {
            let changed = match step {
                Step::Deny { .. } => turn.approvals.carry_out_denial(request, step).await,
                Step::End(resolution) => turn.approvals.carry_out_end(request, resolution).await,
            };
            turn.end();
            changed
        })
    }

    async fn carry_out_denial(&self, request: Arc<Request>, step: Step) -> Result<Standing, AnswerError> {
        let Step::Deny { by, until_ms, until, instead } = step else { return Err(AnswerError::Unknown(request.id)) };
        let (id, at_ms) = (request.id, self.now_ms());
        let status = Status::Denied { by: by.clone(), until_ms, instead };
        let standing = Standing { request: (*request).clone(), status };
        let record = Record::Denied { id, by: by.clone(), until_ms, instead };
        let (this, approval) = (self.clone(), Box::new(standing.clone()));
        let phase = Phase::Denied { by: by.clone(), until_ms, until, instead };
        let kept = move || {
            let waiters = this.change(id, Change { phase, request: None, wake: None });
            (Some(Message::ApprovalDenied { approval }), waiters)
        };
        match self.keep(record, at_ms, kept).await {
            Ok(Some(_)) => {
                self.tell_denied(id).await;
                Ok(standing)
            }
            // Nobody may be promised that there is time for a reason, but whoever asked is denied.
            failed => {
                let ended = Ended::of(silent(&by), at_ms);
                self.end_unrecorded(shown(request).await, ended);
                Err(AnswerError::NotRecorded(id, failed.err()))
            }
        }
    }

    async fn carry_out_end(&self, request: Arc<Request>, exact: Resolution) -> Result<Standing, AnswerError> {
        let (id, at_ms) = (request.id, self.now_ms());
        let allows = exact.outcome.is_approval();
        let record = Record::Ended { id, resolution: exact.clone() };
        let (masked, ended) = (shown(Arc::clone(&request)).await, Ended::of(exact, at_ms));
        let standing = ended.standing(&masked);
        let kept = self.clone().recorded(Arc::clone(&masked), ended.clone(), Instant::now() + LINGER);
        match self.keep(record, at_ms, kept).await {
            Ok(Some(_)) => Ok(standing),
            failed => {
                match allows {
                    true => self.change(id, Change { phase: Phase::Open, request: None, wake: None }).tell(),
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
            let (id, phase) = (request.id, Phase::Ended(Box::new(Ended { recorded: true, ..ended })));
            let waiters = self.change(id, Change { phase, request: Some(request), wake: Some(linger) });
            (Some(Message::ApprovalResolved { approval }), waiters)
        }
    }

    /// An end that is no allow counts, although the disk does not take it. It is told now, and under its number once it
    /// has one.
    fn end_unrecorded(&self, request: Arc<Request>, ended: Ended) {
        let approval = Box::new(ended.standing(&request));
        let (id, at_ms, phase) = (request.id, ended.ended_ms, Phase::Ended(Box::new(ended)));
        let waiters = self.change(id, Change { phase, request: Some(request), wake: Some(Instant::now() + RETRY) });
        self.publish(None, at_ms, Message::ApprovalResolved { approval });
        waiters.tell();
    }

    /// Tries once more to put an end on the disk.
    pub(super) fn record_again(&self, id: RequestId) {
        let mut state = self.state();
        let Some(entry) = state.requests.get_mut(&id) else { return };
        let Phase::Ended(ended) = &entry.phase else { return };
        let (request, ended) = (Arc::clone(&entry.request), (**ended).clone());
        drop(state);
        let this = self.clone();
        tokio::spawn(async move {
            let linger = Instant::now() + LINGER;
            let record = Record::Ended { id, resolution: ended.exact.clone() };
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
    fn of(exact: Resolution, ended_ms: u64) -> Self {
        Self { shown: masked_end(&exact), exact, ended_ms, taken: None, recorded: false }
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
