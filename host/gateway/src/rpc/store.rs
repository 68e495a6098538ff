//! Looking after what the gateway keeps, for processes of the same user.

use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::envelope::Reply;
use super::session::Connection;
use super::{RpcError, result};
use crate::disk::Kept;

/// How long what ended is kept, and how much; what is not said is kept for ever, and all of it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Prune {
    texts_ms: Option<u64>,
    all_ms: Option<u64>,
    bytes: Option<u64>,
}

/// Removes what is older or more than that. Answers once it is gone.
pub(super) async fn prune(connection: &Arc<Connection>, params: Option<&RawValue>) -> Reply {
    let Prune { texts_ms, all_ms, bytes } = super::params(params)?;
    let pruner = connection.services.pruner.as_ref().ok_or_else(RpcError::no_method)?;
    let age = |ms: Option<u64>| ms.map(Duration::from_millis);
    let kept = Kept { texts: age(texts_ms), all: age(all_ms), bytes };
    result(&pruner.prune(Some(kept)).await?)
}
