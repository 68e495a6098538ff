//! Commands: have one run, see how it goes on. Output comes as `tool.output` to whoever subscribes to it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde_json::value::RawValue;
use uuid::Uuid;

use super::envelope::Reply;
use super::session::Connection;
use super::{RpcError, result};
use crate::tools::{Invocation, InvokeError, NotRecorded, Tools};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Invoke {
    argv: Vec<String>,
    cwd: PathBuf,
    #[serde(default)]
    env: BTreeMap<String, String>,
    #[serde(default)]
    timeout_ms: Option<u64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Which {
    invocation_id: Uuid,
}

/// Asks for a command to be run, and returns as soon as it is clear whether somebody has to be asked.
pub(super) async fn invoke(connection: &Arc<Connection>, params: Option<&RawValue>) -> Reply {
    let Invoke { argv, cwd, env, timeout_ms } = super::params(params)?;
    let invocation = Invocation { argv, cwd, env, timeout: timeout_ms.map(Duration::from_millis) };
    result(&tools(connection)?.invoke(invocation).await?)
}

pub(super) async fn get(connection: &Arc<Connection>, params: Option<&RawValue>) -> Reply {
    let Which { invocation_id } = super::params(params)?;
    let found = tools(connection)?.get(invocation_id).await?;
    result(&found.ok_or_else(|| RpcError::new(-32001, format!("find an invocation {invocation_id}")))?)
}

/// Stops one, whether it waits or runs. Whether there was anything to stop.
pub(super) async fn cancel(connection: &Arc<Connection>, params: Option<&RawValue>) -> Reply {
    let Which { invocation_id } = super::params(params)?;
    let cancelled = tools(connection)?.cancel(invocation_id).await;
    result(&serde_json::json!({ "cancelled": cancelled }))
}

fn tools(connection: &Connection) -> Result<&Tools, RpcError> {
    connection.services.tools.as_ref().ok_or_else(RpcError::no_method)
}

impl From<InvokeError> for RpcError {
    fn from(error: InvokeError) -> Self {
        let message = error.to_string();
        match error {
            InvokeError::Invalid(_) | InvokeError::Resolve(_) => Self::new(-32602, message),
            InvokeError::Ask(error) => error.into(),
            InvokeError::TooMany(_) => Self::new(-32008, message),
            InvokeError::NotRecorded(error) => error.into(),
            InvokeError::Closing => Self::internal(message),
        }
    }
}

impl From<NotRecorded> for RpcError {
    fn from(error: NotRecorded) -> Self {
        Self::new(-32005, error.to_string())
    }
}
