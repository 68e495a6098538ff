//! Methods about the gateway itself: status, figures, pruning and pairing.

use std::time::Duration;

use dmplz_core::stats::Figures;
use dmplz_protocol::RpcError;
use dmplz_protocol::health::{GatewayStatus, GetStatus};
use dmplz_protocol::method::{CreatePairing, PairingCode};
use dmplz_protocol::metrics::{GetMetrics, check_period};
use dmplz_protocol::store::{PruneStore, Pruned};

use super::connection::{Connection, offered};
use crate::disk::Kept;

/// Returns the status: the version, the surfaces that would show a request, and the messengers.
pub(super) async fn status(connection: &Connection, _: GetStatus) -> Result<GatewayStatus, RpcError> {
    let approvals = &connection.services.approvals;
    Ok(GatewayStatus {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        open: approvals.open().len(),
        surfaces: approvals.surfaces(),
        messengers: connection.services.health.messengers(),
    })
}

/// Returns the figures of ended requests.
pub(super) async fn metrics(
    connection: &Connection,
    GetMetrics { since_ms, until_ms }: GetMetrics,
) -> Result<Figures, RpcError> {
    check_period(since_ms, until_ms).map_err(RpcError::params)?;
    connection.services.approvals.figures(since_ms, until_ms).await.map_err(RpcError::internal)
}

/// Prunes the store by these limits. Returns once the data is removed.
pub(super) async fn prune(connection: &Connection, prune: PruneStore) -> Result<Pruned, RpcError> {
    let PruneStore { texts_ms, all_ms, bytes } = prune;
    let pruner = offered(&connection.services.pruner)?;
    let age = |ms: Option<u64>| ms.map(Duration::from_millis);
    Ok(pruner.prune(Some(Kept { texts: age(texts_ms), all: age(all_ms), bytes })).await?)
}

/// Makes a pairing code for a browser. It is valid once, for a few minutes. The address is new each time, so that the
/// browser shows nothing that another program left in its cache.
pub(super) async fn pair(connection: &Connection, _: CreatePairing) -> Result<PairingCode, RpcError> {
    let page = offered(&connection.services.page)?;
    let made = page.pairing.create().map_err(RpcError::internal)?;
    let address = |page: &str| format!("{}/?{}", page.trim_end_matches('/'), made.nonce);
    let link = format!("{}#pair={}", address(page.outside.as_deref().unwrap_or(&page.url)), made.code);
    Ok(PairingCode { url: address(&page.url), link, code: made.code, expires_ms: made.expires_ms })
}
