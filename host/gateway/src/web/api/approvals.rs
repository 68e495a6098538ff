//! Requests: list them, look one up, answer one.

use axum::Json;
use axum::extract::State;
use dmplz_protocol::approval::One;
use dmplz_protocol::list::{ListApprovals, Page};
use dmplz_protocol::rest::{ErrorBody, ErrorCode};
use dmplz_protocol::{AnswerBody, NotAnId, RequestId};

use super::{ApiError, Body, Caller, Id, Params, SURFACE, Web};
use crate::listing;

/// Lists requests, newest first.
#[utoipa::path(
    get,
    path = "/api/v1/approvals",
    params(ListApprovals),
    responses((status = 200, description = "requests", body = Page)),
)]
pub(super) async fn list(
    State(web): State<Web>,
    _caller: Caller,
    Params(wanted): Params<ListApprovals>,
) -> Result<Json<Page>, ApiError> {
    Ok(Json(listing::list(wanted, &web.rpc.approvals).await?))
}

/// Returns one request.
#[utoipa::path(
    get,
    path = "/api/v1/approvals/{id}",
    params(("id" = String, Path, description = "its whole id")),
    responses(
        (status = 200, description = "the request", body = One),
        (status = 404, description = "there is none of this id", body = ErrorBody),
    ),
)]
pub(super) async fn get(State(web): State<Web>, _caller: Caller, Id(id): Id) -> Result<Json<One>, ApiError> {
    let standing = web.rpc.approvals.named(whole(&id)?).await?;
    Ok(Json(One { approval: standing.into() }))
}

/// Answers a request. When this returns 200, the answer was the first and is on disk.
#[utoipa::path(
    post,
    path = "/api/v1/approvals/{id}/answer",
    params(("id" = String, Path, description = "its whole id")),
    request_body = AnswerBody,
    responses(
        (status = 200, description = "answered", body = One),
        (status = 404, description = "there is none of this id", body = ErrorBody),
        (status = 409, description = "somebody was first, who is in `approval`; or it does not offer that, and what it offers is in `approval`", body = ErrorBody),
    ),
)]
pub(super) async fn answer(
    State(web): State<Web>,
    caller: Caller,
    Id(id): Id,
    Body(answer): Body<AnswerBody>,
) -> Result<Json<One>, ApiError> {
    let standing = web.rpc.approvals.respond(whole(&id)?, answer.into(), caller.by.on(SURFACE)).await?;
    Ok(Json(One { approval: standing.into() }))
}

/// Parses the request id in a path. Only a whole id identifies a request.
fn whole(id: &str) -> Result<RequestId, ApiError> {
    id.parse()
        .map_err(|error: NotAnId| ApiError::new(ErrorCode::NotFound, format!("there is no such request: {error}")))
}
