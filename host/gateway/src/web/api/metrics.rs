//! The figures of ended requests.

use axum::Json;
use axum::extract::State;
use dmplz_core::stats::Figures;
use dmplz_protocol::metrics::{GetMetrics, check_period};
use dmplz_protocol::rest::ErrorCode;

use super::{ApiError, Caller, Params, Web};

/// Returns the figures of the requests that ended in a period.
#[utoipa::path(
    get,
    path = "/api/v1/metrics",
    params(GetMetrics),
    responses((status = 200, description = "the figures", body = Figures)),
)]
pub(super) async fn metrics(
    State(web): State<Web>,
    _caller: Caller,
    Params(GetMetrics { since_ms, until_ms }): Params<GetMetrics>,
) -> Result<Json<Figures>, ApiError> {
    check_period(since_ms, until_ms).map_err(|error| ApiError::new(ErrorCode::BadRequest, error.to_string()))?;
    Ok(Json(web.rpc.approvals.figures(since_ms, until_ms).await?))
}
