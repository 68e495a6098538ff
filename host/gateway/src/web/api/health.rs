//! Routes for supervisors and monitoring, at their conventional paths outside of `/api/v1`.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use dmplz_protocol::health::{Alive, Readiness};
use http::StatusCode;
use http::header::CONTENT_TYPE;

use super::{Scraper, Web};
use crate::health::MEDIA_TYPE;

/// Reports that the process serves. Whether it can take requests is `/readyz`.
#[utoipa::path(
    get,
    path = "/healthz",
    security(()),
    responses((status = 200, description = "it does", body = Alive)),
)]
pub(super) async fn healthz() -> Json<Alive> {
    Json(Alive { alive: true })
}

/// Reports whether requests can be taken: the store is writable, a surface shows requests, and every configured
/// messenger is reachable. The result of the store's check is reused for five seconds.
#[utoipa::path(
    get,
    path = "/readyz",
    security(()),
    responses(
        (status = 200, description = "they can", body = Readiness),
        (status = 503, description = "they cannot, and why", body = Readiness),
    ),
)]
pub(super) async fn readyz(State(web): State<Web>) -> Response {
    let readiness = web.rpc.health.readiness().await;
    let status = if readiness.ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (status, Json(readiness)).into_response()
}

/// Returns metrics in the text format of Prometheus. The figures of ended requests are at `/api/v1/metrics`.
#[utoipa::path(
    get,
    path = "/metrics",
    security(("token" = []), ("metricsToken" = [])),
    responses((status = 200, description = "text of version 0.0.4", body = String, content_type = "text/plain")),
)]
pub(super) async fn metrics(State(web): State<Web>, _scraper: Scraper) -> Response {
    ([(CONTENT_TYPE, MEDIA_TYPE)], web.rpc.health.metrics().await).into_response()
}
