//! What a session asks, on the way that a hook's question goes: the rules, the grants, then a person on any surface.
//!
//! | the client says | so |
//! |---|---|
//! | `requires_user_interaction`, `matched_ask_rule` (or that a rule made it ask), `server_policy_ask_only` | no rule's allow and no grant answers, and no grant is offered; a rule's deny answers |
//! | `suppress_always_allow_rule` | neither "session" nor "always" is offered |
//! | `default_to_no` | nothing: no surface preselects an answer |
//! | `decision_reason`, `blocked_path` | they are lines of the request, where they say more than the input |
//!
//! | of the same call, the disk says | so |
//! |---|---|
//! | a person was asked | it stays with people: no rule and no grant answers |
//! | nobody was asked | a rule or a grant answers where one decides |
//! | nothing, because it cannot be read | a person may have denied it: only a rule's deny answers, and else a person is asked |
//!
//! | what becomes of the request | the client is told |
//! |---|---|
//! | a person or a rule allows | allow, with the input that was shown |
//! | a person or a rule denies | deny, with the reason |
//! | nobody answers in time, or nobody can be asked | deny, saying so: the client waits for ever, so the time is ours |
//! | it is resolved elsewhere | nothing: the client does not wait any more |
//!
//! **Invariant:** an allow is written for a [`Decision::Allow`], which holds who allowed it, or for a [`Ruled::Allowed`], and for
//! nothing else.

use std::path::Path;
use std::time::Duration;

use dmplz_core::approvers::Approver;
use dmplz_core::card::{Remark, Subject};
use dmplz_core::claude::{
    Allow, HookInput, PermissionUpdate, Scope, ToolCall, control_allow, control_deny, session_grant,
};
use dmplz_core::grant::Covers;
use dmplz_core::request::{ApprovalScope, Decision, ExpiredCause, Offer, Outcome, Resolution, Trouble};
use dmplz_policy::{KnownCommands, Ruled, risks};
use dmplz_protocol::{Request, RequestId, Source, Standing, Status};
use dmplz_runner::control::CanUseTool;
use serde_json::Value;
use tokio::time::{Instant, sleep};

use super::permissions::Permissions;
use super::{Ended, Setup};
use crate::approvals::Approvals;
use crate::bus::AskError;

/// How often it is looked whether a surface is there by now.
const AGAIN: Duration = Duration::from_millis(500);

/// What a session asks people.
pub(super) struct Asking<T> {
    pub(super) id: RequestId,
    pub(super) session: String,
    /// The session's permission mode, by the client's name.
    pub(super) mode: String,
    pub(super) cwd: String,
    pub(super) asked: T,
}

/// What the client is told.
#[derive(Default)]
pub(super) struct Answer {
    /// None where it waits no more.
    pub(super) response: Option<Value>,
    /// Whether a person's answer is in it, so that the history is to say whether it was taken.
    pub(super) of_person: bool,
    /// Whether the session's permissions changed, so that the client is to be told them before the answer.
    pub(super) permits: bool,
    /// What those who look on should know.
    pub(super) notice: Option<String>,
}

impl Asking<CanUseTool> {
    /// Finds the answer. It may take as long as a request may stay open.
    pub(super) async fn answer(self, approvals: Approvals, setup: Setup, permissions: Permissions) -> Answer {
        let call = self.call();
        let input =
            HookInput::of_call(self.session.clone(), self.cwd.clone(), &call).of_server(self.asked.mcp_server.clone());
        let (consent, judged, of) = (setup.consent.clone(), call.clone(), input.clone());
        let ruling = tokio::task::spawn_blocking(move || consent.judge(&of, &judged)).await.unwrap_or_default();
        // A grant would not count where the client wants a person each time.
        let covers = ruling.grantable.filter(|_| !self.asked.wants_a_person());
        let offer = self.offer(&call, covers.is_some());
        let request = self.request(&call, offer.clone(), &ruling.remarks, covers.as_ref(), &approvals, &setup);
        let asked = approvals.find(self.id).await;
        let is_open_to = |ruled: &Ruled| match &asked {
            Ok(asked) => asked.as_ref().is_none_or(is_ruled),
            Err(_) => matches!(ruled, Ruled::Denied(_)),
        };
        let ruled = ruling.ruled.filter(|ruled| is_open_to(ruled) && self.takes(ruled));
        if let Some(ruled) = ruled {
            approvals.bus().settle(&request, &ruled, approvals.now_ms());
            self.record(&setup, input, &call, Resolution::from(&ruled), None);
            let response = Some(of_rule(&ruled, &call));
            return Answer { response, ..Answer::default() };
        }
        let began = Instant::now();
        let outcome = offered(outcome(request, &approvals).await, &offer);
        let answered_after = outcome.by().map(|_| began.elapsed());
        let kept_for = input.clone();
        if matches!(&outcome, Outcome::Approved { scope: ApprovalScope::Granted { .. }, .. }) {
            let (consent, kept, id) = (setup.consent.clone(), outcome.clone(), self.id);
            // One that cannot be kept is said; the call is allowed, because a person allowed it.
            let _ = tokio::task::spawn_blocking(move || consent.keep(&kept, covers, &kept_for, id)).await;
        }
        self.record(&setup, input, &call, Resolution::of(&outcome), answered_after);
        let of_person = outcome.by().is_some();
        let (response, permits, notice) = match outcome.decision(true) {
            Decision::Allow { by, scope } => {
                let allow = scope.allow(&call, &self.cwd, &KnownCommands);
                let (allow, permits, notice) = self.keep(allow, by, &permissions, approvals.now_ms()).await;
                (Some(control_allow(&call, &allow)), permits, notice)
            }
            Decision::Deny { message } => (Some(control_deny(&message)), false, None),
            Decision::None => (None, false, None),
        };
        Answer { response, of_person, permits, notice }
    }

    /// Writes down what the approval stores. What it stores for the session the client is told as settings, and the rest with
    /// the answer; the inner values are that rest, whether there is something for the session, and what people should know.
    async fn keep(
        &self,
        allow: Allow,
        by: Approver,
        permissions: &Permissions,
        now_ms: u64,
    ) -> (Allow, bool, Option<String>) {
        let is_permission = |update: &PermissionUpdate| !update.permissions().is_empty();
        if !allow.stored.iter().any(is_permission) {
            return (allow, false, None);
        }
        let (permissions, stored, request) = (permissions.clone(), allow.stored.clone(), self.id);
        let kept = tokio::task::spawn_blocking(move || permissions.keep(request, &stored, &by, now_ms)).await;
        let failed =
            kept.map_err(|error| error.to_string()).and_then(|kept| kept.map_err(|error| error.to_string())).err();
        let notice = failed
            .map(|why| format!("What was allowed from now on cannot be written down, so it is asked again: {why}"));
        let is_sessions = |update: &PermissionUpdate| is_permission(update) && update.destination() == Scope::Session;
        let permits = notice.is_none() && allow.stored.iter().any(is_sessions);
        // What could not be written down could not be shown or revoked, so this call alone is allowed.
        let stays = |update: &PermissionUpdate| !is_permission(update) || (notice.is_none() && !is_sessions(update));
        let stored = allow.stored.iter().filter(|update| stays(update)).cloned().collect();
        (Allow { stored, ..allow }, permits, notice)
    }

    fn call(&self) -> ToolCall {
        let suggestions = match &self.asked.permission_suggestions {
            Some(Value::Array(suggestions)) if !self.asked.suppress_always_allow_rule => suggestions.clone(),
            _ => Vec::new(),
        };
        let (tool, input) = (self.asked.tool_name.clone(), self.asked.input.clone());
        ToolCall { tool, input, tool_use_id: Some(self.asked.tool_use_id.clone()), suggestions }
    }

    /// Whether a rule or a grant may decide so.
    fn takes(&self, ruled: &Ruled) -> bool {
        matches!(ruled, Ruled::Denied(_)) || !self.asked.wants_a_person()
    }

    fn offer(&self, call: &ToolCall, granted: bool) -> Offer {
        let offer = Offer { granted, ..Offer::of(call, &self.cwd, &KnownCommands) };
        match self.asked.suppress_always_allow_rule {
            true => Offer { session: false, always: Vec::new(), ..offer },
            false => offer,
        }
    }

    fn request(
        &self,
        call: &ToolCall,
        offer: Offer,
        remarks: &[Remark],
        covers: Option<&Covers>,
        approvals: &Approvals,
        setup: &Setup,
    ) -> Request {
        let grants = if offer.session { session_grant(call, &self.cwd, &KnownCommands) } else { Vec::new() };
        let agent = self.asked.agent_id.as_deref();
        let subject = Subject::of(call, &self.id.to_string(), &self.cwd, agent, &grants, setup.lang);
        let subject = subject.in_mode(Some(&self.mode), setup.lang);
        let own_rule = self.asked.ask_rule().map(|rule| {
            let content = rule.rule_content.as_ref().map(|content| format!("({content})")).unwrap_or_default();
            let tool = rule.tool_name.as_deref().unwrap_or(&call.tool);
            let source = rule.source.as_deref().unwrap_or("Claude Code");
            Remark::Rule { reason: None, place: format!("{source}: ask {tool}{content}") }
        });
        let why = self.asked.reason().map(|why| Remark::Client(why.to_owned()));
        let blocked = self.asked.blocked().map(|path| Remark::Blocked(path.to_owned()));
        let remarks: Vec<Remark> = remarks.iter().cloned().chain(own_rule).chain(why).chain(blocked).collect();
        let home = setup.env.get("HOME").map(Path::new);
        let subject = subject.marked(risks(&call.tool, &call.input, Path::new(&self.cwd), home));
        let subject = subject.with(&remarks, setup.lang).granting(covers, setup.lang);
        self.shown(call, self.asked.agent_id.clone(), subject, offer, approvals)
    }
}

impl<T> Asking<T> {
    /// Returns the request that people see.
    pub(super) fn shown(
        &self,
        call: &ToolCall,
        agent_id: Option<String>,
        subject: Subject,
        offer: Offer,
        approvals: &Approvals,
    ) -> Request {
        let source = Source::Session { session_id: self.session.clone(), agent_id };
        approvals.request(self.id, source, call.clone(), self.cwd.clone(), subject, offer)
    }

    /// Writes down how it ended, while the client is told already.
    pub(super) fn record(
        &self,
        setup: &Setup,
        input: HookInput,
        call: &ToolCall,
        resolution: Resolution,
        answered_after: Option<Duration>,
    ) {
        let ended = Ended { request: self.id, input, call: call.clone(), resolution, answered_after };
        let consent = setup.consent.clone();
        tokio::task::spawn_blocking(move || consent.record(&ended));
    }
}

/// The outcome, if the call offers it: what was answered before a restart may be masked by now, and then it is no answer any more.
pub(super) fn offered(outcome: Outcome, offer: &Offer) -> Outcome {
    match &outcome {
        Outcome::Approved { scope, .. } if !offer.offers(scope) => {
            Outcome::Expired(failed("the answer cannot be read any more"))
        }
        _ => outcome,
    }
}

fn of_rule(ruled: &Ruled, call: &ToolCall) -> Value {
    match ruled {
        Ruled::Allowed(_) => control_allow(call, &Allow::default()),
        Ruled::Denied(denial) => control_deny(&denial.told()),
    }
}

/// Puts it before a person, and waits for the end. Where no surface is there, one is waited for as long as for an answer.
pub(super) async fn outcome(request: Request, approvals: &Approvals) -> Outcome {
    let (id, until) = (request.id, Instant::now() + approvals.rules().expiry);
    if request.offer.unanswerable {
        return Outcome::Expired(failed("its questions cannot be read"));
    }
    loop {
        match approvals.ask(request.clone()).await {
            Ok(()) => break,
            Err(AskError::NobodyListens) if Instant::now() < until => sleep(AGAIN).await,
            Err(error) => return Outcome::Expired(failed(&error.to_string())),
        }
    }
    match approvals.ended(id).await.map(|standing| standing.status) {
        Ok(Status::Ended { resolution, .. }) => {
            resolution.outcome().unwrap_or_else(|error| Outcome::Expired(failed(&error.to_string())))
        }
        Ok(_) => Outcome::Expired(failed("the request came to no end")),
        Err(error) => Outcome::Expired(failed(&error.to_string())),
    }
}

fn is_ruled(standing: &Standing) -> bool {
    matches!(&standing.status, Status::Ended { resolution, .. } if resolution.rule.is_some())
}

fn failed(why: &str) -> ExpiredCause {
    ExpiredCause::Failed(Trouble::Other(why.to_owned()))
}

#[cfg(test)]
mod tests;
