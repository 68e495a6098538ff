//! Letting a browser in. Only a process of the same user gets a code.

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
    url: String,
}

/// Makes a code. It is used once, and counts for a few minutes. The address is new each time, so that what another program
/// left in the browser's cache is not shown for it.
pub(super) fn create(connection: &Arc<Connection>, params: Option<&RawValue>) -> Reply {
    let Create {} = super::params(params)?;
    let page = connection.services.page.as_ref().ok_or_else(RpcError::no_method)?;
    let made = page.pairing.create().map_err(RpcError::internal)?;
    let url = format!("{}/?{}", page.url, made.nonce);
    result(&Created { code: made.code, expires_ms: made.expires_ms, url })
}
