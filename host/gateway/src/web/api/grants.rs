//! Grants: list those that hold, revoke one.

use axum::Json;
use axum::extract::State;
use dmplz_protocol::grant::{self, RevokedGrant};
use dmplz_protocol::rest::{ErrorBody, ErrorCode};

use super::{ApiError, Caller, Id, SURFACE, Web};
use crate::grants::Grants;

/// Lists the grants that hold, oldest first.
#[utoipa::path(
    get,
    path = "/api/v1/grants",
    responses((status = 200, description = "the grants", body = grant::Grants)),
)]
pub(super) async fn list(State(web): State<Web>, _caller: Caller) -> Result<Json<grant::Grants>, ApiError> {
    let held = grants(&web)?.held().await?;
    Ok(Json(grant::Grants::of(&held, web.rpc.lang)))
}

/// Revokes a grant. When this returns 200, the grant no longer counts, and the next such call is asked again.
#[utoipa::path(
    delete,
    path = "/api/v1/grants/{id}",
    params(("id" = String, Path, description = "its whole id")),
    responses(
        (status = 200, description = "taken back", body = RevokedGrant),
        (status = 404, description = "none that holds has this id", body = ErrorBody),
    ),
)]
pub(super) async fn revoke(State(web): State<Web>, caller: Caller, Id(id): Id) -> Result<Json<RevokedGrant>, ApiError> {
    let by = caller.by.on(SURFACE);
    let (grant, unrecorded) = grants(&web)?.revoke_one(&id, by.answerer()).await?;
    Ok(Json(RevokedGrant::of(&grant, unrecorded.is_none(), web.rpc.lang)))
}

fn grants(web: &Web) -> Result<&Grants, ApiError> {
    web.rpc.grants.as_ref().ok_or_else(|| ApiError::new(ErrorCode::NotFound, "this gateway has no grants"))
}
