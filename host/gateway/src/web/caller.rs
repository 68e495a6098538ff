//! Authenticates callers. A handler that takes a [`Caller`] cannot run for anybody else.
//!
//! | the request has | the caller is | condition |
//! |---|---|---|
//! | `Authorization: Bearer` with the token | the owner, by `rest` or `websocket` | none: a page would have to know the token |
//! | `Authorization: Bearer` with the token for metrics | a program that reads the metrics, and nothing else | |
//! | an invalid `Authorization` | nobody | |
//! | nothing, on a WebSocket of our own page (`Origin`) | a page, by `web` | it proves its key there ([`super::handshake`]) |
//! | nothing | nobody | |
//!
//! REST is therefore for programs; a page has its WebSocket only. A browser adds no credential to a request by itself,
//! and a page sends nothing that another program could send in its place.
//!
//! Wrong tokens are refused after a few attempts, but they never cause the right token to be refused. Nor does the token
//! for metrics, however often it is shown: its calls are counted apart.

use axum::extract::FromRequestParts;
use dmplz_core::approvers::Approver;
use dmplz_protocol::rest::ErrorCode;
use http::header::{AUTHORIZATION, ORIGIN, SEC_WEBSOCKET_PROTOCOL, USER_AGENT};
use http::request::Parts;

use super::error::ApiError;
use super::fence::Passed;
use super::{Token, Web, token};
use crate::browsers::{PageKey, name_of};
use crate::bucket::Bucket;

/// The beginning of the subprotocol by which a paired page names its public key.
const KEY: &str = "key.";

/// The owner, through a program with the token.
#[derive(Debug, Clone)]
pub(super) struct Caller {
    pub(super) by: Approver,
}

/// A program that reads the metrics, with the metrics token or with the token of every program.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scraper;

/// The client that opens a WebSocket.
#[derive(Debug, Clone)]
pub(super) enum Visitor {
    /// A program with the token.
    Program(Caller),
    /// Our page at this origin, which has not proved its key yet.
    Page {
        /// The value of its `Origin` header.
        origin: String,
        /// The name of its browser.
        browser: String,
        /// Whether it names the key of a paired browser. The key is public, but nobody else can guess it.
        is_known: bool,
    },
}

impl FromRequestParts<Web> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, ApiError> {
        admit(parts, web, &[(&web.token, &web.program)], token::FILE).map(|()| Self { by: web.owner.clone() })
    }
}

impl FromRequestParts<Web> for Scraper {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, ApiError> {
        let tokens = [(&web.metrics_token, &web.scraper), (&web.token, &web.program)];
        admit(parts, web, &tokens, token::METRICS_FILE).map(|()| Self)
    }
}

impl FromRequestParts<Web> for Visitor {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, ApiError> {
        let is_own_page = matches!(parts.extensions.get::<Passed>(), Some(Passed::OwnPage));
        match parts.headers.get(ORIGIN).and_then(|origin| origin.to_str().ok()) {
            Some(origin) if is_own_page && !parts.headers.contains_key(AUTHORIZATION) => {
                let agent = parts.headers.get(USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or_default();
                Ok(Self::Page { origin: origin.to_owned(), browser: name_of(agent), is_known: is_known(parts, web) })
            }
            _ => Caller::from_request_parts(parts, web).await.map(Self::Program),
        }
    }
}

/// Returns whether a page names the key of a paired browser.
fn is_known(parts: &Parts, web: &Web) -> bool {
    let offers = parts.headers.get_all(SEC_WEBSOCKET_PROTOCOL).iter().filter_map(|offer| offer.to_str().ok());
    let mut keys = offers.flat_map(|offer| offer.split(',')).filter_map(|one| one.trim().strip_prefix(KEY));
    keys.next().and_then(PageKey::read).is_some_and(|key| web.browsers.counts(key))
}

/// Admits a request with one of these tokens, and no other, if the token's bucket is not empty. `file` is the one that others are
/// told to take their token from.
fn admit(parts: &Parts, web: &Web, tokens: &[(&Token, &Bucket)], file: &str) -> Result<(), ApiError> {
    let mut shown = parts.headers.get_all(AUTHORIZATION).iter();
    let (first, second) = (shown.next(), shown.next());
    let token = first.and_then(|value| value.to_str().ok()).and_then(bearer);
    let known = token.and_then(|shown| tokens.iter().find(|(token, _)| token.is(shown)));
    match known {
        Some((_, bucket)) if second.is_none() => bucket.take().then_some(()).ok_or_else(too_many),
        _ => Err(stranger(web, file)),
    }
}

fn bearer(value: &str) -> Option<&str> {
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}

fn stranger(web: &Web, file: &str) -> ApiError {
    match web.strangers.take() {
        true => ApiError::unauthorized(file),
        false => too_many(),
    }
}

/// Refuses a page because too many others have not proved their keys yet.
pub(super) fn too_many_unproven() -> ApiError {
    ApiError::new(ErrorCode::TooManyRequests, "too many pages have not proved their keys yet")
}

fn too_many() -> ApiError {
    ApiError::new(ErrorCode::TooManyRequests, "that is too often")
}
