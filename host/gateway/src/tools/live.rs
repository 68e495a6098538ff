//! An invocation that waits or runs, and the tasks that carry it to its end.

use std::sync::{Arc, MutexGuard};
use std::time::Duration;

use dmplz_core::request::{ExpiredCause, Outcome};
use dmplz_protocol::tool::{Code, InvokeTool, Invoked, Report, State, Stream};
use dmplz_protocol::{Message, RequestId};
use tokio::sync::{OwnedSemaphorePermit, mpsc, watch};
use uuid::Uuid;

use super::Tools;
use super::call::timeout;
use super::output::{Chunk, Decoder, Kept};
use super::records::Record;
use super::run::{self, Ended, Taker};
use super::state::{Event, step};
use crate::bus::Awaited;
use crate::mutex::Mutex;

/// An invocation in memory.
pub(super) struct Live {
    record: Mutex<Record>,
    /// The call, with the values of its variables unless a restart lost them.
    invocation: InvokeTool,
    stdout: Mutex<Written>,
    stderr: Mutex<Written>,
    state: watch::Sender<State>,
    stop: watch::Sender<Stop>,
    slot: Mutex<Option<OwnedSemaphorePermit>>,
    follower: Mutex<Option<mpsc::Sender<Chunk>>>,
}

/// Whether, and why, it must end early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    No,
    /// The asker cancelled it.
    Cancelled,
    /// The gateway is stopping.
    Closing,
}

#[derive(Debug)]
struct Written {
    kept: Kept,
    decoder: Decoder,
    /// How many more bytes are published to subscribers.
    left: usize,
}

#[derive(Clone)]
struct Teller {
    tools: Tools,
    live: Arc<Live>,
}

impl Live {
    pub(super) fn new(record: Record, invocation: InvokeTool, kept: usize, slot: Option<OwnedSemaphorePermit>) -> Self {
        let written = || Mutex::new(Written { kept: Kept::new(kept), decoder: Decoder::default(), left: kept });
        Self {
            state: watch::Sender::new(record.report.state),
            record: Mutex::new(record),
            invocation,
            stdout: written(),
            stderr: written(),
            stop: watch::Sender::new(Stop::No),
            slot: Mutex::new(slot),
            follower: Mutex::default(),
        }
    }

    /// Returns the channel of all further output. The command is slowed to the reader's pace.
    pub(super) fn follow(&self) -> mpsc::Receiver<Chunk> {
        let (sender, receiver) = mpsc::channel(FOLLOWED);
        *self.follower.lock() = Some(sender);
        receiver
    }

    pub(super) fn id(&self) -> Uuid {
        self.record.lock().report.invocation_id
    }

    pub(super) fn request_id(&self) -> RequestId {
        self.record.lock().request_id
    }

    pub(super) fn state(&self) -> State {
        *self.state.borrow()
    }

    pub(super) fn invoked(&self) -> Invoked {
        let state = self.state();
        let awaiting_approval = state == State::AwaitingApproval;
        let approval_id = awaiting_approval.then(|| self.request_id());
        Invoked { invocation_id: self.id(), awaiting_approval, state, approval_id }
    }

    pub(super) fn report(&self) -> Report {
        self.record().report
    }

    /// Returns the present record, including the output so far.
    pub(super) fn record(&self) -> Record {
        let mut record = self.record.lock().clone();
        let (stdout, stderr) = (self.stdout.lock(), self.stderr.lock());
        record.report.output = [stdout.kept.pieces(Stream::Stdout), stderr.kept.pieces(Stream::Stderr)].concat();
        record.report.truncated = stdout.kept.is_truncated() || stderr.kept.is_truncated();
        record
    }

    /// Asks the invocation to end. The first reason counts.
    pub(super) fn stop(&self, why: Stop) {
        self.stop.send_if_modified(|stop| {
            let first = *stop == Stop::No;
            if first {
                *stop = why;
            }
            first
        });
    }

    pub(super) async fn ended(&self) {
        let _ = self.state.subscribe().wait_for(|state| state.is_final()).await;
    }

    fn why_stopped(&self) -> Stop {
        *self.stop.borrow()
    }

    async fn stopped(&self) {
        let _ = self.stop.subscribe().wait_for(|stop| *stop != Stop::No).await;
    }

    fn written(&self, stream: Stream) -> MutexGuard<'_, Written> {
        match stream {
            Stream::Stdout => self.stdout.lock(),
            Stream::Stderr => self.stderr.lock(),
        }
    }

    /// Waits until the gateway stops.
    async fn closes(&self) {
        let _ = self.stop.subscribe().wait_for(|stop| *stop == Stop::Closing).await;
    }

    /// Returns whether the values of its variables are lost.
    fn lost_values(&self) -> bool {
        let bound = self.record.lock().binding.as_ref().map_or(0, |binding| binding.environment.len());
        bound != self.invocation.env.len()
    }
}

impl Tools {
    /// Waits for the answer, and acts on it.
    pub(super) async fn wait(self, live: Arc<Live>, mut awaited: Awaited) {
        let outcome = tokio::select! {
            biased;
            // The next gateway takes the record up as it is.
            () = live.closes() => return awaited.leave(),
            outcome = awaited.outcome() => outcome,
        };
        let event = outcome.map_or_else(|| Event::fault(Code::Interrupted, GONE), |outcome| Event::of(&outcome));
        let Event::Allowed(_) = event else { return self.finish(&live, &event).await };
        let late = self.shared.approvals.now_ms() >= live.record.lock().until_ms;
        let event = match () {
            () if live.lost_values() => Event::fault(Code::Environment, LOST),
            () if late => Event::of(&Outcome::Expired(ExpiredCause::Nobody)),
            () => event,
        };
        if matches!(event, Event::Allowed(_)) {
            if self.advance(&live, &event).await {
                return self.carry_out(live).await;
            }
        } else {
            self.finish(&live, &event).await;
        }
        self.shared.approvals.taken(live.request_id(), false).await;
    }

    /// Runs what was allowed, if it still matches what was shown.
    pub(super) async fn carry_out(self, live: Arc<Live>) {
        let request = live.request_id();
        let running = match self.start(&live).await {
            Ok(running) => running,
            Err(event) => {
                self.finish(&live, &event).await;
                return self.shared.approvals.taken(request, false).await;
            }
        };
        self.record(Message::ToolStarted { invocation_id: live.id() }).await;
        self.shared.approvals.taken(request, true).await;
        let limit = timeout(&live.invocation);
        let teller = Teller { tools: self.clone(), live: Arc::clone(&live) };
        let ended = running.end(limit, live.stopped(), &teller).await;
        let event = event_of(ended, live.why_stopped(), limit);
        self.finish(&live, &event).await;
    }

    async fn start(&self, live: &Arc<Live>) -> Result<run::Running, Event> {
        let bound = live.record.lock().binding.clone();
        let held = self.hold(live.invocation.clone()).await;
        let held = held.map_err(|error| Event::fault(Code::Mismatch, format!("It was not run: {error}.")))?;
        let changes = bound.map_or_else(|| vec!["what was shown"], |bound| bound.changes(&held.binding));
        if !changes.is_empty() {
            let what = changes.join(" and ");
            return Err(Event::fault(
                Code::Mismatch,
                format!("It was not run, because it is not what was shown: {what} changed."),
            ));
        }
        if live.why_stopped() != Stop::No {
            return Err(event_of(Ended::Stopped, live.why_stopped(), Duration::ZERO));
        }
        run::start(&held, &live.invocation, &self.shared.setup.base)
            .map_err(|error| Event::fault(Code::Start, format!("It could not be started: {error}.")))
    }

    /// Records an event and then applies it. Returns whether the event changed the state and is on disk.
    pub(super) async fn advance(&self, live: &Arc<Live>, event: &Event) -> bool {
        let Some((state, error)) = step(live.state(), event) else { return false };
        let mut next = live.record();
        next.report.state = state;
        next.report.error = error;
        if state.is_final() {
            next.report.ended_ms = Some(self.shared.approvals.now_ms());
        }
        if let Event::Exited { code, signal } = event {
            (next.report.exit_code, next.report.signal) = (*code, *signal);
        }
        let recorded = next.keep(&self.shared.disk).await.is_ok();
        if !recorded && !state.is_final() {
            let event = Event::fault(Code::NotRecorded, "It was not run, because the disk took no record of it.");
            Box::pin(self.advance(live, &event)).await;
            return false;
        }
        *live.record.lock() = next;
        if state.is_final() {
            live.slot.lock().take();
            live.follower.lock().take();
            self.retire(live.id());
        }
        live.state.send_replace(state);
        recorded
    }

    /// Ends the invocation: publishes the rest of its output, and the end.
    pub(super) async fn finish(&self, live: &Arc<Live>, event: &Event) {
        for stream in [Stream::Stdout, Stream::Stderr] {
            let rest = live.written(stream).decoder.finish();
            self.tell_output(live, stream, rest);
        }
        self.advance(live, event).await;
        let Report { invocation_id, state, exit_code, .. } = live.report();
        self.record(Message::ToolFinished { invocation_id, state, exit_code }).await;
    }

    /// Removes the oldest unmasked outputs beyond the limit from memory.
    fn retire(&self, id: Uuid) {
        let mut known = self.shared.known.lock();
        known.ended.push_back(id);
        while known.ended.len() > self.shared.setup.limits.remembered {
            if let Some(oldest) = known.ended.pop_front() {
                known.live.remove(&oldest);
            }
        }
    }

    fn tell_output(&self, live: &Live, stream: Stream, text: String) {
        if !text.is_empty() {
            self.shared.approvals.tell(Message::ToolOutput { invocation_id: live.id(), stream, text });
        }
    }

    /// Records a message in the audit trail and publishes it. If the disk fails, it is published only.
    async fn record(&self, message: Message) {
        if self.shared.approvals.record(message.clone()).await.is_err() {
            self.shared.approvals.tell(message);
        }
    }
}

impl Taker for Teller {
    async fn take(&self, stream: Stream, bytes: &[u8]) {
        let text = {
            let mut written = self.live.written(stream);
            written.kept.push(bytes);
            // Output beyond the limit is not published: a flood would only push all subscribers off the bus.
            let told = bytes.len().min(written.left);
            written.left -= told;
            written.decoder.push(bytes.get(..told).unwrap_or_default())
        };
        self.tools.tell_output(&self.live, stream, text);
        let follower = self.live.follower.lock().clone();
        if let Some(follower) = follower {
            // Sending fails if the follower is gone, which is fine.
            let _ = follower.send(Chunk { stream, bytes: bytes.to_vec() }).await;
        }
    }
}

/// How many chunks a follower may fall behind before the command must wait.
const FOLLOWED: usize = 4;

/// Why an invocation ends whose request was lost with an earlier gateway.
pub(super) const GONE: &str = "The request to run it was lost with the gateway.";

/// Why an invocation ends that an earlier gateway reported as failed.
pub(super) const UNTAKEN: &str = "It was allowed, and could not be started then.";

const LOST: &str = "The gateway was started anew since this was asked for, and the values of its variables are never stored: \
    ask for it again.";

fn event_of(ended: Ended, stop: Stop, limit: Duration) -> Event {
    match ended {
        Ended::Exited { code, signal } => Event::Exited { code, signal },
        Ended::OutOfTime => {
            Event::fault(Code::Timeout, format!("It ran longer than {} ms, and was killed.", limit.as_millis()))
        }
        Ended::Stopped if stop == Stop::Closing => Event::fault(Code::Interrupted, "The gateway ended, and ended it."),
        Ended::Stopped => Event::fault(Code::Cancelled, "It was stopped."),
    }
}
