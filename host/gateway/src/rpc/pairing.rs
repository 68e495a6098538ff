//! A code that lets a browser in, for whoever sits at this machine.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::envelope::Reply;
use super::session::Connection;
use super::{RpcError, result};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Create {}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Created {
    code: String,
    expires_ms: u64,
}

pub(super) fn create(connection: &Arc<Connection>, params: Option<&RawValue>) -> Reply {
    let Create {} = super::params(params)?;
    let made = connection.services.pairing.create().map_err(RpcError::internal)?;
    result(&Created { code: made.code, expires_ms: made.expires_ms })
}
