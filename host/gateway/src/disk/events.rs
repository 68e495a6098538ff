//! The audit trail as the events that the bus published, for subscribers that catch up.

use dmplz_core::request::Resolution;
use dmplz_protocol::{Event, Message, RequestId, Standing, Status};
use dmplz_state::store::Entry;
use serde::Deserialize;

use super::DiskError;
use super::rows::Denial;

#[derive(Deserialize)]
struct Ended {
    resolution: Resolution,
}

#[derive(Deserialize)]
struct Taken {
    taken: bool,
}

/// Returns the event of an audit entry; `None` if the entry belongs to no event. A request is shown as it is stored
/// now: masked, if it has ended.
pub(super) fn event(entry: &Entry, request: Option<&str>) -> Result<Option<Event>, DiskError> {
    let of = || format!("audit entry {}", entry.seq);
    let approval = |status| -> Result<Option<Box<Standing>>, DiskError> {
        let Some(request) = request else { return Ok(None) };
        let request = serde_json::from_str(request).map_err(DiskError::json(&of()))?;
        Ok(Some(Box::new(Standing { request, status })))
    };
    let request_id = || -> Option<RequestId> { entry.request_id.as_deref()?.parse().ok() };
    let failed = || DiskError::json(&of());
    let message = match &*entry.kind {
        "approval.requested" => approval(Status::Open)?.map(|approval| Message::ApprovalRequested { approval }),
        "approval.denied" => {
            let Denial { by, until_ms, instead } = serde_json::from_str(&entry.body).map_err(failed())?;
            approval(Status::Denied { by, until_ms, instead })?.map(|approval| Message::ApprovalDenied { approval })
        }
        "approval.resolved" => {
            let Ended { resolution } = serde_json::from_str(&entry.body).map_err(failed())?;
            approval(Status::Ended { resolution, ended_ms: entry.at_ms, taken: None })?
                .map(|approval| Message::ApprovalResolved { approval })
        }
        "approval.taken" => {
            let Taken { taken } = serde_json::from_str(&entry.body).map_err(failed())?;
            request_id().map(|request_id| Message::ApprovalTaken { request_id, taken })
        }
        "policy.rejection" => {
            let Ended { resolution } = serde_json::from_str(&entry.body).map_err(failed())?;
            let rule = resolution.rule.unwrap_or_default();
            request_id().map(|correlation_id| Message::PolicyRejection {
                correlation_id,
                rule,
                message: resolution.reason,
            })
        }
        "tool.started" | "tool.finished" | "grant.made" | "grant.revoked" | "grant.ended" => {
            Some(serde_json::from_str(&entry.body).map_err(failed())?)
        }
        _ => None,
    };
    Ok(message.map(|message| Event { event_id: Some(entry.seq), at_ms: entry.at_ms, message }))
}
