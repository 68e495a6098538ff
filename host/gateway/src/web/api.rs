//! REST. A route is in the OpenAPI document because it is registered, and the other way round.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use dmplz_protocol::rest::ErrorBody;
use http::header::CONTENT_TYPE;
use serde_json::Value;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{IntoResponses, OpenApi};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Web;

mod approvals;
mod grants;
mod health;
mod metrics;
mod tools;

/// What is told of an answer that comes by REST.
const SURFACE: &str = "rest";

#[derive(OpenApi)]
#[openapi(
    info(
        title = "dmplz gateway",
        description = "Requests of coding agents, and answers to them. Programs show the token of `gateway.token`. \
                       A page has no part in this: it proves a key of its own on its WebSocket.",
        license(name = "MIT OR Apache-2.0"),
    ),
    security(("token" = [])),
    components(schemas(ErrorBody)),
)]
struct Document;

/// What every route may be refused with.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "only its documentation is used")]
enum Refusals {
    /// The request cannot be understood.
    #[response(status = 400)]
    BadRequest(ErrorBody),
    /// It comes from another site, or under a name that is not ours.
    #[response(status = 403)]
    Forbidden(ErrorBody),
    /// The route has no such method.
    #[response(status = 405)]
    MethodNotAllowed(ErrorBody),
}

/// What a route with a caller may be refused with.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "only its documentation is used")]
enum CallerRefusals {
    /// No token, or one that does not count.
    #[response(status = 401)]
    Unauthorized(ErrorBody),
    /// Too often; `Retry-After` says when to come again.
    #[response(status = 429)]
    TooManyRequests(ErrorBody),
    /// The disk failed, nobody is there to be asked, or the gateway is about to end.
    #[response(status = 503)]
    Unavailable(ErrorBody),
}

/// What a route for monitoring may be refused with.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "only its documentation is used")]
enum ScraperRefusals {
    /// No token, or one that does not count.
    #[response(status = 401)]
    Unauthorized(ErrorBody),
    /// Too often; `Retry-After` says when to come again.
    #[response(status = 429)]
    TooManyRequests(ErrorBody),
}

/// What a route with a body may be refused with.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "only its documentation is used")]
enum BodyRefusals {
    /// The body did not come in time.
    #[response(status = 408)]
    TooSlow(ErrorBody),
    /// The body is too large.
    #[response(status = 413)]
    TooLarge(ErrorBody),
    /// The body is not `application/json`.
    #[response(status = 415)]
    NotJson(ErrorBody),
}

/// All routes, with what they say of themselves.
pub(super) fn routes() -> OpenApiRouter<Web> {
    let mut document = Document::openapi();
    let components = document.components.get_or_insert_default();
    let token = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some("the token of `gateway.token`"));
    components.add_security_scheme("token", SecurityScheme::Http(token.build()));
    let metrics = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some("the token of `metrics.token`"));
    components.add_security_scheme("metricsToken", SecurityScheme::Http(metrics.build()));
    OpenApiRouter::with_openapi(document)
        .routes(routes!(openapi))
        .routes(routes!(approvals::list))
        .routes(routes!(approvals::get))
        .routes(routes!(approvals::answer))
        .routes(routes!(grants::list))
        .routes(routes!(grants::revoke))
        .routes(routes!(metrics::metrics))
        .routes(routes!(tools::invoke))
        .routes(routes!(tools::get))
        .routes(routes!(health::healthz))
        .routes(routes!(health::readyz))
        .routes(routes!(health::metrics))
}

/// The document as it is sent.
pub(super) fn document() -> Bytes {
    let mut document = serde_json::to_value(routes().into_openapi()).unwrap_or_default();
    if let Some(Value::Object(schemas)) = document.pointer_mut("/components/schemas") {
        schemas.values_mut().for_each(close);
    }
    document.to_string().into()
}

/// Utoipa leaves open which more members an object has: none.
fn close(schema: &mut Value) {
    let shapes = schema.get_mut("oneOf").and_then(Value::as_array_mut);
    shapes.into_iter().flatten().for_each(close);
    if let Some(object) = schema.as_object_mut().filter(|object| object.contains_key("properties")) {
        object.insert("additionalProperties".to_owned(), false.into());
    }
}

/// This document.
#[utoipa::path(
    get,
    path = "/api/v1/openapi.json",
    security(()),
    responses((status = 200, description = "OpenAPI 3.1", body = Object), Refusals),
)]
async fn openapi(State(web): State<Web>) -> Response {
    ([(CONTENT_TYPE, "application/json")], web.openapi.clone()).into_response()
}
