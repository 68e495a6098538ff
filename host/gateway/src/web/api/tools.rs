//! Commands: have one run, see how it goes on.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;

use super::super::Web;
use super::super::caller::Caller;
use super::super::error::{ApiError, ErrorBody, ErrorCode};
use super::super::input::{Body, Id};
use super::{BodyRefusals, CallerRefusals, Refusals};
use crate::id;
use crate::tools::{Invocation, Invoked, Report, Tools};

/// A command to run, once it is allowed.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Command {
    /// The program and its arguments; no shell reads them.
    #[schema(example = json!(["cargo", "test"]))]
    argv: Vec<String>,
    /// Where it runs; absolute.
    #[schema(value_type = String)]
    cwd: PathBuf,
    /// Variables besides the gateway's few.
    #[serde(default)]
    env: BTreeMap<String, String>,
    /// How long it may run; ten minutes where it is not said.
    #[serde(default)]
    #[schema(nullable = false)]
    timeout_ms: Option<u64>,
}

/// Asks for a command to be run. Answered as soon as it is clear whether somebody has to be asked.
#[utoipa::path(
    post,
    path = "/api/v1/tools",
    request_body = Command,
    responses(
        (status = 200, description = "it waits, runs, or a rule denied it", body = Invoked),
        (status = 404, description = "this gateway runs no commands", body = ErrorBody),
        Refusals,
        CallerRefusals,
        BodyRefusals,
    ),
)]
pub(super) async fn invoke(
    State(web): State<Web>,
    _caller: Caller,
    Body(command): Body<Command>,
) -> Result<Json<Invoked>, ApiError> {
    let Command { argv, cwd, env, timeout_ms } = command;
    let invocation = Invocation { argv, cwd, env, timeout: timeout_ms.map(Duration::from_millis) };
    Ok(Json(tools(&web)?.invoke(invocation).await?))
}

/// An invocation, as far as it went.
#[utoipa::path(
    get,
    path = "/api/v1/tools/{id}",
    params(("id" = String, Path, description = "its `invocationId`")),
    responses(
        (status = 200, description = "the invocation", body = Report),
        (status = 404, description = "there is none", body = ErrorBody),
        Refusals,
        CallerRefusals,
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
