//! Changes the permission mode of a session.
//!
//! A mode in which nobody is asked can be set only if the operator's settings name it (`DMPLZ_RUN_MODES`), and then a person
//! confirms it: as a request like any other, which cannot be approved on the surface that asked for it. No rule and no grant is
//! asked about it, and the session goes on in its mode until then. The next gateway goes on with what one that ended has left
//! open.

use std::time::Duration;

use dmplz_core::approvers::Approver;
use dmplz_core::card::Subject;
use dmplz_core::claude::ToolCall;
use dmplz_core::present::MODE_CHANGE;
use dmplz_core::request::{Offer, Outcome, Resolver};
use dmplz_core::visible::visible_line;
use dmplz_protocol::session::{AnyMode, Session, State, UnaskedMode};
use dmplz_protocol::{Refusal, Request, RequestId, Source};
use dmplz_runner::control::Command;
use serde_json::{Map, Value};
use tokio::time::sleep;
use uuid::Uuid;

use super::Sessions;
use super::asking::outcome;
use super::order::Order;

/// How often it is looked whether the session has ended.
const LOOKS: Duration = Duration::from_secs(1);

impl Sessions {
    /// Changes the permission mode of a session. Whether a person has to confirm it first, on another surface than the one on
    /// which this person asks for it.
    pub async fn set_mode(&self, id: Uuid, mode: AnyMode, by: &Approver) -> Result<bool, Refusal> {
        match mode {
            AnyMode::Asking(mode) => self.tell_mode(id, mode.name()).await.map(|()| false),
            AnyMode::Unasked(mode) if !self.shared.setup.modes.contains(&mode) => {
                Err(Refusal::ModeNotNamed { mode: mode.name().to_owned() })
            }
            AnyMode::Unasked(mode) => {
                let session = self.find(id)?.view.session();
                if session.state == State::Ended {
                    return Err(Refusal::SessionEnded { session: id });
                }
                let request = self.change(&session, mode, by);
                tokio::spawn(self.clone().confirmed(id, mode, request));
                Ok(true)
            }
        }
    }

    /// Goes on with what the gateway before left to be confirmed. What cannot be set any more is taken back.
    pub(super) fn go_on_with_changes(&self) {
        let approvals = &self.shared.approvals;
        let is_change = |request: &Request| request.tool == MODE_CHANGE && request.offer.asked_on.is_some();
        for request in approvals.open().into_iter().map(|standing| standing.request).filter(is_change) {
            match self.wanted(&request) {
                Some((id, mode)) => drop(tokio::spawn(self.clone().confirmed(id, mode, request))),
                None => {
                    let (approvals, id) = (approvals.clone(), request.id);
                    tokio::spawn(async move { drop(approvals.withdraw(id, Resolver::ClientGone).await) });
                }
            }
        }
    }

    /// The session and the mode that a request is about, if the session is known and the mode can be set.
    fn wanted(&self, request: &Request) -> Option<(Uuid, UnaskedMode)> {
        let Source::Session { session_id, .. } = &request.source else { return None };
        let id = Uuid::try_parse(session_id).ok().filter(|id| self.find(*id).is_ok())?;
        let named = request.input.get("mode").and_then(Value::as_str)?;
        let mode = self.shared.setup.modes.iter().find(|mode| mode.name() == named)?;
        Some((id, *mode))
    }

    async fn tell_mode(&self, id: Uuid, mode: &str) -> Result<(), Refusal> {
        self.ask(id, Command::SetPermissionMode { mode: mode.to_owned() }).await.map(drop)
    }

    /// The request that lets the session go on in that mode.
    fn change(&self, session: &Session, mode: UnaskedMode, by: &Approver) -> Request {
        let (approvals, lang) = (&self.shared.approvals, self.shared.setup.lang);
        let who = by.answerer();
        let asked_by = format!("{} ({})", who.name, lang.surface(&who.surface));
        let fields = [("mode", mode.name()), ("session", session.label()), ("asked by", &asked_by)];
        let input: Map<String, Value> =
            fields.map(|(key, value)| (key.to_owned(), Value::from(visible_line(value)))).into_iter().collect();
        let call = ToolCall { tool: MODE_CHANGE.to_owned(), input, tool_use_id: None, suggestions: Vec::new() };
        let (id, cwd) = (RequestId::new(), session.cwd.clone());
        let source = Source::Session { session_id: session.id.to_string(), agent_id: None };
        let subject = Subject::of(&call, &id.to_string(), &cwd, None, &[], lang);
        let offer = Offer { asked_on: Some(by.surface().to_owned()), final_denial: true, ..Offer::default() };
        approvals.request(id, source, call, cwd, subject, offer)
    }

    /// Waits for the confirmation, and sets the mode.
    async fn confirmed(self, id: Uuid, mode: UnaskedMode, request: Request) {
        let (approvals, request_id) = (&self.shared.approvals, request.id);
        let outcome = tokio::select! {
            outcome = outcome(request, approvals) => outcome,
            () = self.is_over(id) => {
                // One that has just ended is no error.
                let _ = approvals.withdraw(request_id, Resolver::ClientGone).await;
                return;
            }
        };
        if let Outcome::Approved { .. } = outcome {
            let set = self.tell_mode(id, mode.name()).await;
            approvals.taken(request_id, set.is_ok()).await;
            if let Err(error) = set {
                self.note(id, format!("The mode {} is not set: {error}", mode.name()));
            }
        }
    }

    /// Returns once the session has ended.
    async fn is_over(&self, id: Uuid) {
        while self.find(id).is_ok_and(|known| known.view.session().state != State::Ended) {
            sleep(LOOKS).await;
        }
    }

    /// Tells those who look on at a session.
    pub(super) fn note(&self, id: Uuid, text: String) {
        // A session that has ended says so itself.
        let _ = self.order(id, Order::Note(text));
    }
}
