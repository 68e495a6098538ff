//! Commands to run.
//!
//! `tools.invoke` returns at once; the command goes on whoever stays, and `tools.get` tells how. `tools.run` is for somebody
//! who stays: `run.accepted` (as `tools.invoke` answers), then everything that the command writes as `run.output`, as fast as
//! it is read, and at the end the result of `tools.get`. When they hang up it is stopped, or its request withdrawn.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use uuid::Uuid;

use super::envelope::Reply;
use super::session::Connection;
use super::{RpcError, result};
use crate::tools::{Chunk, Invocation, InvokeError, NotRecorded, Stream, Tools};

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
struct Named {
    #[serde(deserialize_with = "crate::id::deserialize")]
    invocation_id: Uuid,
}

#[derive(Serialize)]
struct Cancelled {
    /// Whether there was anything to stop.
    cancelled: bool,
}

/// What a command wrote: as text where it is UTF-8.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Written {
    invocation_id: Uuid,
    stream: Stream,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hex: Option<String>,
}

/// Stops what nobody follows any more.
struct Followed {
    tools: Tools,
    id: Uuid,
}

pub(super) async fn invoke(connection: &Arc<Connection>, params: Option<&RawValue>) -> Reply {
    let invoke: Invoke = super::params(params)?;
    result(&tools(connection)?.invoke(invoke.into()).await?)
}

pub(super) async fn get(connection: &Arc<Connection>, params: Option<&RawValue>) -> Reply {
    let Named { invocation_id } = super::params(params)?;
    result(&tools(connection)?.get(invocation_id).await?.ok_or_else(|| unknown(invocation_id))?)
}

pub(super) async fn cancel(connection: &Arc<Connection>, params: Option<&RawValue>) -> Reply {
    let Named { invocation_id } = super::params(params)?;
    result(&Cancelled { cancelled: tools(connection)?.cancel(invocation_id).await })
}

pub(super) async fn run(connection: &Arc<Connection>, params: Option<&RawValue>) -> Reply {
    let invoke: Invoke = super::params(params)?;
    let tools = tools(connection)?;
    let (invoked, mut output) = tools.run(invoke.into()).await?;
    let id = invoked.invocation_id;
    let _followed = Followed { tools: tools.clone(), id };
    connection.notify("run.accepted", &invoked).await;
    let end = async {
        while let Some(chunk) = output.recv().await {
            connection.notify("run.output", &Written::of(id, chunk)).await;
        }
        tools.ended(id).await
    };
    tokio::select! {
        report = end => result(&report?.ok_or_else(|| unknown(id))?),
        () = connection.hung_up() => Err(RpcError::internal("wait for the end: the asker is gone")),
    }
}

fn tools(connection: &Connection) -> Result<&Tools, RpcError> {
    connection.services.tools.as_ref().ok_or_else(RpcError::no_method)
}

fn unknown(id: Uuid) -> RpcError {
    RpcError::new(-32001, format!("find an invocation {id}"))
}

impl From<Invoke> for Invocation {
    fn from(Invoke { argv, cwd, env, timeout_ms }: Invoke) -> Self {
        Self { argv, cwd, env, timeout: timeout_ms.map(Duration::from_millis) }
    }
}

impl Written {
    fn of(invocation_id: Uuid, Chunk { stream, bytes }: Chunk) -> Self {
        let (text, hex) = match String::from_utf8(bytes) {
            Ok(text) => (Some(text), None),
            Err(other) => (None, Some(hex(other.as_bytes()))),
        };
        Self { invocation_id, stream, text, hex }
    }
}

fn hex(bytes: &[u8]) -> String {
    let mut hex = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}

impl Drop for Followed {
    fn drop(&mut self) {
        let (tools, id) = (self.tools.clone(), self.id);
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            // Nothing is left to stop where it has ended.
            runtime.spawn(async move { tools.cancel(id).await });
        }
    }
}

impl From<InvokeError> for RpcError {
    fn from(error: InvokeError) -> Self {
        let code = match error {
            InvokeError::Ask(error) => return error.into(),
            InvokeError::Invalid(_) | InvokeError::Resolve(_) => -32602,
            InvokeError::TooMany(_) => -32008,
            InvokeError::NotRecorded(_) => -32005,
            InvokeError::Closing => -32603,
        };
        Self::new(code, chain(&error))
    }
}

impl From<NotRecorded> for RpcError {
    fn from(error: NotRecorded) -> Self {
        Self::new(-32005, error.to_string())
    }
}

/// What is wrong, and why: `enter the folder /x: No such file or directory`.
fn chain(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
