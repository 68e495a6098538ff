//! The input of REST calls: parsed strictly, within limits, and refused with our own error body.

use std::time::Duration;

use axum::body::HttpBody as _;
use axum::extract::{FromRequest, FromRequestParts, OptionalFromRequest, Path, Query, Request};
use dmplz_protocol::rest::ErrorCode;
use http::header::CONTENT_TYPE;
use http::request::Parts;
use http_body_util::{BodyExt, Limited};
use serde::de::DeserializeOwned;

use super::Web;
use super::error::ApiError;

/// The longest body, in bytes.
pub(super) const MAX_BODY: usize = 256 * 1024;
/// How long a body may take to come in.
const BODY_TIME: Duration = Duration::from_secs(10);

/// A JSON body.
pub(super) struct Body<T>(pub(super) T);

/// The parameters behind the `?`.
pub(super) struct Params<T>(pub(super) T);

/// The id in the path.
pub(super) struct Id(pub(super) String);

impl<T: DeserializeOwned> FromRequest<Web> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _web: &Web) -> Result<Self, ApiError> {
        // A form of another site can send text and form types without a preflight, but not JSON.
        let kind = request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim();
        if !kind.eq_ignore_ascii_case("application/json") {
            return Err(ApiError::new(ErrorCode::NotJson, "the body has to be application/json"));
        }
        let read = Limited::new(request.into_body(), MAX_BODY).collect();
        let body = match tokio::time::timeout(BODY_TIME, read).await {
            Err(_) => return Err(ApiError::new(ErrorCode::TooSlow, "the body did not come in time")),
            Ok(Err(error)) if error.is::<http_body_util::LengthLimitError>() => {
                let message = format!("a body takes {MAX_BODY} bytes at most");
                return Err(ApiError::new(ErrorCode::TooLarge, message));
            }
            Ok(Err(_)) => return Err(ApiError::new(ErrorCode::BadRequest, "the body broke off")),
            Ok(Ok(body)) => body.to_bytes(),
        };
        // Serde would also accept an array for a struct.
        if body.trim_ascii_start().starts_with(b"[") {
            return Err(ApiError::new(ErrorCode::BadRequest, "the body has to be an object"));
        }
        serde_json::from_slice(&body).map(Self).map_err(|error| ApiError::new(ErrorCode::BadRequest, error.to_string()))
    }
}

impl<T: DeserializeOwned> OptionalFromRequest<Web> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, web: &Web) -> Result<Option<Self>, ApiError> {
        // An empty body that is declared as JSON is refused as broken JSON.
        if request.body().is_end_stream() && !request.headers().contains_key(CONTENT_TYPE) {
            return Ok(None);
        }
        <Self as FromRequest<Web>>::from_request(request, web).await.map(Some)
    }
}

impl<T: DeserializeOwned + Send> FromRequestParts<Web> for Params<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, ApiError> {
        match Query::from_request_parts(parts, web).await {
            Ok(Query(params)) => Ok(Self(params)),
            Err(error) => Err(ApiError::new(ErrorCode::BadRequest, error.body_text())),
        }
    }
}

impl FromRequestParts<Web> for Id {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, ApiError> {
        match Path::from_request_parts(parts, web).await {
            Ok(Path(id)) => Ok(Self(id)),
            Err(error) => Err(ApiError::new(ErrorCode::BadRequest, error.body_text())),
        }
    }
}
