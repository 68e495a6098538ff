//! Grants: which hold, taking one back, and what became of those that others changed.

use std::sync::Arc;

use dmplz_core::grant::Change;
use dmplz_core::resolution::Answerer;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::envelope::Reply;
use super::session::Connection;
use super::{RpcError, result};
use crate::grants::Grants;
use crate::message::Message;
use crate::view::{self, RevokedGrant};

/// Changes that are told at once: a session's end takes at most all grants.
const MOST: usize = 1_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Revoke {
    id: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Told {
    changes: Vec<Change>,
}

pub(super) async fn list(connection: &Arc<Connection>, params: Option<&RawValue>) -> Reply {
    let List {} = super::params(params)?;
    let held = grants(connection)?.held().await?;
    result(&view::Grants::of(&held, connection.services.lang))
}

/// A person takes one back: whoever the session is of.
pub(super) async fn revoke(connection: &Arc<Connection>, params: Option<&RawValue>) -> Reply {
    let Revoke { id } = super::params(params)?;
    let (peer, lang) = (&connection.peer, connection.services.lang);
    let by = Answerer::at(&peer.by, peer.surface);
    let (grant, unrecorded) = grants(connection)?.revoke_one(&id, &by).await?;
    result(&RevokedGrant::of(&grant, unrecorded.is_none(), lang))
}

/// A hook or a command changed the list.
pub(super) async fn told(connection: &Arc<Connection>, params: Option<&RawValue>) -> Reply {
    let Told { changes } = super::params(params)?;
    if changes.len() > MOST {
        return Err(RpcError::params(format!("changes: they are more than {MOST}")));
    }
    changes.iter().try_for_each(|change| Message::from(change.clone()).check()).map_err(RpcError::params)?;
    connection.services.approvals.record_grants(changes).await?;
    result(&serde_json::Map::new())
}

fn grants(connection: &Connection) -> Result<&Grants, RpcError> {
    connection.services.grants.as_ref().ok_or_else(RpcError::no_method)
}
