//! One line on stderr when a request is asked, denied and ended, at `DMPLZ_LOG=info`.
//!
//! A line names the request, its tool and its folder, and never the input: a secret could stand in it.

use dmplz_core::text::Lang;
use dmplz_gateway::Approvals;
use dmplz_protocol::request::{Standing, Status};
use dmplz_protocol::{Kind, Message};

use crate::named::short;
use crate::{time, trouble};

/// Writes the lines of all requests until the gateway stops.
pub(super) async fn write(approvals: Approvals) {
    let mut events = approvals.bus().subscribe(Kind::APPROVALS);
    while let Some(event) = events.next().await {
        if let Some(line) = line(&event.message) {
            trouble::info(&line);
        }
    }
}

fn line(message: &Message) -> Option<String> {
    match message {
        Message::ApprovalRequested { approval } => {
            let Standing { request, .. } = &**approval;
            Some(format!("request {}: {} asks in {}", short(request.id), request.tool, request.cwd))
        }
        Message::ApprovalDenied { approval } => match &approval.status {
            Status::Denied { by, .. } => {
                let (id, name, surface) = (short(approval.request.id), &by.name, &by.surface);
                Some(format!("request {id}: denied by {name} on {surface}, waiting for the reason"))
            }
            Status::Open | Status::Ended { .. } => None,
        },
        Message::ApprovalResolved { approval } => match &approval.status {
            Status::Ended { resolution, ended_ms, .. } => {
                let by = resolution.by.as_ref().map(|by| format!(" by {} on {}", by.name, by.surface));
                let by = by.or_else(|| resolution.rule.as_ref().map(|rule| format!(" ({rule})"))).unwrap_or_default();
                let after = time::span(Lang::En, ended_ms.saturating_sub(approval.request.created_ms));
                Some(format!("request {}: {}{by} after {after}", short(approval.request.id), resolution.outcome))
            }
            Status::Open | Status::Denied { .. } => None,
        },
        Message::ApprovalTaken { request_id, taken: false } => Some(format!(
            "request {}: the answer was not delivered, the program that asked had left",
            short(*request_id)
        )),
        _ => None,
    }
}
