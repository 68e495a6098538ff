//! Commands: have one run, and follow its state.

use axum::Json;
use axum::extract::State;
use dmplz_protocol::id;
use dmplz_protocol::rest::{ErrorBody, ErrorCode};
use dmplz_protocol::tool::{InvokeTool, Invoked, Report};

use super::{ApiError, Body, Caller, Id, Web};
use crate::tools::Tools;

/// Asks for a command to be run. Returns as soon as the policy has decided or a person has been asked.
#[utoipa::path(
    post,
    path = "/api/v1/tools",
    request_body = InvokeTool,
    responses(
        (status = 200, description = "it waits, runs, or a rule denied it", body = Invoked),
        (status = 404, description = "the folder or the program is not there, or this gateway runs no commands", body = ErrorBody),
    ),
)]
pub(super) async fn invoke(
    State(web): State<Web>,
    _caller: Caller,
    Body(command): Body<InvokeTool>,
) -> Result<Json<Invoked>, ApiError> {
    Ok(Json(tools(&web)?.invoke(command).await?))
}

/// Returns an invocation in its present state.
#[utoipa::path(
    get,
    path = "/api/v1/tools/{id}",
    params(("id" = String, Path, description = "its `invocationId`")),
    responses(
        (status = 200, description = "the invocation", body = Report),
        (status = 404, description = "there is none", body = ErrorBody),
    ),
)]
pub(super) async fn get(State(web): State<Web>, _caller: Caller, Id(id): Id) -> Result<Json<Report>, ApiError> {
    let none = || ApiError::new(ErrorCode::NotFound, "there is no such invocation");
    let id = id::parse(&id).map_err(|_| none())?;
    Ok(Json(tools(&web)?.get(id).await?.ok_or_else(none)?))
}

fn tools(web: &Web) -> Result<&Tools, ApiError> {
    web.rpc.tools.as_ref().ok_or_else(|| ApiError::new(ErrorCode::NotFound, "this gateway runs no commands"))
}
