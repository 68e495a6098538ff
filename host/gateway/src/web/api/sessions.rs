//! Sessions: lists them, starts one in an allowed folder, reads one, and sends it messages. Their events are sent over
//! the WebSocket.

use axum::Json;
use axum::extract::State;
use dmplz_protocol::id;
use dmplz_protocol::rest::{ErrorBody, ErrorCode};
use dmplz_protocol::session::{
    self, FilePart, InterruptBody, MessageBody, NameBody, OneSession, Sent, StartSession, UndoBody, Undone, Uploaded,
};
use http::StatusCode;
use uuid::Uuid;

use super::{ApiError, Body, Caller, Id, Web};
use crate::sessions::{Interrupt, Place, Sessions};

/// Lists the sessions that the gateway knows, newest first.
#[utoipa::path(
    get,
    path = "/api/v1/sessions",
    responses(
        (status = 200, description = "the sessions", body = session::Sessions),
        (status = 404, description = "this gateway runs no sessions", body = ErrorBody),
    ),
)]
pub(super) async fn list(State(web): State<Web>, _caller: Caller) -> Result<Json<session::Sessions>, ApiError> {
    Ok(Json(sessions(&web)?.listed(Place::Program)))
}

/// Starts a session in a folder of `DMPLZ_RUN_FOLDERS`; in another one it is forbidden. Returns once its client runs.
#[utoipa::path(
    post,
    path = "/api/v1/sessions",
    request_body = StartSession,
    responses(
        (status = 200, description = "it runs", body = OneSession),
        (status = 404, description = "this gateway runs no sessions", body = ErrorBody),
        (status = 500, description = "its client cannot be started", body = ErrorBody),
    ),
)]
pub(super) async fn start(
    State(web): State<Web>,
    _caller: Caller,
    Body(wanted): Body<StartSession>,
) -> Result<Json<OneSession>, ApiError> {
    Ok(Json(sessions(&web)?.start(wanted, Place::Program).await?))
}

/// Returns a session, with what it did lately.
#[utoipa::path(
    get,
    path = "/api/v1/sessions/{id}",
    params(("id" = String, Path, description = "its whole id")),
    responses(
        (status = 200, description = "the session", body = OneSession),
        (status = 404, description = "there is none", body = ErrorBody),
    ),
)]
pub(super) async fn get(State(web): State<Web>, _caller: Caller, Id(id): Id) -> Result<Json<OneSession>, ApiError> {
    Ok(Json(sessions(&web)?.get(whole(&id)?).await?))
}

/// Sends a message to a session.
#[utoipa::path(
    post,
    path = "/api/v1/sessions/{id}/messages",
    params(("id" = String, Path, description = "its whole id")),
    request_body = MessageBody,
    responses(
        (status = 200, description = "it is on its way", body = Sent),
        (status = 404, description = "there is none", body = ErrorBody),
        (status = 409, description = "the session has ended", body = ErrorBody),
    ),
)]
pub(super) async fn send(
    State(web): State<Web>,
    _caller: Caller,
    Id(id): Id,
    Body(MessageBody { text }): Body<MessageBody>,
) -> Result<Json<Sent>, ApiError> {
    Ok(Json(Sent { message_id: sessions(&web)?.send(whole(&id)?, text)? }))
}

/// Uploads a part of a file for a message to a session. The last part's result says how a message mentions the file.
#[utoipa::path(
    post,
    path = "/api/v1/sessions/{id}/files",
    params(("id" = String, Path, description = "its whole id")),
    request_body = FilePart,
    responses(
        (status = 200, description = "how far the upload has come", body = Uploaded),
        (status = 404, description = "there is none", body = ErrorBody),
        (status = 409, description = "the part does not follow what was uploaded before", body = ErrorBody),
        (status = 500, description = "the file cannot be kept", body = ErrorBody),
    ),
)]
pub(super) async fn upload(
    State(web): State<Web>,
    _caller: Caller,
    Id(id): Id,
    Body(part): Body<FilePart>,
) -> Result<Json<Uploaded>, ApiError> {
    Ok(Json(sessions(&web)?.upload(whole(&id)?, part).await?))
}

/// Stops what a session does, and denies what it waits for; the session goes on. The body may be left out or null.
#[utoipa::path(
    post,
    path = "/api/v1/sessions/{id}/interrupt",
    params(("id" = String, Path, description = "its whole id")),
    request_body = Option<InterruptBody>,
    responses(
        (status = 204, description = "the client has stopped its turn"),
        (status = 404, description = "there is none", body = ErrorBody),
        (status = 409, description = "the session has ended", body = ErrorBody),
        (status = 500, description = "the client refused, or has not answered", body = ErrorBody),
    ),
)]
pub(super) async fn interrupt(
    State(web): State<Web>,
    Caller { by }: Caller,
    Id(id): Id,
    body: Option<Body<Option<InterruptBody>>>,
) -> Result<StatusCode, ApiError> {
    let InterruptBody { reason, cancel_queued } = body.and_then(|Body(body)| body).unwrap_or_default();
    sessions(&web)?.interrupt(whole(&id)?, Interrupt { by, reason, cancel_queued }).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Ends a session. Returns before it has ended.
#[utoipa::path(
    post,
    path = "/api/v1/sessions/{id}/stop",
    params(("id" = String, Path, description = "its whole id")),
    responses(
        (status = 204, description = "the client is told"),
        (status = 404, description = "there is none", body = ErrorBody),
        (status = 409, description = "the session has ended already", body = ErrorBody),
    ),
)]
pub(super) async fn stop(State(web): State<Web>, _caller: Caller, Id(id): Id) -> Result<StatusCode, ApiError> {
    sessions(&web)?.stop(whole(&id)?)?;
    Ok(StatusCode::NO_CONTENT)
}

/// Starts another session that goes on from the conversation of one that is idle or has ended, in an allowed folder.
#[utoipa::path(
    post,
    path = "/api/v1/sessions/{id}/fork",
    params(("id" = String, Path, description = "its whole id")),
    responses(
        (status = 200, description = "the new session", body = OneSession),
        (status = 404, description = "there is none", body = ErrorBody),
        (status = 409, description = "the session is at work, or has no conversation yet", body = ErrorBody),
        (status = 500, description = "its client cannot be started", body = ErrorBody),
    ),
)]
pub(super) async fn fork(State(web): State<Web>, _caller: Caller, Id(id): Id) -> Result<Json<OneSession>, ApiError> {
    Ok(Json(sessions(&web)?.fork(whole(&id)?, None, Place::Program).await?))
}

/// Gives a session a name, or removes it.
#[utoipa::path(
    post,
    path = "/api/v1/sessions/{id}/name",
    params(("id" = String, Path, description = "its whole id")),
    request_body = NameBody,
    responses(
        (status = 204, description = "it has the name"),
        (status = 404, description = "there is none", body = ErrorBody),
    ),
)]
pub(super) async fn rename(
    State(web): State<Web>,
    _caller: Caller,
    Id(id): Id,
    Body(NameBody { name }): Body<NameBody>,
) -> Result<StatusCode, ApiError> {
    sessions(&web)?.rename(whole(&id)?, &name).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Says what undoing the edits since a message changes. With `confirm`, what a call before said, it undoes exactly that.
#[utoipa::path(
    post,
    path = "/api/v1/sessions/{id}/undo",
    params(("id" = String, Path, description = "its whole id")),
    request_body = UndoBody,
    responses(
        (status = 200, description = "what changes, and whether it has", body = Undone),
        (status = 404, description = "there is none", body = ErrorBody),
        (status = 409, description = "the session has ended or is at work, nothing can be undone, or other files would change", body = ErrorBody),
        (status = 500, description = "the client refused, or has not answered", body = ErrorBody),
    ),
)]
pub(super) async fn undo(
    State(web): State<Web>,
    _caller: Caller,
    Id(id): Id,
    Body(UndoBody { message_id, confirm }): Body<UndoBody>,
) -> Result<Json<Undone>, ApiError> {
    Ok(Json(sessions(&web)?.undo(whole(&id)?, message_id, confirm).await?))
}

fn whole(id: &str) -> Result<Uuid, ApiError> {
    id::parse(id).map_err(|_| ApiError::new(ErrorCode::NotFound, "there is no such session"))
}

fn sessions(web: &Web) -> Result<&Sessions, ApiError> {
    web.rpc.sessions.as_ref().ok_or_else(|| ApiError::new(ErrorCode::NotFound, "this gateway runs no sessions"))
}
