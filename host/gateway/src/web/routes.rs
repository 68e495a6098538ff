//! The router, and the headers that every response carries.

use axum::extract::{Request, State};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::{Router, routing};
use dmplz_protocol::rest::ErrorCode;
use http::HeaderValue;
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderName, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};

use super::error::ApiError;
use super::{Web, api, page, socket};

/// Only our own files may be loaded, and nobody may put the page into a frame.
const CONTENT_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                              connect-src 'self'; manifest-src 'self'; \
                              worker-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const EVERY_ANSWER: [(HeaderName, &str); 6] = [
    (CONTENT_SECURITY_POLICY, CONTENT_POLICY),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (X_FRAME_OPTIONS, "DENY"),
    (REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

pub(super) fn router(web: Web) -> Router {
    let (api, _) = api::routes().split_for_parts();
    Router::new()
        .route("/", routing::get(page::index))
        .route(page::SETTINGS_PATH, routing::get(page::index))
        .route(page::WORKER_PATH, routing::get(page::own_worker))
        .route("/assets/{*path}", routing::get(page::asset))
        .route("/ws", routing::get(socket::upgrade))
        .merge(api)
        .fallback(async || ApiError::new(ErrorCode::NotFound, "there is no such route"))
        .method_not_allowed_fallback(async || ApiError::new(ErrorCode::MethodNotAllowed, "not with this method"))
        .layer(middleware::from_fn_with_state(web.clone(), fence))
        .layer(middleware::map_response(guard))
        .with_state(web)
}

/// Refuses foreign requests before any other code sees them.
async fn fence(State(web): State<Web>, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    match web.fence.check(&parts) {
        Ok(passed) => {
            if let Some(script) = page::worker(parts.uri.path(), &parts.headers) {
                return script;
            }
            parts.extensions.insert(passed);
            next.run(Request::from_parts(parts, body)).await
        }
        Err(refused) => ApiError::from(refused).into_response(),
    }
}

async fn guard(mut response: Response) -> Response {
    let headers = response.headers_mut();
    for (name, value) in EVERY_ANSWER {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}
