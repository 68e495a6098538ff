//! Sessions that the gateway runs. Only processes of the same user start one and speak to it.

use dmplz_protocol::RpcError;
use dmplz_protocol::method::Done;
use dmplz_protocol::session::{
    GetSession, InterruptSession, ListSessions, OneSession, SendToSession, Sent, Sessions as Listed, StartSession,
    StopSession,
};

use super::connection::Connection;
use crate::sessions::Sessions;

pub(super) async fn start(connection: &Connection, start: StartSession) -> Result<OneSession, RpcError> {
    Ok(sessions(connection)?.start(start).await?)
}

pub(super) async fn list(connection: &Connection, _: ListSessions) -> Result<Listed, RpcError> {
    Ok(Listed { sessions: sessions(connection)?.list() })
}

pub(super) async fn get(connection: &Connection, GetSession { id }: GetSession) -> Result<OneSession, RpcError> {
    Ok(sessions(connection)?.get(id)?)
}

pub(super) async fn send(connection: &Connection, send: SendToSession) -> Result<Sent, RpcError> {
    Ok(Sent { message_id: sessions(connection)?.send(send.id, send.text)? })
}

pub(super) async fn interrupt(connection: &Connection, interrupt: InterruptSession) -> Result<Done, RpcError> {
    sessions(connection)?.interrupt(interrupt.id)?;
    Ok(Done {})
}

pub(super) async fn stop(connection: &Connection, StopSession { id }: StopSession) -> Result<Done, RpcError> {
    sessions(connection)?.stop(id)?;
    Ok(Done {})
}

fn sessions(connection: &Connection) -> Result<&Sessions, RpcError> {
    connection.services.sessions.as_ref().ok_or_else(RpcError::no_method)
}
