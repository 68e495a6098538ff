//! Calls of the Web API, and its errors in the contract's terms (<https://docs.slack.dev/apis/web-api/#responses>).

pub(crate) use dmplz_provider_sdk::http::incomplete;
use dmplz_provider_sdk::http::{Method, Request, Response, percent_encode, seconds_to_ms};
use dmplz_provider_sdk::json::Fields;
use dmplz_provider_sdk::serde_json::{Value, from_slice};
use dmplz_provider_sdk::{Error, Host, Setting, settings};

use crate::{limits, manifest};

/// The header that carries a token, and its values. The host fills in the tokens.
pub(crate) const CREDENTIALS: &str = "authorization";
pub(crate) const BOT: &str = "Bearer {secret:bot-token}";
pub(crate) const APP: &str = "Bearer {secret:app-token}";

/// The address of the Web API.
#[derive(Debug)]
pub(crate) struct Api {
    base: String,
}

/// Why a call failed.
#[derive(Debug)]
pub(crate) struct Refusal {
    /// The error for the host.
    pub(crate) error: Error,
    /// Slack's name of the error; empty if it sent none.
    pub(crate) name: String,
}

impl Api {
    /// Reads the server's URL from the settings.
    pub(crate) fn new(settings: &[Setting]) -> Result<Self, Error> {
        let base = settings::server(settings, manifest::API_BASE, "https://slack.com/api")?;
        Ok(Self { base })
    }

    /// Calls a method that takes JSON.
    pub(crate) fn call(&self, host: &dyn Host, method: &str, body: &Value) -> Result<Value, Refusal> {
        self.call_within(host, method, body, None)
    }

    /// Calls a method that takes JSON, with a time limit in milliseconds.
    pub(crate) fn call_within(
        &self,
        host: &dyn Host,
        method: &str,
        body: &Value,
        timeout: Option<u32>,
    ) -> Result<Value, Refusal> {
        let request = self.request(method, BOT).header("content-type", "application/json; charset=utf-8");
        Ok(send(host, Request { body: body.to_string().into_bytes(), timeout, ..request })?.0)
    }

    /// Calls a method that takes a form, as those that only read do. Returns the reply and the scopes of the token, if
    /// Slack names them.
    pub(crate) fn ask(
        &self,
        host: &dyn Host,
        method: &str,
        arguments: &[(&str, &str)],
    ) -> Result<(Value, Option<String>), Refusal> {
        let pairs = arguments.iter().map(|(name, value)| format!("{name}={}", percent_encode(value)));
        let body = pairs.collect::<Vec<_>>().join("&").into_bytes();
        let request = self.request(method, BOT).header("content-type", "application/x-www-form-urlencoded");
        let (reply, response) = send(host, Request { body, ..request })?;
        Ok((reply, response.header("x-oauth-scopes").map(str::to_owned)))
    }

    /// Returns the URL for a connection of Socket Mode. It can be used once.
    pub(crate) fn socket_url(&self, host: &dyn Host) -> Result<String, Refusal> {
        let (reply, _) = send(host, self.request("apps.connections.open", APP))?;
        Ok(reply.text("url").ok_or_else(|| incomplete("a connection without URL"))?.to_owned())
    }

    fn request(&self, method: &str, credentials: &str) -> Request {
        Request::new(Method::Post, format!("{}/{method}", self.base)).header(CREDENTIALS, credentials)
    }
}

/// Sends bytes to a URL that itself grants access.
pub(crate) fn upload(host: &dyn Host, url: &str, bytes: &[u8]) -> Result<(), Error> {
    let request = Request::new(Method::Post, url).header("content-type", "application/octet-stream");
    let response = host.send(Request { body: bytes.to_vec(), ..request.timeout(limits::UPLOAD) })?;
    if response.is_success() { Ok(()) } else { Err(refusal(&response).error) }
}

fn send(host: &dyn Host, request: Request) -> Result<(Value, Response), Refusal> {
    let response = host.send(request).map_err(Error::from)?;
    if !response.is_success() {
        return Err(refusal(&response));
    }
    let reply = response.json()?;
    match reply.get("ok").and_then(Value::as_bool) {
        Some(true) => Ok((reply, response)),
        Some(false) => Err(refusal(&response)),
        None => Err(response.nonsense(&"no ok").into()),
    }
}

/// Parses a refusal: `{"ok":false,"error":"channel_not_found"}`, or a status if a proxy replied.
fn refusal(response: &Response) -> Refusal {
    let body = from_slice::<Value>(&response.body).unwrap_or_default();
    let name = body.text("error").unwrap_or_default().to_owned();
    Refusal { error: error(response, &body, &name), name }
}

/// Errors by which a workspace, or its administrator, does not let the app do that, and how others of them begin
/// (<https://docs.slack.dev/reference/methods/chat.postMessage#errors>, and those of the other methods).
const DENIED: [&str; 21] = [
    "not_in_channel",
    "no_permission",
    "missing_scope",
    "is_archived",
    "is_inactive",
    "access_denied",
    "ekm_access_denied",
    "accesslimited",
    "app_access_restricted",
    "enterprise_is_restricted",
    "forbidden_team",
    "messages_tab_disabled",
    "two_factor_setup_required",
    "edit_window_closed",
    "user_not_visible",
    "invalid_user_combination",
    "channel_is_limited_access",
    "posting_to_channel_denied",
    "file_type_not_allowed",
    "storage_limit_reached",
    "blocked_file_type",
];
const DENIED_FROM: [&str; 5] = ["restricted_action", "cannot_dm", "cant_", "file_uploads_", "slack_connect_"];

fn error(response: &Response, body: &Value, name: &str) -> Error {
    let said = Some(description(response.status, body, name));
    match (response.status, name) {
        (429, _) | (_, "ratelimited" | "rate_limited" | "message_limit_exceeded") => {
            let seconds = response.header("retry-after").and_then(|seconds| seconds.trim().parse().ok());
            Error::RateLimited(seconds.and_then(seconds_to_ms))
        }
        (500.., _)
        | (
            _,
            "internal_error"
            | "fatal_error"
            | "service_unavailable"
            | "request_timeout"
            | "org_login_required"
            | "team_added_to_org"
            | "external_channel_migrating"
            | "update_failed"
            | "file_update_failed"
            | "streaming_state_conflict",
        ) => Error::Unavailable(said),
        (
            _,
            "invalid_auth"
            | "not_authed"
            | "token_revoked"
            | "token_expired"
            | "account_inactive"
            | "not_allowed_token_type"
            | "team_access_not_granted"
            | "team_disabled"
            | "user_removed_from_team",
        ) => Error::Unauthorized,
        (_, "channel_not_found" | "message_not_found" | "user_not_found" | "users_not_found" | "user_disabled") => {
            Error::NotFound
        }
        (_, "msg_too_long" | "msg_blocks_too_long" | "file_upload_size_restricted") | (413, _) => Error::TooLarge,
        (403, "") => Error::Denied(said),
        (_, name) if DENIED.contains(&name) || DENIED_FROM.iter().any(|begin| name.starts_with(begin)) => {
            Error::Denied(said)
        }
        (401, "") => Error::Unauthorized,
        (404, "") => {
            Error::Other(Some(format!("status 404 for a method of the API; is {} right?", manifest::API_BASE)))
        }
        _ => Error::Rejected(said),
    }
}

fn description(status: u16, body: &Value, name: &str) -> String {
    let what = match (name, body.text("needed")) {
        ("", _) => return format!("status {status}"),
        ("missing_scope", Some(needed)) => {
            return format!("the app lacks the scope {needed}: add it and install the app again");
        }
        ("not_in_channel", _) => return "the app is not in the channel: write /invite and its name there".to_owned(),
        (name, _) => name,
    };
    let metadata = body.get("response_metadata").unwrap_or(&Value::Null);
    let details = metadata.items("messages").iter().filter_map(Value::as_str).collect::<Vec<_>>().join("; ");
    if details.is_empty() { what.to_owned() } else { format!("{what}: {details}") }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self { error, name: String::new() }
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        refusal.error
    }
}
