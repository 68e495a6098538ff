//! Who calls. A handler that takes a [`Caller`] cannot run for anybody else.
//!
//! | shows | counts as | provided that |
//! |---|---|---|
//! | `Authorization: Bearer` with the token | the owner, by `rest` or `websocket` | always: no page can send it unless it knows the token |
//! | cookie `dmplz_session` of a session, and its key | the owner, by `web` | our own page says that it sends it (`Origin`), where the method changes something or opens a WebSocket |
//! | an `Authorization` that does not count | nobody | whatever cookie comes with it |
//! | a cookie without its key, or nothing | nobody | |
//!
//! The key comes in the header `x-dmplz-key`; to open a WebSocket, for which a page cannot set headers, as the offered
//! subprotocol `dmplz-key.<key>` beside `dmplz`.
//!
//! The right token and a live session are never refused because others tried wrong ones; wrong ones are, after a few.

use axum::extract::FromRequestParts;
use dmplz_core::approvers::Approver;
use http::header::{AUTHORIZATION, COOKIE, SEC_WEBSOCKET_PROTOCOL, UPGRADE};
use http::request::Parts;

use super::Web;
use super::error::{ApiError, ErrorCode};
use super::fence::Passed;
use super::secret::SecretHash;

/// The cookie that a paired browser holds.
pub(super) const COOKIE_NAME: &str = "dmplz_session";
/// Where a page shows its key.
pub(super) const KEY_HEADER: &str = "x-dmplz-key";
/// Where it does so to open a WebSocket.
const KEY_PROTOCOL: &str = "dmplz-key.";
/// Another program on this machine can add cookies of the same name: more than so many are not tried.
const COOKIES: usize = 4;

/// The owner, and by which way they came in.
#[derive(Debug, Clone)]
pub(super) struct Caller {
    pub(super) by: Approver,
    pub(super) way: Way,
}

/// By which way somebody came in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// A paired browser.
    Page(SecretHash),
    /// A program with the token.
    Program,
}

impl Way {
    /// What is told of an answer that comes this way.
    pub(super) fn surface(self) -> &'static str {
        match self {
            Self::Page(_) => "web",
            Self::Program => "rest",
        }
    }
}

impl FromRequestParts<Web> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, ApiError> {
        let way = way(parts, web).await?;
        let bucket = match way {
            Way::Page(_) => &web.buckets.page,
            Way::Program => &web.buckets.program,
        };
        if !bucket.take() {
            return Err(too_many());
        }
        Ok(Self { by: web.owner.clone(), way })
    }
}

async fn way(parts: &Parts, web: &Web) -> Result<Way, ApiError> {
    if parts.headers.contains_key(AUTHORIZATION) {
        let mut shown = parts.headers.get_all(AUTHORIZATION).iter();
        let (first, second) = (shown.next(), shown.next());
        let token = first.and_then(|value| value.to_str().ok()).and_then(bearer);
        return match token.is_some_and(|token| web.token.is(token)) && second.is_none() {
            true => Ok(Way::Program),
            false => Err(stranger(web)),
        };
    }
    let passed = parts.extensions.get::<Passed>().copied();
    let is_changing = !parts.method.is_safe() || parts.headers.contains_key(UPGRADE);
    let mut session = None;
    let key = key(parts).ok_or_else(|| stranger(web))?;
    for cookie in cookies(parts) {
        session = web.sessions.find(cookie, key).await.map_err(|_| ApiError::not_recorded())?;
        if session.is_some() {
            break;
        }
    }
    let session = session.ok_or_else(|| stranger(web))?;
    match passed {
        Some(Passed::OwnPage { .. }) => Ok(Way::Page(session)),
        Some(Passed::NoOrigin) if !is_changing => Ok(Way::Page(session)),
        _ => Err(ApiError::new(ErrorCode::Forbidden, "with a cookie this needs the Origin header of our own page")),
    }
}

fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}

/// The key that a page shows.
fn key(parts: &Parts) -> Option<&str> {
    if let Some(key) = parts.headers.get(KEY_HEADER) {
        return key.to_str().ok();
    }
    let offered = parts.headers.get(SEC_WEBSOCKET_PROTOCOL)?.to_str().ok()?;
    offered.split(',').find_map(|protocol| protocol.trim().strip_prefix(KEY_PROTOCOL))
}

/// The values of our cookie.
fn cookies(parts: &Parts) -> impl Iterator<Item = &str> {
    let headers = parts.headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs = headers.flat_map(|header| header.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.filter(|(name, _)| *name == COOKIE_NAME).map(|(_, value)| value).take(COOKIES)
}

fn stranger(web: &Web) -> ApiError {
    match web.buckets.strangers.take() {
        true => ApiError::unauthorized(),
        false => too_many(),
    }
}

pub(super) fn too_many() -> ApiError {
    ApiError::new(ErrorCode::TooManyRequests, "that is too often")
}
