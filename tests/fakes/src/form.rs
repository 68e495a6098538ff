//! Parses what requests carry: queries, tokens, and bodies that are forms.

use axum::body::Body;
use axum::extract::{FromRequest, Multipart, Request};
use bytes::Bytes;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::request::Parts;
use serde_json::{Map, Value};

/// A field of a multipart form.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) name: String,
    /// The name of the file, if the field is one.
    pub(crate) file: Option<String>,
    pub(crate) mime: String,
    pub(crate) bytes: Bytes,
}

/// Returns the pairs of a form, as strings.
pub(crate) fn pairs(form: &[u8]) -> Map<String, Value> {
    let pairs = url::form_urlencoded::parse(form);
    pairs.map(|(name, value)| (name.into_owned(), Value::from(value.into_owned()))).collect()
}

/// Returns the pairs of the query of a request.
pub(crate) fn query(parts: &Parts) -> Map<String, Value> {
    pairs(parts.uri.query().unwrap_or_default().as_bytes())
}

/// Returns the bearer token of a request.
pub(crate) fn bearer(parts: &Parts) -> Option<&str> {
    parts.headers.get(AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ")
}

/// Returns the media type of a body in lower case, without its parameters.
pub(crate) fn media_type(parts: &Parts) -> String {
    let kind = parts.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// Returns the fields of a multipart form; `None` if it is malformed.
pub(crate) async fn multipart(parts: &Parts, body: Bytes) -> Option<Vec<Part>> {
    let request = Request::from_parts(parts.clone(), Body::from(body));
    let mut form = Multipart::from_request(request, &()).await.ok()?;
    let mut fields = Vec::new();
    while let Some(field) = form.next_field().await.ok()? {
        let name = field.name().unwrap_or_default().to_owned();
        let file = field.file_name().map(str::to_owned);
        let mime = field.content_type().unwrap_or("application/octet-stream").to_owned();
        let bytes = field.bytes().await.ok()?;
        fields.push(Part { name, file, mime, bytes });
    }
    Some(fields)
}
