//! The tool runtime: runs commands for other programs. A person or a rule must allow each command.
//!
//! ```text
//! invoke ─▶ limits ─▶ binding ─▶ policy ─▶ person ─▶ is the binding still the same? ─▶ run ─▶ output, end
//! ```
//!
//! Judge and approver see a call of the tool `Bash`: the command line of `call.rs`, the folder, the names of the
//! variables, the executable with its SHA-256, and the time-out. Exactly that runs (`binding`), and only before the
//! request would have expired. `state.rs` holds the table of states.
//!
//! A command's environment is the gateway's few variables ([`Setup::base`]) and those that came with the call. The
//! values of the latter are kept in memory only: after a restart of the gateway a call with such values cannot run any
//! more, a call without them can. A killed gateway cannot end the commands it runs: they are recorded as
//! `ERR_INTERRUPTED`, and may go on.
//!
//! Output is published as it comes. Of each stream, [`Limits::kept_bytes`] are kept, half of them from its beginning
//! and half from its end. The asker gets the output of the last few invocations unmasked, from memory; the store keeps
//! it masked.

mod binding;
mod call;
mod live;
mod output;
mod records;
mod run;
mod state;

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::path::Path;
use std::sync::Arc;

use dmplz_core::card::Subject;
use dmplz_core::claude::ToolCall;
use dmplz_core::request::{Offer, Resolver};
use dmplz_core::text::Lang;
use dmplz_policy::risks;
use dmplz_protocol::tool::{Code, InvokeTool, Invoked, Report, State};
use dmplz_protocol::{Refusal, Request, RequestId, Source, Status};
use serde_json::{Map, Value};
use tokio::sync::{Semaphore, mpsc};
use uuid::Uuid;

pub(crate) use self::binding::MAX_EXECUTABLE;
pub use self::binding::ResolveError;
pub use self::call::Invalid;
pub use self::output::Chunk;
pub use self::records::NotRecorded;

use self::binding::{Binding, resolve};
use self::call::{line, validate};
use self::live::{GONE, Live, Stop, UNTAKEN};
use self::records::Record;
use self::state::Event;
use crate::approvals::Approvals;
use crate::bus::{AskError, Awaited, Requested};
use crate::disk::Disk;
use crate::mutex::Mutex;

/// The tool's name for rules and people.
const TOOL: &str = "Bash";

/// Settings that stay the same while the gateway runs.
#[derive(Clone)]
pub struct Setup {
    /// The variables that every command gets, such as `PATH`, `HOME`, `USER` and `LANG`, with the gateway's values.
    pub base: BTreeMap<String, String>,
    /// The language of texts for people.
    pub lang: Lang,
    /// How many tools may run, and how much of their output is kept.
    pub limits: Limits,
    /// Begins the hooks around a command of `tools.invoke`; `None` if there are none. The caller of `tools.run` has its own.
    pub hooks: Option<Hooks>,
}

/// Begins the hooks around a command, by its folder and arguments. Hears what becomes of the command, and decides nothing.
/// Must not block.
pub type Hooks = Arc<dyn Fn(&Path, &[String]) -> std::sync::mpsc::Sender<Moment> + Send + Sync>;

/// What becomes of a command, as hooks hear it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Moment {
    /// A person is asked about it.
    Asked,
    /// It succeeded.
    Succeeded,
    /// It may not run, with the reason.
    Denied(String),
    /// It failed or could not be started, with the error.
    Failed(String),
}

/// The limits of the runtime.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// The most invocations that may wait or run at once.
    pub at_once: usize,
    /// How many bytes of each stream are kept.
    pub kept_bytes: usize,
    /// For how many ended invocations the unmasked output stays in memory.
    pub remembered: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { at_once: 64, kept_bytes: 1 << 20, remembered: 16 }
    }
}

/// Why an invocation is not begun. Nothing runs then.
#[derive(Debug, thiserror::Error)]
pub enum InvokeError {
    /// The call breaks a limit.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// The executable or the folder cannot be used.
    #[error(transparent)]
    Resolve(#[from] ResolveError),
    /// Nobody can be asked.
    #[error(transparent)]
    Ask(#[from] AskError),
    /// Too many invocations wait or run already.
    #[error("{}", Refusal::TooManyInvocations { running: *.0 })]
    TooMany(usize),
    /// The invocation cannot be stored.
    #[error(transparent)]
    NotRecorded(#[from] NotRecorded),
    /// The gateway is stopping.
    #[error("{}", Refusal::GatewayEnding)]
    Closing,
}

/// The tool runtime. Cheap to clone.
#[derive(Clone)]
pub struct Tools {
    shared: Arc<Shared>,
}

struct Shared {
    approvals: Approvals,
    setup: Setup,
    disk: Disk,
    slots: Arc<Semaphore>,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    live: HashMap<Uuid, Arc<Live>>,
    /// The ids in `live` whose invocations have ended, oldest first.
    ended: VecDeque<Uuid>,
    closing: bool,
}

impl Tools {
    /// Opens a runtime and continues after an earlier one: what waited for an answer goes on waiting, what ran is
    /// recorded as interrupted.
    pub async fn open(approvals: Approvals, disk: Disk, setup: Setup) -> Result<Self, NotRecorded> {
        let slots = Arc::new(Semaphore::new(setup.limits.at_once));
        let tools = Self { shared: Arc::new(Shared { approvals, setup, disk, slots, known: Mutex::default() }) };
        // What an earlier gateway left unfinished.
        for (_, record) in tools.shared.disk.unfinished_invocations::<Record>().await? {
            tools.take_up(record).await;
        }
        Ok(tools)
    }

    /// Asks for a command to be run. Returns as soon as the policy has decided or a person has been asked.
    pub async fn invoke(&self, invocation: InvokeTool) -> Result<Invoked, InvokeError> {
        validate(&invocation)?;
        let hooks = self.shared.setup.hooks.as_ref().map(|begin| begin(&invocation.cwd, &invocation.argv));
        let (invoked, _) = self.invoke_as(invocation, false).await?;
        if let Some(hooks) = hooks {
            tokio::spawn(self.clone().tell_hooks(invoked.clone(), hooks));
        }
        Ok(invoked)
    }

    /// Tells hooks what becomes of an invocation. Nobody hears of one that nobody answered, as with `dmplz exec`.
    async fn tell_hooks(self, invoked: Invoked, hooks: std::sync::mpsc::Sender<Moment>) {
        // Hooks that are gone, or that never began, hear of nothing.
        if invoked.awaiting_approval {
            let _ = hooks.send(Moment::Asked);
        }
        let Ok(Some(report)) = self.ended(invoked.invocation_id).await else { return };
        let why = report.error.map(|fault| fault.message).unwrap_or_default();
        let _ = match report.state {
            State::Succeeded => hooks.send(Moment::Succeeded),
            State::Forbidden => hooks.send(Moment::Denied(why)),
            State::Failed => hooks.send(Moment::Failed(why)),
            State::Expired | State::AwaitingApproval | State::Running => Ok(()),
        };
    }

    /// Does the same as [`Self::invoke`] for a caller that follows the command to its end. The caller receives all
    /// output unchanged, and the command is slowed to the caller's reading. A caller that stops following must call
    /// [`Tools::cancel`].
    pub async fn run(&self, invocation: InvokeTool) -> Result<(Invoked, mpsc::Receiver<Chunk>), InvokeError> {
        self.invoke_as(invocation, true).await
    }

    async fn invoke_as(
        &self,
        invocation: InvokeTool,
        followed: bool,
    ) -> Result<(Invoked, mpsc::Receiver<Chunk>), InvokeError> {
        validate(&invocation)?;
        let setup = &self.shared.setup;
        let slot = Arc::clone(&self.shared.slots).try_acquire_owned();
        let slot = slot.map_err(|_| InvokeError::TooMany(setup.limits.at_once))?;
        let binding = self.hold(invocation.clone()).await?.binding;
        let id = Uuid::new_v4();
        let request = self.request(id, &invocation, &binding);
        let record = Record::new(id, &request, binding, &invocation, followed);
        let live = Arc::new(Live::new(record, invocation, setup.limits.kept_bytes, Some(slot)));
        {
            let mut known = self.shared.known.lock();
            if known.closing {
                return Err(InvokeError::Closing);
            }
            known.live.insert(id, Arc::clone(&live));
        }
        let output = if followed { live.follow() } else { mpsc::channel(1).1 };
        let begun = self.begin(&live, request).await;
        if begun.is_err() {
            self.shared.known.lock().live.remove(&id);
        }
        begun.map(|()| (live.invoked(), output))
    }

    /// Returns an invocation; `None` if there is none with this id.
    pub async fn get(&self, id: Uuid) -> Result<Option<Report>, NotRecorded> {
        let live = self.shared.known.lock().live.get(&id).cloned();
        match live {
            Some(live) => Ok(Some(live.report())),
            None => Ok(self.shared.disk.invocation::<Record>(id).await?.map(|record| record.report)),
        }
    }

    /// Waits until the invocation has ended.
    pub async fn ended(&self, id: Uuid) -> Result<Option<Report>, NotRecorded> {
        let live = self.shared.known.lock().live.get(&id).cloned();
        if let Some(live) = live {
            live.ended().await;
            return Ok(Some(live.report()));
        }
        self.get(id).await
    }

    /// Stops an invocation: withdraws its request, or ends its process. Returns whether there was anything to stop.
    pub async fn cancel(&self, id: Uuid) -> bool {
        let Some(live) = self.shared.known.lock().live.get(&id).cloned().filter(|live| !live.state().is_final()) else {
            return false;
        };
        live.stop(Stop::Cancelled);
        let _ = self.shared.approvals.withdraw(live.request_id(), Resolver::Stopped).await;
        true
    }

    /// Takes no more calls, ends all running commands and waits for their end. Open requests continue with the next
    /// gateway.
    pub async fn shutdown(&self) {
        let running: Vec<_> = {
            let mut known = self.shared.known.lock();
            known.closing = true;
            known.live.values().cloned().collect()
        };
        for live in &running {
            live.stop(Stop::Closing);
        }
        for live in running.iter().filter(|live| live.state() == State::Running) {
            live.ended().await;
        }
    }

    /// Asks on the bus, and acts at once on what a rule decides.
    async fn begin(&self, live: &Arc<Live>, request: Request) -> Result<(), InvokeError> {
        let (disk, asked_ms) = (&self.shared.disk, request.created_ms);
        live.record().keep(disk).await?;
        let ruled = match self.shared.approvals.bus().request(request, asked_ms).await {
            Ok(Requested::Ruled(ruled)) => ruled,
            Ok(Requested::Asked(awaited)) => {
                tokio::spawn(self.clone().wait(Arc::clone(live), awaited));
                return Ok(());
            }
            Err(error) => {
                // Nobody could be asked about it, so it leaves no record.
                disk.drop_invocation(live.id()).await.map_err(NotRecorded::from)?;
                return Err(error.into());
            }
        };
        let event = Event::ruled(&ruled);
        if matches!(event, Event::Allowed(_)) {
            // The state is advanced before the reply, so that the caller learns that the command runs.
            let started = self.advance(live, &event).await;
            if started {
                tokio::spawn(self.clone().carry_out(Arc::clone(live)));
            }
        } else {
            self.finish(live, &event).await;
        }
        Ok(())
    }

    async fn take_up(&self, record: Record) {
        let Some(binding) = record.binding.as_ref() else { return };
        let invocation = binding.invocation();
        let (state, followed) = (record.report.state, record.followed);
        let live = Arc::new(Live::new(record, invocation, self.shared.setup.limits.kept_bytes, None));
        self.shared.known.lock().live.insert(live.id(), Arc::clone(&live));
        if state == State::Running {
            let told = "The gateway ended while it ran; whether it went on is not known.";
            return self.finish(&live, &Event::fault(Code::Interrupted, told)).await;
        }
        if followed {
            live.stop(Stop::Cancelled);
            let _ = self.shared.approvals.withdraw(live.request_id(), Resolver::ClientGone).await;
        }
        match self.resume(&live).await {
            Ok(awaited) => _ = tokio::spawn(self.clone().wait(live, awaited)),
            Err(event) => self.finish(&live, &event).await,
        }
    }

    /// Waits again for the answer that an earlier gateway waited for.
    async fn resume(&self, live: &Live) -> Result<Awaited, Event> {
        let (approvals, id) = (&self.shared.approvals, live.request_id());
        match approvals.get(id).await.map(|standing| standing.status) {
            // It was reported as failed, so it stays failed.
            Some(Status::Ended { taken: Some(false), .. }) => Err(Event::fault(Code::Interrupted, UNTAKEN)),
            Some(_) => approvals.resume(id).map_err(|_| Event::fault(Code::Interrupted, GONE)),
            None => Err(Event::fault(Code::Interrupted, GONE)),
        }
    }

    /// Resolves what would run, now. Hashing takes a while.
    async fn hold(&self, invocation: InvokeTool) -> Result<binding::Held, ResolveError> {
        let path = invocation.env.get("PATH").or_else(|| self.shared.setup.base.get("PATH")).cloned();
        let looked = tokio::task::spawn_blocking(move || resolve(&invocation, &path.unwrap_or_default())).await;
        looked.unwrap_or_else(|_| Err(ResolveError::NotFound(String::new())))
    }

    /// Returns the request that people and rules see.
    fn request(&self, id: Uuid, invocation: &InvokeTool, binding: &Binding) -> Request {
        let request_id = RequestId::new();
        let input = input(invocation, binding);
        let cwd = binding.cwd.to_string_lossy().into_owned();
        let call = ToolCall { tool: TOOL.to_owned(), input, tool_use_id: None, suggestions: Vec::new() };
        let subject = Subject::of(&call, &request_id.to_string(), &cwd, None, &[], self.shared.setup.lang);
        let home = self.shared.setup.base.get("HOME").map(Path::new);
        let subject = subject.marked(risks(&call.tool, &call.input, &binding.cwd, home));
        let source = Source::Tool { invocation_id: id };
        self.shared.approvals.request(request_id, source, call, cwd, subject, Offer::default())
    }
}

/// Returns the tool input, as everyone sees it.
fn input(invocation: &InvokeTool, binding: &Binding) -> Map<String, Value> {
    let path = |path: &std::path::Path| Value::from(path.to_string_lossy());
    let mut input = Map::new();
    input.insert("command".to_owned(), line(invocation).into());
    input.insert("executable".to_owned(), path(&binding.executable));
    if binding.real != binding.executable {
        input.insert("realPath".to_owned(), path(&binding.real));
    }
    input.insert("sha256".to_owned(), binding.sha256.clone().into());
    if !binding.environment.is_empty() {
        input.insert("environment".to_owned(), binding.environment.clone().into());
    }
    input.insert("timeoutMs".to_owned(), binding.timeout_ms.into());
    input
}

#[cfg(test)]
mod tests;
