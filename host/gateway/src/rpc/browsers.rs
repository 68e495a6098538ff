//! Methods about paired browsers: list them, and end pairings. A page may end any of them, its own included.

use dmplz_protocol::browser::{Browsers, ListBrowsers, RevokeBrowsers, RevokedBrowsers};
use dmplz_protocol::{Refusal, RpcError};

use super::Role;
use super::connection::{Connection, offered};

pub(super) async fn list(connection: &Connection, _: ListBrowsers) -> Result<Browsers, RpcError> {
    let own = match connection.peer.role {
        Role::Page(browser) => Some(browser),
        Role::Local | Role::Program => None,
    };
    Ok(Browsers { browsers: offered(&connection.services.page)?.browsers.list(own) })
}

/// Ends pairings. They are over even if that cannot be stored, which is an error then.
pub(super) async fn revoke(connection: &Connection, revoke: RevokeBrowsers) -> Result<RevokedBrowsers, RpcError> {
    let id = match &revoke {
        RevokeBrowsers { id: Some(id), all: false } => Some(id.as_str()),
        RevokeBrowsers { id: None, all: true } => None,
        RevokeBrowsers { .. } => return Err(RpcError::params("either an id or all of them")),
    };
    let (revoked, saved) = offered(&connection.services.page)?.browsers.revoke(id).await;
    saved.map_err(|error| RpcError::internal(format!("it is over until the gateway is restarted: {error}")))?;
    match revoked.is_empty() && id.is_some() {
        true => Err(Refusal::NoBrowser.into()),
        false => Ok(RevokedBrowsers { revoked }),
    }
}
