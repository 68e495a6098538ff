//! Calls of the Web API, and its errors in the contract's terms (<https://docs.slack.dev/apis/web-api/#responses>).

use dmplz_provider_sdk::prelude::*;

use crate::manifest::{API_BASE, APP_TOKEN, BOT_TOKEN};

/// Reads the server's URL from the settings.
pub(crate) fn server(settings: &[Setting]) -> Result<Server> {
    Ok(Server::of(settings, API_BASE, "https://slack.com/api", refusal)?.bearer(BOT_TOKEN))
}

/// Calls a method that takes JSON.
pub(crate) fn call(api: Api<'_>, method: &str, body: &Value) -> Result<Value, Refusal> {
    Ok(send(api, request(api, method, body))?.0)
}

/// Returns the request of a method that takes JSON.
pub(crate) fn request(api: Api<'_>, method: &str, body: &Value) -> Request {
    api.request(Method::Post, method).bytes("application/json; charset=utf-8", body.to_string())
}

/// Calls a method that takes a form, as those that only read do.
pub(crate) fn ask(api: Api<'_>, method: &str, arguments: &[(&str, &str)]) -> Result<Value, Refusal> {
    Ok(send(api, api.request(Method::Post, method).form(arguments))?.0)
}

/// Returns the URL for a connection of Socket Mode. It can be used once.
pub(crate) fn socket_url(api: Api<'_>) -> Result<String, Refusal> {
    let request = Request::new(Method::Post, api.url("apps.connections.open")).bearer(APP_TOKEN);
    Ok(send(api, request)?.0.need("url", "a connection without URL")?.to_owned())
}

/// Sends bytes to a URL that itself grants access.
pub(crate) fn upload(api: Api<'_>, url: &str, bytes: &[u8]) -> Result<(), Refusal> {
    api.exchange(Request::new(Method::Post, url).bytes("application/octet-stream", bytes).timeout(UPLOAD)).map(drop)
}

/// Sends a request, and returns what Slack says, and the reply that says it.
pub(crate) fn send(api: Api<'_>, request: Request) -> Result<(Value, Response), Refusal> {
    let response = api.exchange(request)?;
    let reply = response.json()?;
    match reply.get("ok").and_then(Value::as_bool) {
        Some(true) => Ok((reply, response)),
        Some(false) => Err(refusal(&response, &reply)),
        None => Err(response.nonsense(&"no ok").into()),
    }
}

/// An error of the contract, with what is said of it.
type Kind = fn(Option<String>) -> Error;

/// The errors of Slack's methods (<https://docs.slack.dev/reference/methods/chat.postMessage#errors>, and those of the others), by
/// what they are to the host. What ends in `*` is how names begin.
const ERRORS: &[(Kind, &str)] = &[
    (Error::Unavailable, "internal_error fatal_error service_unavailable request_timeout org_login_required"),
    (Error::Unavailable, "team_added_to_org external_channel_migrating update_failed file_update_failed"),
    (Error::Unavailable, "streaming_state_conflict"),
    (|_| Error::Unauthorized, "invalid_auth not_authed token_revoked token_expired account_inactive team_disabled"),
    (|_| Error::Unauthorized, "not_allowed_token_type team_access_not_granted user_removed_from_team"),
    (|_| Error::NotFound, "channel_not_found message_not_found user_not_found users_not_found user_disabled"),
    (|_| Error::TooLarge, "msg_too_long msg_blocks_too_long file_upload_size_restricted"),
    // A workspace, or its administrator, does not let the app do that.
    (Error::Denied, "not_in_channel no_permission missing_scope access_denied ekm_access_denied cant_* accesslimited"),
    (Error::Denied, "app_access_restricted enterprise_is_restricted forbidden_team messages_tab_disabled cannot_dm*"),
    (Error::Denied, "two_factor_setup_required edit_window_closed slack_connect_* invalid_user_combination"),
    (Error::Denied, "user_not_visible is_inactive channel_is_limited_access blocked_file_type storage_limit_reached"),
    (Error::Denied, "posting_to_channel_denied restricted_action* file_uploads_* file_type_not_allowed is_archived"),
];

/// Reads a refusal: `{"ok":false,"error":"channel_not_found"}`, or a status if a proxy replied.
fn refusal(response: &Response, body: &Value) -> Refusal {
    let name = body.text("error").unwrap_or_default();
    let said = description(response.status, body, name);
    let is_meant = |it: &str| it.strip_suffix('*').map_or(name == it, |begin| name.starts_with(begin));
    let kind = ERRORS.iter().find(|(_, names)| names.split(' ').any(is_meant)).map(|(kind, _)| kind);
    let error = match (response.status, name) {
        (429, _) | (_, "ratelimited" | "rate_limited" | "message_limit_exceeded") => {
            Error::RateLimited(response.retry_after())
        }
        (404, "") => Error::wrong_server("a method of the API", API_BASE),
        (500.. | 413, _) | (_, "") => response.error(said),
        _ => kind.map_or(Error::Rejected as Kind, |kind| *kind)(Some(said)),
    };
    Refusal { error, code: name.to_owned() }
}

fn description(status: u16, body: &Value, name: &str) -> String {
    match (name, body.text("needed")) {
        ("", _) => format!("status {status}"),
        ("missing_scope", Some(needed)) => {
            format!("the app lacks the scope {needed}: add it and install the app again")
        }
        ("not_in_channel", _) => "the app is not in the channel: write /invite and its name there".to_owned(),
        _ => {
            let details = body.inner("response_metadata").items("messages").iter().filter_map(Value::as_str);
            let details = details.collect::<Vec<_>>().join("; ");
            if details.is_empty() { name.to_owned() } else { format!("{name}: {details}") }
        }
    }
}

/// Returns who the app is, and the scopes of its token, if Slack names them.
pub(crate) fn identity(api: Api<'_>) -> Result<(Identity, Option<String>)> {
    let (bot, reply) = send(api, api.request(Method::Post, "auth.test").form(&[]))?;
    let bot = Identity::new(bot.need("user_id", "an app without user")?, bot.text("user").unwrap_or_default());
    Ok((bot, reply.header("x-oauth-scopes").map(str::to_owned)))
}
