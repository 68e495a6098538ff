//! Methods about grants: list those that hold, revoke one, and record changes made by other processes.

use dmplz_protocol::grant::{self, ListGrants, RevokeGrant, RevokedGrant};
use dmplz_protocol::hook::GrantChanges;
use dmplz_protocol::method::Done;
use dmplz_protocol::{Message, RpcError};

use super::connection::{Connection, offered};

/// The most changes in one call: the end of a session ends at most all grants.
const MOST: usize = 1_000;

pub(super) async fn list(connection: &Connection, _: ListGrants) -> Result<grant::Grants, RpcError> {
    let held = offered(&connection.services.grants)?.held().await?;
    Ok(grant::Grants::of(&held, connection.services.lang))
}

/// Revokes a grant for a person, whichever session it belongs to.
pub(super) async fn revoke(connection: &Connection, revoke: RevokeGrant) -> Result<RevokedGrant, RpcError> {
    let (grants, by) = (offered(&connection.services.grants)?, connection.peer.by.answerer());
    let (grant, unrecorded) = grants.revoke_one(&revoke.id, by).await?;
    Ok(RevokedGrant::of(&grant, unrecorded.is_none(), connection.services.lang))
}

/// Records changes that a hook or a command made to the list.
pub(super) async fn told(connection: &Connection, GrantChanges { changes }: GrantChanges) -> Result<Done, RpcError> {
    if changes.len() > MOST {
        return Err(RpcError::params(format!("changes: they are more than {MOST}")));
    }
    changes.iter().try_for_each(|change| Message::from(change.clone()).check()).map_err(RpcError::params)?;
    connection.services.approvals.record_grants(changes).await?;
    Ok(Done {})
}
