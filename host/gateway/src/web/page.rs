//! The web inbox: files that are part of the binary. Nothing in them is secret, so every caller gets them.
//!
//! Another program may have held the port before, and may have left data in the browser that outlives it under our
//! origin. The address that `dmplz pair` shows is new each time, so no cache has it, and its response clears the cache.
//! A service worker that asks for its script gets one that unregisters itself, or the page's own one at the page's own
//! address. The page's own one has the pages loaded anew that another worker had.

use axum::extract::{Path, RawQuery};
use axum::response::{IntoResponse, Response};
use dmplz_protocol::rest::ErrorCode;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use http::{HeaderMap, StatusCode};
use sha2::{Digest, Sha256};

use super::error::ApiError;

mod files;

use files::{FILES, INDEX};

/// The address of the page's service worker.
pub(super) const WORKER_PATH: &str = "/worker.js";
/// The address of the settings of notices, which is the page too.
pub(super) const SETTINGS_PATH: &str = "/settings/notifications";
/// The page's service worker.
const WORKER: &str = include_str!("page/worker.js");
/// The script that replaces a foreign service worker.
const NO_WORKER: &str = include_str!("page/no_worker.js");

/// Handles `GET /`, and the addresses of views.
pub(super) async fn index(RawQuery(query): RawQuery, headers: HeaderMap) -> Response {
    let page = file("index.html", INDEX, &headers);
    match query {
        Some(_) => ([("clear-site-data", "\"cache\"")], page).into_response(),
        None => page,
    }
}

/// Handles `GET /worker.js` of what does not say that it is a service worker.
pub(super) async fn own_worker() -> Response {
    ([(CONTENT_TYPE, media_type(".js"))], WORKER).into_response()
}

/// Returns the script for a service worker, whatever path it asks for. `None` if the request is not a service worker's.
pub(super) fn worker(path: &str, headers: &HeaderMap) -> Option<Response> {
    headers.contains_key("service-worker").then(|| {
        let sent = [(CONTENT_TYPE.as_str(), media_type(".js")), ("service-worker-allowed", "/")];
        let script = if path == WORKER_PATH { WORKER } else { NO_WORKER };
        (sent, script).into_response()
    })
}

/// Handles `GET /assets/{path}`.
pub(super) async fn asset(Path(path): Path<String>, headers: HeaderMap) -> Response {
    match FILES.iter().find(|(name, _)| *name == path) {
        Some((name, bytes)) => file(name, bytes, &headers),
        None => ApiError::new(ErrorCode::NotFound, "there is no such file").into_response(),
    }
}

/// Sends a file with an `ETag`. The browser checks it each time, so that it never mixes two versions after an update.
fn file(name: &str, bytes: &'static [u8], headers: &HeaderMap) -> Response {
    let mut digits = hex::encode(Sha256::digest(bytes));
    digits.truncate(32);
    let tag = format!("\"{digits}\"");
    let known = headers.get(IF_NONE_MATCH).and_then(|known| known.to_str().ok());
    let is_known = known.is_some_and(|known| known.split(',').any(|one| one.trim().trim_start_matches("W/") == tag));
    let kept = [(ETAG, tag), (CACHE_CONTROL, "no-cache".to_owned())];
    match is_known {
        true => (StatusCode::NOT_MODIFIED, kept).into_response(),
        false => (kept, [(CONTENT_TYPE, media_type(name))], bytes).into_response(),
    }
}

fn media_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("png") => "image/png",
        Some("svg") => "image/svg+xml",
        Some("webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    }
}

/// Returns the number of files.
#[cfg(test)]
pub(super) fn count() -> usize {
    1 + FILES.len()
}
