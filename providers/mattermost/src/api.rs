//! Calls of the REST API (<https://developers.mattermost.com/api-documentation/>).

use dmplz_provider_sdk::http::seconds_to_ms;
use dmplz_provider_sdk::prelude::*;

use crate::manifest::{ACCESS_TOKEN, SERVER};

/// Reads the server's URL from the settings.
pub(crate) fn server(settings: &[Setting]) -> Result<Server> {
    let server = Server::of(settings, SERVER, "https://chat.example.com", refusal)?;
    Ok(server.under("/api/v4").bearer(ACCESS_TOKEN).account("users/me", "id"))
}

/// Uploads a file to a channel, and returns its id.
pub(crate) fn upload(api: Api<'_>, channel: &str, file: &Attachment) -> Result<String> {
    let path = format!("files?channel_id={channel}&filename={}", percent_encode(&file.name));
    let request = api.request(Method::Post, &path).bytes("application/octet-stream", file.data.as_slice());
    let uploaded = api.call(request.timeout(UPLOAD))?;
    let info = uploaded.items("file_infos").first().ok_or_else(|| incomplete("a file without id"))?;
    Ok(info.need("id", "a file without id")?.to_owned())
}

/// Returns who the bot is, and its account, asked for anew.
pub(crate) fn account(api: Api<'_>) -> Result<(Identity, Value)> {
    let account = api.account()?;
    let name = account.text("username").unwrap_or_default();
    let bot = Identity::new(account.need("id", "an account without id")?, name);
    Ok((bot, account))
}

/// The id of the error for a direct channel with a person who does not exist (`server/channels/app/channel.go`).
const NOBODY: &str = "create_direct_channel.invalid_user";

/// Reads a refusal: `{"id":"api.context.permissions.app_error","message":"...","status_code":403}`, or only a status if a proxy
/// replied. The message is in the language of the bot's account.
fn refusal(response: &Response, body: &Value) -> Refusal {
    let id = body.text("id").unwrap_or_default();
    let said = match body.text("message").filter(|message| !message.is_empty()) {
        Some(message) => format!("{message} ({id})"),
        None => format!("status {}", response.status),
    };
    let is_about = |parts: &[&str]| parts.iter().any(|part| id.contains(part));
    let error = match response.status {
        404 if id.is_empty() => Error::wrong_server("a call of the API", SERVER),
        429 => {
            let header = ["retry-after", "x-ratelimit-reset"].iter().find_map(|name| response.header(name));
            Error::RateLimited(header.and_then(|seconds| seconds.trim().parse().ok()).and_then(seconds_to_ms))
        }
        // The server has turned it off.
        501 => Error::Denied(Some(said)),
        _ => match response.error(said) {
            Error::Rejected(_) if is_about(&[NOBODY]) => Error::NotFound,
            Error::Rejected(_) if is_about(&["message_length", "too_large"]) => Error::TooLarge,
            error => error,
        },
    };
    Refusal { error, code: id.to_owned() }
}
