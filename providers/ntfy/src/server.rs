//! Where the server is, and its errors in the contract's terms.

use dmplz_provider_sdk::prelude::*;

use crate::manifest::{SERVER, TOKEN};

/// Codes of ntfy's errors that the status alone does not distinguish (`server/errors.go`).
const NO_ATTACHMENTS: i64 = 40014;
const NO_ROOM_FOR_FILES: i64 = 41301;
const DAILY_LIMIT: i64 = 42908;
const WRONG_TOKENS: i64 = 42909;

/// The server whose app gets messages over Google's and Apple's services, unless people turn on instant delivery, which no
/// server is told of. Other servers deliver themselves: for Google's service they would need an app of their own
/// (<https://docs.ntfy.sh/config/#firebase-fcm>).
const PUSHING: &str = "https://ntfy.sh/";

/// Reads the server's URL from the settings, and whether there is a token.
pub(crate) fn server(settings: &[Setting]) -> Result<Server> {
    let server = Server::of(settings, SERVER, "https://ntfy.sh", refusal)?;
    let has_token = settings.iter().any(|setting| setting.name == TOKEN);
    Ok(if has_token { server.bearer(TOKEN) } else { server })
}

/// Returns whether phones get messages over Google's and Apple's services.
pub(crate) fn pushes(api: Api<'_>) -> bool {
    api.url("") == PUSHING
}

/// Sends a GET request for a path of the server.
pub(crate) fn get(api: Api<'_>, path: &str) -> Result<Response> {
    Ok(api.exchange(api.request(Method::Get, path))?)
}

/// Parses an error (`{"code":40301,"http":403,"error":"forbidden"}`), or the status if a proxy replied.
fn refusal(reply: &Response, body: &Value) -> Refusal {
    let said = body.text("error").map_or_else(|| format!("status {}", reply.status), str::to_owned);
    let error = match (reply.status, body.int("code")) {
        (_, Some(NO_ATTACHMENTS)) => Error::denied("the server takes no attachments, and the text is long"),
        (_, Some(WRONG_TOKENS)) => Error::Unauthorized,
        (403, _) => Error::denied(format!("the server protects the topic: {said}")),
        // Less text would not help.
        (_, Some(NO_ROOM_FOR_FILES)) => Error::denied(format!("the server takes no such file now: {said}")),
        // Without a time the host backs off: a server bans who is refused again and again.
        (_, Some(DAILY_LIMIT)) => Error::Unavailable(Some(said)),
        _ => reply.error(said),
    };
    error.into()
}
