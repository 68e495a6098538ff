//! Methods for hooks. A hook applies the policy before it asks, so every request that arrives here goes to a person.
//!
//! `hook.ask` may arrive again with the same id on another connection, after the first one was lost. Both then wait for
//! the same end. The request is withdrawn only when nobody waits any more.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::pin::pin;
use std::sync::Arc;

use dmplz_core::card::Subject;
use dmplz_core::claude::{self, HookEvent, HookInput, ToolCall, input_digest};
use dmplz_core::request::{Offer, Resolver};
use dmplz_policy::{KnownCommands, risks};
use dmplz_protocol::hook::{Accepted, Ask, Denied, Ended, Happened, Heard, Taken, Withdraw};
use dmplz_protocol::method::Done;
use dmplz_protocol::{PROTOCOL, Request, RequestId, RpcError, Source, Status};
use tokio::runtime::Handle;
use tokio::task::JoinHandle;

use super::Services;
use super::connection::Connection;
use crate::approvals::DenialNotice;
use crate::bus::AskError;
use crate::clock::millis;
use crate::mutex::Mutex;

/// The connections on which the asker of each request waits.
#[derive(Debug, Clone, Default)]
pub(super) struct Waiting(Arc<Mutex<HashMap<RequestId, HashSet<u64>>>>);

/// Keeps the asker registered as waiting until it is dropped. The connection may be dropped while the request is still
/// being recorded, so the request is withdrawn then as well.
struct Waits<'a> {
    connection: &'a Connection,
    id: RequestId,
}

/// Asks, notifies the hook when the request is on disk and when it is denied, and waits for the end. What is boxed here is held only while
/// it runs: thousands of hooks may wait for people.
pub(super) async fn ask(connection: &Connection, ask: Ask) -> Result<Ended, RpcError> {
    let (approvals, id) = (&connection.services.approvals, ask.request_id);
    let waits = Box::pin(accepted(connection, ask)).await?;
    let (mut ends, mut denied) = (pin!(approvals.ended(id)), pin!(approvals.denied(id)));
    let mut is_told = false;
    let ended = loop {
        tokio::select! {
            biased;
            ended = &mut ends => break ended?,
            denial = &mut denied, if !is_told => {
                is_told = true;
                Box::pin(tell_denied(connection, id, denial)).await;
            }
            () = connection.hung_up() => {
                if let Some(withdrawn) = waits.leave() {
                    let _ = withdrawn.await;
                }
                return Err(RpcError::internal("the asker is gone"));
            }
        }
    };
    // There is nothing to withdraw any more.
    connection.services.waiting.leave(id, connection.number);
    match ended.status {
        Status::Ended { resolution, .. } => Ok(Ended { resolution }),
        Status::Open | Status::Denied { .. } => Err(RpcError::internal("the request came to no end")),
    }
}

/// Puts the request before the surfaces. From the beginning the asker counts as waiting.
async fn accepted(connection: &Connection, ask: Ask) -> Result<Waits<'_>, RpcError> {
    let Services { approvals, notices, waiting, .. } = &connection.services;
    let request = request(ask, &connection.services)?;
    let id = request.id;
    let waits = Waits::new(connection, id);
    let unreachable = notices.as_ref().and_then(|notices| notices.unreachable(&request));
    if let Err(error) = approvals.ask(request).await {
        // The id may be that of another request, which is not this asker's to withdraw.
        waiting.leave(id, connection.number);
        if let (AskError::NobodyListens, Some(notices), Some(occurrence)) = (&error, notices, unreachable) {
            // Whether the notice is stored or not, the asker gets the error, and asks elsewhere.
            let _ = notices.happened(occurrence).await;
        }
        return Err(error.into());
    }
    connection.notify(&Accepted { request_id: id, protocol: PROTOCOL }).await;
    Ok(waits)
}

/// Notifies the hook of a denial whose reason may still come. From then on the hook denies, even if the gateway is
/// lost.
async fn tell_denied(connection: &Connection, id: RequestId, denial: DenialNotice) {
    let (resolution, left_ms) = (denial.resolution.clone(), millis(denial.left));
    connection.denials.lock().insert(id, denial);
    connection.notify(&Denied { request_id: id, resolution, left_ms }).await;
}

/// Notes that the hook has received the denial.
pub(super) async fn heard(connection: &Connection, Heard { request_id }: Heard) -> Result<Done, RpcError> {
    connection.denials.lock().remove(&request_id);
    Ok(Done {})
}

fn request(ask: Ask, services: &Services) -> Result<Request, RpcError> {
    let input = HookInput::parse(ask.input.get().as_bytes()).map_err(RpcError::params)?;
    let call = input.tool_call().map_err(RpcError::params)?;
    match input.event() {
        HookEvent::PermissionRequest => {}
        HookEvent::ToolAhead if call.tool == "AskUserQuestion" => {}
        _ => return Err(RpcError::params("it is no PermissionRequest, and asks no questions")),
    }
    let grants = claude::session_grant(&call, &input.cwd, &KnownCommands);
    let offer = Offer { granted: ask.grantable.is_some(), ..Offer::of(&call, &input.cwd, &KnownCommands) };
    if offer.unanswerable {
        return Err(RpcError::params("its questions cannot be read"));
    }
    let id = ask.request_id;
    let subject = Subject::of(&call, &id.to_string(), &input.cwd, input.subagent(), &grants, services.lang);
    let subject = subject.in_mode(input.permission_mode.as_deref(), services.lang);
    let marks = risks(&call.tool, &call.input, Path::new(&input.cwd), services.home.as_deref());
    let subject = subject.marked(marks).with(&ask.remarks, services.lang);
    let subject = subject.granting(ask.grantable.as_ref(), services.lang);
    let source = Source::Hook { session_id: input.session_id, agent_id: input.agent_id };
    let request = services.approvals.request(id, source, call, input.cwd, subject, offer);
    let expires_ms = request.expires_ms.min(request.created_ms.saturating_add(ask.expires_in_ms));
    Ok(Request { expires_ms, ..request })
}

/// Notes whether the client took the decision.
pub(super) async fn taken(connection: &Connection, Taken { request_id, taken }: Taken) -> Result<Done, RpcError> {
    connection.services.approvals.taken(request_id, taken).await;
    Ok(Done {})
}

/// Withdraws a request because its hook ends, with the hook's reason.
pub(super) async fn withdraw(connection: &Connection, withdraw: Withdraw) -> Result<Done, RpcError> {
    connection.services.approvals.withdraw(withdraw.request_id, withdraw.resolver).await?;
    Ok(Done {})
}

/// Withdraws requests that are over, as an event of their session shows.
///
/// | event | requests withdrawn |
/// |---|---|
/// | PostToolUse, PostToolUseFailure | the oldest one for exactly this call of this agent |
/// | Stop, UserPromptSubmit | those of the main conversation, because subagents may go on |
/// | SessionEnd | all |
pub(super) async fn event(connection: &Connection, Happened { input }: Happened) -> Result<Done, RpcError> {
    let input = HookInput::parse(input.get().as_bytes()).map_err(RpcError::params)?;
    let approvals = &connection.services.approvals;
    let names = &connection.services.names;
    match (input.prompt(), input.event()) {
        (Some(prompt), _) if input.agent_id.is_none() => names.heard(&input.session_id, prompt),
        (_, HookEvent::SessionOver) => names.forget(&input.session_id),
        _ => {}
    }
    let done = input.tool_call().ok();
    let concerned = approvals.open_where(|request| concerns(request, &input, done.as_ref()));
    let most = if input.event() == HookEvent::ToolDone { 1 } else { usize::MAX };
    for id in concerned.into_iter().take(most) {
        // A request that was answered a moment ago is over as well.
        let _ = approvals.withdraw(id, Resolver::Terminal).await;
    }
    Ok(Done {})
}

fn concerns(request: &Request, event: &HookInput, done: Option<&ToolCall>) -> bool {
    let Source::Hook { session_id, agent_id } = &request.source else { return false };
    if *session_id != event.session_id {
        return false;
    }
    match event.event() {
        HookEvent::ToolDone => done.is_some_and(|done| {
            *agent_id == event.agent_id
                && request.tool == done.tool
                && ToolCall::same_call(&request.tool, &input_digest(&request.input), done)
        }),
        HookEvent::TurnOver => agent_id.is_none(),
        HookEvent::SessionOver => true,
        HookEvent::PermissionRequest | HookEvent::ToolAhead | HookEvent::Other => false,
    }
}

impl Waiting {
    /// Notes that the asker stopped waiting on this connection. Returns whether that was the last one.
    pub(super) fn leave(&self, id: RequestId, connection: u64) -> bool {
        let mut all = self.0.lock();
        let Some(connections) = all.get_mut(&id) else { return false };
        let was_there = connections.remove(&connection);
        let is_last = connections.is_empty();
        if is_last {
            all.remove(&id);
        }
        was_there && is_last
    }
}

impl<'a> Waits<'a> {
    fn new(connection: &'a Connection, id: RequestId) -> Self {
        connection.services.waiting.0.lock().entry(id).or_default().insert(connection.number);
        Self { connection, id }
    }

    /// Ends the waiting. If the peer has hung up and nobody else waits, withdraws the request, in a task of its own: a
    /// slow disk may outlast this connection.
    fn leave(&self) -> Option<JoinHandle<()>> {
        let Connection { services, number, .. } = self.connection;
        let is_last = services.waiting.leave(self.id, *number);
        let runtime = (is_last && self.connection.has_hung_up()).then(Handle::try_current)?.ok()?;
        let (approvals, id) = (services.approvals.clone(), self.id);
        Some(runtime.spawn(async move {
            // The request may have ended already, which is no error.
            let _ = approvals.withdraw(id, Resolver::ClientGone).await;
        }))
    }
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.connection.denials.lock().remove(&self.id);
        drop(self.leave());
    }
}
