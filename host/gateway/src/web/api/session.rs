//! Who is there: pairing, and the end of it.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use dmplz_core::text::Lang;
use http::header::SET_COOKIE;
use http::{Extensions, StatusCode};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::super::Web;
use super::super::caller::{COOKIE_NAME, Caller, Way, too_many};
use super::super::error::{ApiError, ErrorBody, ErrorCode};
use super::super::fence::Passed;
use super::super::input::Body;
use super::super::sessions::LIFE_SECONDS;
use super::{BodyRefusals, CallerRefusals, Refusals};

/// Who is there.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Session {
    /// What the owner is called.
    name: String,
    /// The language of the page.
    lang: Language,
}

/// A browser that was let in.
#[derive(Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Paired {
    /// What the owner is called.
    name: String,
    /// The language of the page.
    lang: Language,
    /// What the page shows besides the cookie, in the header `x-dmplz-key`, from now on. It is told once.
    key: String,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum Language {
    /// Korean.
    Ko,
    /// English.
    En,
}

/// What lets a browser in.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Pair {
    /// The code that `dmplz pair` shows. Small letters, blanks and dashes do not matter.
    #[schema(example = "K7QF-2M9X")]
    code: String,
}

/// Who is there.
#[utoipa::path(
    get,
    path = "/api/v1/session",
    responses((status = 200, description = "the owner", body = Session), Refusals, CallerRefusals),
)]
pub(super) async fn session(State(web): State<Web>, _caller: Caller) -> Json<Session> {
    Json(owner(&web))
}

/// Lets this browser in.
#[utoipa::path(
    post,
    path = "/api/v1/pair",
    security(()),
    request_body = Pair,
    responses(
        (status = 200, description = "paired; the answer sets the cookie", body = Paired,
            headers(("set-cookie" = String, description = "the session"))),
        (status = 401, description = "this code does not count", body = ErrorBody),
        (status = 429, description = "too many tries", body = ErrorBody),
        (status = 503, description = "the session could not be kept", body = ErrorBody),
        Refusals,
        BodyRefusals,
    ),
)]
pub(super) async fn pair(
    State(web): State<Web>,
    extensions: Extensions,
    Body(Pair { code }): Body<Pair>,
) -> Result<Response, ApiError> {
    let Some(Passed::OwnPage { https }) = extensions.get::<Passed>().copied() else {
        return Err(ApiError::new(ErrorCode::Forbidden, "this needs the Origin header of our own page"));
    };
    if !web.buckets.pairing.take() {
        return Err(too_many());
    }
    if !web.pairing.redeem(&code) {
        return Err(ApiError::new(ErrorCode::Unauthorized, "this code does not count"));
    }
    let (secret, key) = web.sessions.begin().await.map_err(|_| ApiError::not_recorded())?;
    let cookie = cookie(secret.expose(), LIFE_SECONDS, https);
    let Session { name, lang } = owner(&web);
    Ok(([(SET_COOKIE, cookie)], Json(Paired { name, lang, key: key.expose().to_owned() })).into_response())
}

/// Ends the session of this browser, and its WebSockets. A program has none to end.
#[utoipa::path(
    post,
    path = "/api/v1/logout",
    responses((status = 204, description = "it is over"), Refusals, CallerRefusals),
)]
pub(super) async fn logout(
    State(web): State<Web>,
    caller: Caller,
    extensions: Extensions,
) -> Result<Response, ApiError> {
    let Way::Page(session) = caller.way else { return Ok(StatusCode::NO_CONTENT.into_response()) };
    web.sessions.end(session).await.map_err(|_| ApiError::not_recorded())?;
    let https = matches!(extensions.get::<Passed>(), Some(Passed::OwnPage { https: true }));
    Ok((StatusCode::NO_CONTENT, [(SET_COOKIE, cookie("", 0, https))]).into_response())
}

fn owner(web: &Web) -> Session {
    let lang = match web.rpc.lang {
        Lang::Ko => Language::Ko,
        Lang::En => Language::En,
    };
    Session { name: web.owner.name().to_owned(), lang }
}

/// Only a proxy in front of us speaks https: its pages say so in `Origin`.
fn cookie(value: &str, seconds: u64, https: bool) -> String {
    let secure = if https { "; Secure" } else { "" };
    format!("{COOKIE_NAME}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}")
}
