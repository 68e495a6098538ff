//! The gateway itself: how it does, its figures, what it keeps, and who gets in.

use std::time::Duration;

use dmplz_core::stats::Figures;
use dmplz_protocol::RpcError;
use dmplz_protocol::health::{GatewayStatus, GetStatus};
use dmplz_protocol::method::{CreatePairing, PairingCode};
use dmplz_protocol::metrics::GetMetrics;
use dmplz_protocol::store::{PruneStore, Pruned};

use super::connection::Connection;
use crate::disk::Kept;

/// How the gateway is: whether it is the program that asks, and who would see a request.
pub(super) async fn status(connection: &Connection, _: GetStatus) -> Result<GatewayStatus, RpcError> {
    let approvals = &connection.services.approvals;
    Ok(GatewayStatus {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        open: approvals.open().len(),
        surfaces: approvals.surfaces(),
        messengers: connection.services.health.messengers(),
    })
}

/// The figures of what ended.
pub(super) async fn metrics(connection: &Connection, period: GetMetrics) -> Result<Figures, RpcError> {
    let (since_ms, until_ms) = period.bounds().map_err(RpcError::params)?;
    connection.services.approvals.figures(since_ms, until_ms).await.map_err(RpcError::internal)
}

/// Removes what is older or more than that. Answers once it is gone.
pub(super) async fn prune(connection: &Connection, prune: PruneStore) -> Result<Pruned, RpcError> {
    let PruneStore { texts_ms, all_ms, bytes } = prune;
    let pruner = connection.services.pruner.as_ref().ok_or_else(RpcError::no_method)?;
    let age = |ms: Option<u64>| ms.map(Duration::from_millis);
    Ok(pruner.prune(Some(Kept { texts: age(texts_ms), all: age(all_ms), bytes })).await?)
}

/// Makes a code for a browser. It is used once, and counts for a few minutes. The address is new each time, so that what
/// another program left in the browser's cache is not shown for it.
pub(super) async fn pair(connection: &Connection, _: CreatePairing) -> Result<PairingCode, RpcError> {
    let page = connection.services.page.as_ref().ok_or_else(RpcError::no_method)?;
    let made = page.pairing.create().map_err(RpcError::internal)?;
    let url = format!("{}/?{}", page.url, made.nonce);
    Ok(PairingCode { code: made.code, expires_ms: made.expires_ms, url })
}
