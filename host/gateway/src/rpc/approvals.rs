//! Methods about requests: list them, look one up, answer one.

use dmplz_protocol::approval::{GetApproval, One, Respond};
use dmplz_protocol::list::{ListApprovals, Page};
use dmplz_protocol::session_name::{NameSessions, NamedSessions};
use dmplz_protocol::{AnswerBody, RequestId, RpcError, Standing, Status};

use super::Peer;
use super::connection::Connection;
use crate::approvals::{AnswerError, Approvals};
use crate::listing;

pub(super) async fn list(connection: &Connection, wanted: ListApprovals) -> Result<Page, RpcError> {
    Ok(listing::list(wanted, &connection.services.approvals).await?)
}

pub(super) async fn get(connection: &Connection, GetApproval { id }: GetApproval) -> Result<One, RpcError> {
    let approval = connection.services.approvals.named(id).await?;
    Ok(One { approval: approval.into() })
}

/// Names the sessions that have an open request.
pub(super) async fn sessions(connection: &Connection, _: NameSessions) -> Result<NamedSessions, RpcError> {
    let services = &connection.services;
    Ok(NamedSessions { sessions: services.names.of_open(&services.approvals).await })
}

/// Answers a request for a person, whichever session it belongs to.
pub(super) async fn respond(connection: &Connection, respond: Respond) -> Result<One, RpcError> {
    let (approvals, peer) = (&connection.services.approvals, &connection.peer);
    let Respond { id, answer, reason_to_come } = respond;
    let answered = match (reason_to_come, answer) {
        (false, answer) => approvals.respond(id, answer.into(), peer.by.clone()).await?,
        (true, AnswerBody::Deny { reason: None, instead }) => deny(approvals, id, peer, instead).await?,
        (true, AnswerBody::Deny { .. }) => {
            return Err(RpcError::params("a reason that is there is not to come"));
        }
        (true, _) => return Err(RpcError::params("a reason goes with a deny")),
    };
    Ok(One { approval: answered.into() })
}

/// Denies, with the reason to follow. A peer that repeats its own denial after a lost connection gets the same result.
async fn deny(approvals: &Approvals, id: RequestId, peer: &Peer, instead: bool) -> Result<Standing, AnswerError> {
    match approvals.deny(id, peer.by.clone(), instead).await {
        Err(AnswerError::Denied(standing)) if is_by(&standing, peer) => Ok(*standing),
        denied => denied,
    }
}

fn is_by(standing: &Standing, peer: &Peer) -> bool {
    match &standing.status {
        Status::Denied { by, .. } => by.surface == peer.by.surface() && by.id == peer.by.id(),
        _ => false,
    }
}
