//! The figures of what ended.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::envelope::Reply;
use super::session::Connection;
use super::{RpcError, result};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Period {
    #[serde(default)]
    since_ms: Option<u64>,
    #[serde(default)]
    until_ms: Option<u64>,
}

pub(super) async fn get(connection: &Arc<Connection>, params: Option<&RawValue>) -> Reply {
    let Period { since_ms, until_ms } = super::params(params)?;
    let figures = connection.services.approvals.figures(since_ms, until_ms).await;
    result(&figures.map_err(RpcError::internal)?)
}
