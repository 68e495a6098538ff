//! Sessions that the gateway runs. A process of the same user starts one anywhere; a page or a program with the token in the folders that
//! the operator allowed.

use dmplz_protocol::RpcError;
use dmplz_protocol::method::Done;
use dmplz_protocol::session::{
    ForkSession, GetSession, InterruptSession, ListSessionRules, ListSessions, ModeSet, OneSession, RenameSession,
    ResumeSession, RetractMessage, Retracted, RevokePermission, SendToSession, Sent, SessionRules, Sessions as Listed,
    SetSessionMode, SetSessionModel, StartSession, StopSession, UndoSession, Undone, UploadToSession, Uploaded,
};

use super::Role;
use super::connection::{Connection, offered};
use crate::sessions::{Interrupt, Place, Sessions};

pub(super) async fn start(connection: &Connection, start: StartSession) -> Result<OneSession, RpcError> {
    Ok(sessions(connection)?.start(start, place(connection)).await?)
}

pub(super) async fn resume(connection: &Connection, resume: ResumeSession) -> Result<OneSession, RpcError> {
    Ok(sessions(connection)?.resume(resume.id, resume.env, place(connection)).await?)
}

pub(super) async fn fork(connection: &Connection, fork: ForkSession) -> Result<OneSession, RpcError> {
    Ok(sessions(connection)?.fork(fork.id, fork.env, place(connection)).await?)
}

pub(super) async fn rename(connection: &Connection, rename: RenameSession) -> Result<Done, RpcError> {
    sessions(connection)?.rename(rename.id, &rename.name).await?;
    Ok(Done {})
}

pub(super) async fn undo(connection: &Connection, undo: UndoSession) -> Result<Undone, RpcError> {
    Ok(sessions(connection)?.undo(undo.id, undo.message_id, undo.confirm).await?)
}

pub(super) async fn list(connection: &Connection, _: ListSessions) -> Result<Listed, RpcError> {
    Ok(sessions(connection)?.listed(place(connection)))
}

pub(super) async fn get(connection: &Connection, GetSession { id }: GetSession) -> Result<OneSession, RpcError> {
    Ok(sessions(connection)?.get(id).await?)
}

pub(super) async fn send(connection: &Connection, send: SendToSession) -> Result<Sent, RpcError> {
    Ok(Sent { message_id: sessions(connection)?.send(send.id, send.text)? })
}

pub(super) async fn upload(connection: &Connection, upload: UploadToSession) -> Result<Uploaded, RpcError> {
    Ok(sessions(connection)?.upload(upload.id, upload.part).await?)
}

pub(super) async fn retract(connection: &Connection, retract: RetractMessage) -> Result<Retracted, RpcError> {
    Ok(Retracted { retracted: sessions(connection)?.retract(retract.id, retract.message_id).await? })
}

pub(super) async fn interrupt(connection: &Connection, interrupt: InterruptSession) -> Result<Done, RpcError> {
    let InterruptSession { id, reason, cancel_queued } = interrupt;
    let interrupt = Interrupt { by: connection.peer.by.clone(), reason, cancel_queued };
    sessions(connection)?.interrupt(id, interrupt).await?;
    Ok(Done {})
}

pub(super) async fn stop(connection: &Connection, StopSession { id }: StopSession) -> Result<Done, RpcError> {
    sessions(connection)?.stop(id)?;
    Ok(Done {})
}

pub(super) async fn mode(connection: &Connection, set: SetSessionMode) -> Result<ModeSet, RpcError> {
    Ok(ModeSet { confirm: sessions(connection)?.set_mode(set.id, set.mode, &connection.peer.by).await? })
}

pub(super) async fn model(connection: &Connection, set: SetSessionModel) -> Result<Done, RpcError> {
    sessions(connection)?.set_model(set.id, set.model).await?;
    Ok(Done {})
}

pub(super) async fn rules(connection: &Connection, list: ListSessionRules) -> Result<SessionRules, RpcError> {
    Ok(sessions(connection)?.rules(list.id).await?)
}

pub(super) async fn revoke(connection: &Connection, revoke: RevokePermission) -> Result<Done, RpcError> {
    sessions(connection)?.revoke(revoke.id, revoke.number).await?;
    Ok(Done {})
}

/// Returns from where it is asked.
fn place(connection: &Connection) -> Place<'static> {
    match connection.peer.role {
        Role::Page(_) => Place::Page,
        Role::Program => Place::Program,
        Role::Local => Place::Terminal,
    }
}

fn sessions(connection: &Connection) -> Result<&Sessions, RpcError> {
    offered(&connection.services.sessions)
}
