//! Requests: list, look at, answer.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::envelope::Reply;
use super::session::Connection;
use super::{Peer, RpcError, result};
use crate::approvals::{Answer, AnswerError, Approvals};
use crate::listing::Wanted;
use crate::request::{RequestId, Standing, Status};
use crate::view::Approval;

/// The longest reason that is read, in characters; what is kept of it is a setting.
const MAX_REASON: usize = 10_000;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Get {
    id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Respond {
    id: String,
    decision: Said,
    #[serde(default)]
    reason: Option<String>,
    /// Deny at once, for good; the reason may follow as a deny of its own.
    #[serde(default)]
    reason_to_come: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Said {
    Approve,
    Session,
    Deny,
}

#[derive(Serialize)]
struct One {
    approval: Approval,
}

pub(super) async fn list(connection: &Arc<Connection>, params: Option<&RawValue>) -> Reply {
    let wanted: Wanted = super::params(params)?;
    result(&wanted.list(&connection.services.approvals).await?)
}

pub(super) async fn get(connection: &Arc<Connection>, params: Option<&RawValue>) -> Reply {
    let Get { id } = super::params(params)?;
    let approvals = &connection.services.approvals;
    let id = named(approvals, &id)?;
    let approval = approvals.get(id).await.ok_or(crate::approvals::AnswerError::Unknown(id))?;
    result(&One { approval: approval.into() })
}

/// A person answers: whoever the session is of.
pub(super) async fn respond(connection: &Arc<Connection>, params: Option<&RawValue>) -> Reply {
    let Respond { id, decision, reason, reason_to_come } = super::params(params)?;
    if (reason.is_some() || reason_to_come) && decision != Said::Deny {
        return Err(RpcError::params("a reason goes with a deny"));
    }
    if reason.is_some() && reason_to_come {
        return Err(RpcError::params("a reason that is there is not to come"));
    }
    if reason.as_ref().is_some_and(|reason| reason.chars().count() > MAX_REASON) {
        return Err(RpcError::params(format!("a reason takes {MAX_REASON} characters")));
    }
    let answer = match decision {
        Said::Approve => Answer::APPROVE,
        Said::Session => Answer::SESSION,
        Said::Deny => Answer::Deny { reason, instead: false },
    };
    let (approvals, peer) = (&connection.services.approvals, &connection.peer);
    let id = named(approvals, &id)?;
    if reason_to_come {
        return deny(approvals, id, peer).await;
    }
    let approval = approvals.answer(id, answer, peer.by.clone(), peer.surface).await?;
    result(&One { approval: approval.into() })
}

/// Denies, with the reason to come. Whoever lost the connection and says it again is told the same.
async fn deny(approvals: &Approvals, id: RequestId, peer: &Peer) -> Reply {
    let approval = match approvals.deny(id, peer.by.clone(), peer.surface).await {
        Err(AnswerError::Denied(standing)) if is_by(&standing, peer) => *standing,
        denied => denied?,
    };
    result(&One { approval: approval.into() })
}

fn is_by(standing: &Standing, peer: &Peer) -> bool {
    match &standing.status {
        Status::Denied { by, .. } => by.surface == peer.surface && by.id == peer.by.id(),
        _ => false,
    }
}

/// A whole id, or the beginning of an open request's.
fn named(approvals: &Approvals, id: &str) -> Result<RequestId, RpcError> {
    match id.parse() {
        Ok(id) => Ok(id),
        Err(_) => Ok(approvals.find(id)?),
    }
}
