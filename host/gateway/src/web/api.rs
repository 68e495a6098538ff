//! REST. The OpenAPI document is generated from the registered routes, so both always agree.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use dmplz_protocol::rest::ErrorBody;
use http::header::CONTENT_TYPE;
use serde_json::Value;
use utoipa::openapi::PathItem;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme};
use utoipa::{IntoResponses, OpenApi};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Web;
use super::caller::{Caller, Scraper};
use super::error::ApiError;
use super::input::{Body, Id, Params};

mod approvals;
mod grants;
mod health;
mod metrics;
mod sessions;
mod tools;

/// The surface under which answers by REST are recorded.
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

/// The errors that every route may return.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "only its documentation is used")]
enum Refusals {
    /// The request cannot be understood.
    #[response(status = 400)]
    BadRequest(ErrorBody),
    /// The request comes from another site, names a host that is not ours, or wants a session in a folder where none may be started.
    #[response(status = 403)]
    Forbidden(ErrorBody),
    /// The route does not support the method.
    #[response(status = 405)]
    MethodNotAllowed(ErrorBody),
}

/// The errors that a route with a token may return.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "only its documentation is used")]
enum TokenRefusals {
    /// The token is missing or wrong.
    #[response(status = 401)]
    Unauthorized(ErrorBody),
    /// Too many calls; `Retry-After` says when to try again.
    #[response(status = 429)]
    TooManyRequests(ErrorBody),
}

/// The error that a route with a caller may return too.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "only its documentation is used")]
enum CallerRefusals {
    /// The disk failed, no surface is attached, or the gateway is stopping.
    #[response(status = 503)]
    Unavailable(ErrorBody),
}

/// The errors that a route with a body may return.
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

/// Returns all routes, with their documentation.
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
        .routes(routes!(sessions::list, sessions::start))
        .routes(routes!(sessions::get))
        .routes(routes!(sessions::send))
        .routes(routes!(sessions::upload))
        .routes(routes!(sessions::interrupt))
        .routes(routes!(sessions::stop))
        .routes(routes!(sessions::fork))
        .routes(routes!(sessions::rename))
        .routes(routes!(sessions::undo))
        .routes(routes!(health::healthz))
        .routes(routes!(health::readyz))
        .routes(routes!(health::metrics))
}

/// Returns the OpenAPI document, serialised.
pub(super) fn document() -> Bytes {
    let mut document = routes().into_openapi();
    document.paths.paths.values_mut().for_each(add_refusals);
    let mut document = serde_json::to_value(document).unwrap_or_default();
    if let Some(Value::Object(schemas)) = document.pointer_mut("/components/schemas") {
        schemas.values_mut().for_each(close);
    }
    document.to_string().into()
}

/// Adds the errors that operations of its kind have in common.
fn add_refusals(path: &mut PathItem) {
    let PathItem { get, put, post, delete, patch, .. } = path;
    for operation in [get, put, post, delete, patch].into_iter().flatten() {
        let responses = &mut operation.responses.responses;
        responses.extend(Refusals::responses());
        // A route that anybody may use says that it needs nothing, and one for monitoring names its two tokens. One for a caller
        // says neither, because what the whole document says holds for it.
        let needs = operation.security.as_deref();
        if needs != Some([SecurityRequirement::default()].as_slice()) {
            responses.extend(TokenRefusals::responses());
        }
        if needs.is_none() {
            responses.extend(CallerRefusals::responses());
        }
        if operation.request_body.is_some() {
            responses.extend(BodyRefusals::responses());
        }
    }
}

/// Closes an object schema. Utoipa would leave it open to further members.
fn close(schema: &mut Value) {
    let shapes = schema.get_mut("oneOf").and_then(Value::as_array_mut);
    shapes.into_iter().flatten().for_each(close);
    if let Some(object) = schema.as_object_mut().filter(|object| object.contains_key("properties")) {
        object.insert("additionalProperties".to_owned(), false.into());
    }
}

/// Returns this OpenAPI document.
#[utoipa::path(
    get,
    path = "/api/v1/openapi.json",
    security(()),
    responses((status = 200, description = "OpenAPI 3.1", body = Object)),
)]
async fn openapi(State(web): State<Web>) -> Response {
    ([(CONTENT_TYPE, "application/json")], web.openapi.clone()).into_response()
}
