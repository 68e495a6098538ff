//! Converts messages of the bus to occurrences.
//!
//! | message of the bus | occurrence |
//! |---|---|
//! | approval.requested | RequestAsked |
//! | approval.resolved, because nobody answered | RequestExpired |
//! | messenger.unreachable | MessengerUnreachable |
//!
//! NobodyReachable comes from the asker's refusal (`rpc/hooks.rs`).

use dmplz_core::notify::{EventKind, Occurrence};
use dmplz_core::request::{Cause, End};
use dmplz_protocol::{Event, Kind, Message, Request, Source, Status};

use super::Notices;
use crate::approvals::Approvals;

impl Notices {
    /// Queues notices about messages of the bus. Never returns. `warn` is called with errors, in English.
    pub async fn watch_bus(&self, approvals: &Approvals, warn: impl Fn(&str)) {
        if !EventKind::ROUTABLE.into_iter().any(|event| !event.is_of_client() && self.wants(event)) {
            return std::future::pending().await;
        }
        loop {
            let mut events = approvals.bus().subscribe(&[Kind::APPROVALS, Kind::MESSENGERS].concat());
            while let Some(event) = events.next().await {
                if let Message::ApprovalDenied { approval } | Message::ApprovalResolved { approval } = &event.message
                    && let Err(error) = self.answered(approval.request.id).await
                {
                    // It is decided about again when its time comes.
                    warn(&format!("a notice about an answered request still waits: {error}"));
                }
                if let Some(occurrence) = occurrence(&event).filter(|occurrence| self.wants(occurrence.event))
                    && let Err(error) = self.happened(occurrence).await
                {
                    warn(&format!("a notice cannot be recorded: {error}"));
                }
            }
            warn("more happened than notices could be made of: some are missing");
        }
    }

    /// Returns the occurrence that a request cannot be asked anywhere; `None` if no route is for that event.
    pub(crate) fn unreachable(&self, request: &Request) -> Option<Occurrence> {
        let kind = EventKind::NobodyReachable;
        self.wants(kind).then(|| of_request(kind, request, request.created_ms))
    }
}

fn of_request(kind: EventKind, request: &Request, at_ms: u64) -> Occurrence {
    let mut occurrence = Occurrence::new(kind, format!("{kind}:{}", request.id), at_ms);
    if let Source::Hook { session_id, .. } = &request.source {
        session_id.clone_into(&mut occurrence.session_id);
    }
    request.cwd.clone_into(&mut occurrence.cwd);
    occurrence.subject = Some(request.tool.clone());
    occurrence
}

fn occurrence(event: &Event) -> Option<Occurrence> {
    match &event.message {
        Message::ApprovalRequested { approval } => {
            Some(of_request(EventKind::RequestAsked, &approval.request, event.at_ms))
        }
        Message::ApprovalResolved { approval } => match &approval.status {
            Status::Ended { resolution, .. }
                if resolution.outcome == End::Expired && resolution.cause != Some(Cause::Failed) =>
            {
                Some(of_request(EventKind::RequestExpired, &approval.request, event.at_ms))
            }
            _ => None,
        },
        Message::MessengerUnreachable { messenger, since_ms, why } => {
            let id = format!("MessengerUnreachable:{messenger}:{since_ms}");
            let mut occurrence = Occurrence::new(EventKind::MessengerUnreachable, id, event.at_ms);
            occurrence.subject = Some(messenger.clone());
            occurrence.summary.clone_from(why);
            Some(occurrence)
        }
        _ => None,
    }
}
