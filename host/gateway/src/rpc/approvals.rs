//! Requests: list, look at, answer.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::envelope::Reply;
use super::session::Connection;
use super::{Peer, RpcError, result};
use crate::approvals::{Answer, AnswerError, Approvals};
use crate::listing::Wanted;
use crate::request::{RequestId, Standing, Status};
use crate::said::Said;
use crate::view::Approval;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Get {
    id: RequestId,
}

/// Whom an answer is for. The rest of the params is the answer.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct To {
    id: RequestId,
    /// Deny at once, for good; the reason may follow as a deny of its own.
    #[serde(default)]
    reason_to_come: bool,
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
    let approval = connection.services.approvals.get(id).await.ok_or(AnswerError::Unknown(id))?;
    result(&One { approval: approval.into() })
}

/// A person answers: whoever the session is of.
pub(super) async fn respond(connection: &Arc<Connection>, params: Option<&RawValue>) -> Reply {
    let mut said: Map<String, Value> = super::params(params)?;
    let to = ["id", "reasonToCome"].into_iter().filter_map(|key| Some((key.to_owned(), said.shift_remove(key)?)));
    let To { id, reason_to_come } = serde_json::from_value(to.collect()).map_err(RpcError::params)?;
    let said: Said = serde_json::from_value(said.into()).map_err(RpcError::params)?;
    let answer = said.answer(reason_to_come).map_err(RpcError::params)?;
    let (approvals, peer) = (&connection.services.approvals, &connection.peer);
    if reason_to_come {
        return match answer {
            Answer::Deny { reason: None, instead } => deny(approvals, id, peer, instead).await,
            Answer::Deny { .. } => Err(RpcError::params("a reason that is there is not to come")),
            Answer::Allow(_) => Err(RpcError::params("a reason goes with a deny")),
        };
    }
    let approval = approvals.answer(id, answer, peer.by.clone(), peer.surface).await?;
    result(&One { approval: approval.into() })
}

/// Denies, with the reason to come. Whoever lost the connection and says it again is told the same.
async fn deny(approvals: &Approvals, id: RequestId, peer: &Peer, instead: bool) -> Reply {
    let approval = match approvals.deny(id, peer.by.clone(), peer.surface, instead).await {
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
