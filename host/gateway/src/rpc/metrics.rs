//! The figures of what ended.

use std::sync::Arc;

use serde_json::value::RawValue;

use super::envelope::Reply;
use super::session::Connection;
use super::{RpcError, result};
use crate::period::Period;

pub(super) async fn get(connection: &Arc<Connection>, params: Option<&RawValue>) -> Reply {
    let period: Period = super::params(params)?;
    let (since_ms, until_ms) = period.bounds().map_err(RpcError::params)?;
    let figures = connection.services.approvals.figures(since_ms, until_ms).await;
    result(&figures.map_err(RpcError::internal)?)
}
