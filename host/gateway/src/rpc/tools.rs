//! Methods that run commands.
//!
//! `tools.invoke` returns at once. The command runs even if the client disconnects, and `tools.get` returns its state.
//! `tools.run` is for a client that stays: it receives `run.accepted` (with the result of `tools.invoke`), then all
//! output as `run.output`, as fast as the client reads it, and at the end the result of `tools.get`. If the client
//! disconnects, the command is stopped, or its request withdrawn.

use dmplz_protocol::tool::{CancelTool, Cancelled, GetTool, InvokeTool, Invoked, Report, RunTool, Written};
use dmplz_protocol::{Refusal, RpcError};
use uuid::Uuid;

use super::connection::Connection;
use crate::tools::{Chunk, Tools};

/// Stops the invocation when its client stops following it.
struct Followed {
    tools: Tools,
    id: Uuid,
}

pub(super) async fn invoke(connection: &Connection, call: InvokeTool) -> Result<Invoked, RpcError> {
    Ok(tools(connection)?.invoke(call).await?)
}

pub(super) async fn get(connection: &Connection, GetTool { invocation_id }: GetTool) -> Result<Report, RpcError> {
    tools(connection)?.get(invocation_id).await?.ok_or_else(|| unknown(invocation_id))
}

pub(super) async fn cancel(connection: &Connection, cancel: CancelTool) -> Result<Cancelled, RpcError> {
    Ok(Cancelled { cancelled: tools(connection)?.cancel(cancel.invocation_id).await })
}

pub(super) async fn run(connection: &Connection, RunTool(call): RunTool) -> Result<Report, RpcError> {
    let tools = tools(connection)?;
    let (invoked, mut output) = tools.run(call).await?;
    let id = invoked.invocation_id;
    let _followed = Followed { tools: tools.clone(), id };
    connection.notify(&invoked).await;
    let end = async {
        while let Some(Chunk { stream, bytes }) = output.recv().await {
            connection.notify(&Written::new(id, stream, bytes)).await;
        }
        tools.ended(id).await
    };
    tokio::select! {
        report = end => report?.ok_or_else(|| unknown(id)),
        () = connection.hung_up() => Err(RpcError::internal("the asker is gone")),
    }
}

fn tools(connection: &Connection) -> Result<&Tools, RpcError> {
    connection.services.tools.as_ref().ok_or_else(RpcError::no_method)
}

fn unknown(invocation: Uuid) -> RpcError {
    Refusal::NoInvocation { invocation }.into()
}

impl Drop for Followed {
    fn drop(&mut self) {
        let (tools, id) = (self.tools.clone(), self.id);
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            // An invocation that has ended is not affected.
            runtime.spawn(async move { tools.cancel(id).await });
        }
    }
}
