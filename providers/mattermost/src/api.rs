//! Calls of the REST API (<https://developers.mattermost.com/api-documentation/>).

use std::cell::OnceCell;

pub(crate) use dmplz_provider_sdk::http::incomplete;
use dmplz_provider_sdk::http::{Method, Request, Response, percent_encode, seconds_to_ms};
use dmplz_provider_sdk::json::Fields;
use dmplz_provider_sdk::serde_json::{Value, from_slice};
use dmplz_provider_sdk::{Attachment, Download, Error, Host, Setting, settings};

use crate::limits::{PAUSE, RESERVE, UPLOAD};
use crate::manifest::{BEARER, CREDENTIALS, SERVER};

/// The address of the server, and who the bot is there.
#[derive(Debug)]
pub(crate) struct Api {
    server: String,
    me: OnceCell<String>,
}

impl Api {
    /// Reads the server's URL from the settings.
    pub(crate) fn new(settings: &[Setting]) -> Result<Self, Error> {
        let server = settings::server(settings, SERVER, "https://chat.example.com")?;
        Ok(Self { server, me: OnceCell::new() })
    }

    /// Returns the URL of the WebSocket.
    pub(crate) fn socket_url(&self) -> String {
        format!("{}/api/v4/websocket", self.server.replacen("http", "ws", 1))
    }

    /// Requests a resource, by its path after `/api/v4/`.
    pub(crate) fn get(&self, host: &dyn Host, path: &str) -> Result<Value, Error> {
        send(host, self.request(Method::Get, path))
    }

    /// Sends JSON and returns the reply.
    pub(crate) fn call(&self, host: &dyn Host, method: Method, path: &str, body: &Value) -> Result<Value, Error> {
        send(host, self.request(method, path).json(body))
    }

    /// Deletes a resource, by its path after `/api/v4/`.
    pub(crate) fn delete(&self, host: &dyn Host, path: &str) -> Result<Value, Error> {
        send(host, self.request(Method::Delete, path))
    }

    /// Uploads a file to a channel, and returns its id.
    pub(crate) fn upload(&self, host: &dyn Host, channel: &str, file: &Attachment) -> Result<String, Error> {
        let path = format!("files?channel_id={channel}&filename={}", percent_encode(&file.name));
        let request = self.request(Method::Post, &path).header("content-type", "application/octet-stream");
        let uploaded = send(host, Request { body: file.data.clone(), ..request.timeout(UPLOAD) })?;
        let id = uploaded.items("file_infos").first().and_then(|info| info.text("id"));
        Ok(id.ok_or_else(|| incomplete("a file without id"))?.to_owned())
    }

    /// Returns the request for a file, by its path after `/api/v4/`.
    pub(crate) fn download(&self, path: &str) -> Download {
        Download::new(format!("{}/api/v4/{path}", self.server)).header(CREDENTIALS, BEARER)
    }

    /// Returns the id of the bot's account.
    pub(crate) fn me(&self, host: &dyn Host) -> Result<&str, Error> {
        if let Some(me) = self.me.get() {
            return Ok(me);
        }
        self.account(host)?;
        self.me.get().map(String::as_str).ok_or_else(|| incomplete("an account without id"))
    }

    /// Returns the bot's account, asked for anew.
    pub(crate) fn account(&self, host: &dyn Host) -> Result<Value, Error> {
        let account = self.get(host, "users/me")?;
        let id = account.text("id").ok_or_else(|| incomplete("an account without id"))?;
        self.me.get_or_init(|| id.to_owned());
        Ok(account)
    }

    fn request(&self, method: Method, path: &str) -> Request {
        Request::new(method, format!("{}/api/v4/{path}", self.server)).header(CREDENTIALS, BEARER)
    }
}

/// Does `act` again where the server takes no more requests for now, if the export has the time.
pub(crate) fn patiently<T>(host: &dyn Host, act: impl Fn() -> Result<T, Error>) -> Result<T, Error> {
    loop {
        let done = act();
        let Err(Error::RateLimited(pause)) = done else { return done };
        let pause = pause.unwrap_or(PAUSE);
        if pause.saturating_add(RESERVE) > host.remaining() {
            return done;
        }
        host.sleep(pause);
    }
}

fn send(host: &dyn Host, request: Request) -> Result<Value, Error> {
    let response = host.send(request)?;
    if response.is_success() { response.json() } else { Err(refusal(&response)) }
}

/// The id of the error for a direct channel with a person who does not exist (`server/channels/app/channel.go`).
const NOBODY: &str = "create_direct_channel.invalid_user";

/// Parses a refusal: `{"id":"api.context.permissions.app_error","message":"...","status_code":403}`, or only a status if a proxy
/// replied. The message is in the language of the bot's account.
fn refusal(response: &Response) -> Error {
    let body = from_slice::<Value>(&response.body).unwrap_or_default();
    let id = body.text("id").unwrap_or_default();
    let said = match body.text("message").filter(|message| !message.is_empty()) {
        Some(message) => format!("{message} ({id})"),
        None => format!("status {}", response.status),
    };
    match response.status {
        401 => Error::Unauthorized,
        403 => Error::Denied(Some(said)),
        404 if id.is_empty() => Error::Other(Some(format!("status 404 for a call of the API; is {SERVER} right?"))),
        404 => Error::NotFound,
        413 => Error::TooLarge,
        429 => {
            let header = ["retry-after", "x-ratelimit-reset"].iter().find_map(|name| response.header(name));
            Error::RateLimited(header.and_then(|seconds| seconds.trim().parse().ok()).and_then(seconds_to_ms))
        }
        // The server has turned it off.
        501 => Error::Denied(Some(said)),
        500.. => Error::Unavailable(Some(said)),
        _ if id.contains(NOBODY) => Error::NotFound,
        _ if id.contains("message_length") || id.contains("too_large") => Error::TooLarge,
        _ => Error::Rejected(Some(said)),
    }
}
