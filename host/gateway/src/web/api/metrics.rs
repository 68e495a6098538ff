//! The figures of what ended.

use axum::Json;
use axum::extract::State;
use dmplz_core::stats::Figures;
use serde::Deserialize;
use utoipa::IntoParams;

use super::super::Web;
use super::super::caller::Caller;
use super::super::error::ApiError;
use super::super::input::Params;
use super::{CallerRefusals, Refusals};
use crate::view::schema;

/// Which requests count: those that ended from then until before then.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Period {
    /// Unix milliseconds.
    since_ms: Option<u64>,
    /// Unix milliseconds.
    until_ms: Option<u64>,
}

/// What the requests of a period came to.
#[utoipa::path(
    get,
    path = "/api/v1/metrics",
    params(Period),
    responses((status = 200, description = "the figures", body = schema::Figures), Refusals, CallerRefusals),
)]
pub(super) async fn metrics(
    State(web): State<Web>,
    _caller: Caller,
    Params(Period { since_ms, until_ms }): Params<Period>,
) -> Result<Json<Figures>, ApiError> {
    Ok(Json(web.approvals.figures(since_ms, until_ms).await?))
}
