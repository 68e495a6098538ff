//! Calls of the Client-Server API.

use std::cell::OnceCell;

pub(crate) use dmplz_provider_sdk::http::incomplete;
use dmplz_provider_sdk::http::{Method, Request, Response, percent_encode, seconds_to_ms};
use dmplz_provider_sdk::json::Fields;
use dmplz_provider_sdk::serde_json::{Value, from_slice};
use dmplz_provider_sdk::{Attachment, Download, Error, Host, Level, Setting, settings};

use crate::limits::{PAGE, PAGES, PAUSE, RESERVE, UPLOAD};
use crate::manifest::{ACCESS, CREDENTIALS, HOMESERVER, REFRESH_TOKEN, REFRESHED};

/// The address of the homeserver, and who the bot is there.
#[derive(Debug)]
pub(crate) struct Api {
    base: String,
    /// The value of the header that carries the token.
    token: &'static str,
    me: OnceCell<String>,
}

/// Why the homeserver refused: the contract's error, and the homeserver's code (`M_NOT_FOUND`).
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) error: Error,
    pub(crate) code: String,
}

impl Api {
    /// Reads the homeserver's URL from the settings.
    pub(crate) fn new(settings: &[Setting]) -> Result<Self, Error> {
        let base = settings::server(settings, HOMESERVER, "https://matrix-client.matrix.org")?;
        let token = if settings.iter().any(|setting| setting.name == REFRESH_TOKEN) { REFRESHED } else { ACCESS };
        Ok(Self { base, token, me: OnceCell::new() })
    }

    /// Requests a resource, by its path after `/_matrix/client/`.
    pub(crate) fn get(&self, host: &dyn Host, path: &str) -> Result<Value, Refusal> {
        send(host, self.request(Method::Get, path))
    }

    /// The same with a time limit in milliseconds, for long polls.
    pub(crate) fn poll(&self, host: &dyn Host, path: &str, timeout: u32) -> Result<Value, Refusal> {
        send(host, self.request(Method::Get, path).timeout(timeout))
    }

    /// Sends JSON and returns the reply.
    pub(crate) fn call(&self, host: &dyn Host, method: Method, path: &str, body: &Value) -> Result<Value, Refusal> {
        send(host, self.request(method, path).json(body))
    }

    /// Puts JSON, and waits where the homeserver takes no more events for now, if the export has the time: for what can be
    /// late, a menu and its removal.
    pub(crate) fn patiently(&self, host: &dyn Host, path: &str, body: &Value) -> Result<Value, Refusal> {
        loop {
            let sent = self.call(host, Method::Put, path, body);
            let Err(Refusal { error: Error::RateLimited(pause), .. }) = sent else { return sent };
            let pause = pause.unwrap_or(PAUSE);
            if pause.saturating_add(RESERVE) > host.remaining() {
                return sent;
            }
            host.sleep(pause);
        }
    }

    /// Uploads a file and returns its address (`mxc://...`).
    pub(crate) fn upload(&self, host: &dyn Host, file: &Attachment) -> Result<String, Error> {
        let url = format!("{}/_matrix/media/v3/upload?filename={}", self.base, percent_encode(&file.name));
        let request = Request::new(Method::Post, url)
            .header(CREDENTIALS, self.token)
            .header("content-type", file.media_type.replace(['\r', '\n'], " "))
            .timeout(UPLOAD);
        let uploaded = send(host, Request { body: file.data.clone(), ..request })?;
        Ok(uploaded.text("content_uri").ok_or_else(|| incomplete("a file without address"))?.to_owned())
    }

    /// Returns the request for a file, by its path after `/_matrix/client/`.
    pub(crate) fn download(&self, path: &str) -> Download {
        Download::new(format!("{}/_matrix/client/{path}", self.base)).header(CREDENTIALS, self.token)
    }

    /// Returns the id of the bot's account.
    pub(crate) fn me(&self, host: &dyn Host) -> Result<&str, Error> {
        if let Some(me) = self.me.get() {
            return Ok(me);
        }
        let me = self.whoami(host)?;
        Ok(self.me.get_or_init(|| me))
    }

    /// The same, asked for anew.
    pub(crate) fn whoami(&self, host: &dyn Host) -> Result<String, Error> {
        let account = self.get(host, "v3/account/whoami")?;
        Ok(account.text("user_id").ok_or_else(|| incomplete("an account without id"))?.to_owned())
    }

    /// Returns the events that relate to an event, the first ones first.
    pub(crate) fn relations(&self, host: &dyn Host, (room, event): (&str, &str)) -> Result<Vec<Value>, Refusal> {
        let (room, event) = (percent_encode(room), percent_encode(event));
        let path = format!("v1/rooms/{room}/relations/{event}?dir=f&limit={PAGE}");
        let mut found = Vec::new();
        let mut from = String::new();
        for _ in 0..PAGES {
            let page = self.get(host, &format!("{path}{from}"))?;
            found.extend(page.items("chunk").iter().cloned());
            let Some(next) = page.text("next_batch") else { return Ok(found) };
            from = format!("&from={}", percent_encode(next));
        }
        host.log(Level::Warn, "more people reacted to a card than are read");
        Ok(found)
    }

    fn request(&self, method: Method, path: &str) -> Request {
        Request::new(method, format!("{}/_matrix/client/{path}", self.base)).header(CREDENTIALS, self.token)
    }
}

/// Returns the path of a room.
pub(crate) fn room_path(room: &str) -> String {
    format!("v3/rooms/{}", percent_encode(room))
}

/// Returns the path of an event.
pub(crate) fn event_path(room: &str, event: &str) -> String {
    format!("{}/event/{}", room_path(room), percent_encode(event))
}

/// Returns the path at which an event is sent. Sent there again, it is the same event.
pub(crate) fn send_path(room: &str, kind: &str, transaction: &str) -> String {
    format!("{}/send/{kind}/{}", room_path(room), percent_encode(transaction))
}

fn send(host: &dyn Host, request: Request) -> Result<Value, Refusal> {
    let response = host.send(request).map_err(Error::from)?;
    if response.is_success() { Ok(response.json()?) } else { Err(refusal(&response)) }
}

/// Parses a refusal: `{"errcode":"M_FORBIDDEN","error":"..."}`, or a status if a proxy replied.
fn refusal(response: &Response) -> Refusal {
    let body = from_slice::<Value>(&response.body).unwrap_or_default();
    let code = body.text("errcode").unwrap_or_default().to_owned();
    let said = match body.text("error").filter(|said| !said.is_empty()) {
        Some(said) => Some(said.to_owned()),
        None => Some(format!("status {} {code}", response.status).trim_end().to_owned()),
    };
    let error = match (response.status, code.as_str()) {
        (429, _) | (_, "M_LIMIT_EXCEEDED") => {
            let seconds = response.header("retry-after").and_then(|seconds| seconds.trim().parse().ok());
            let milliseconds = body.int("retry_after_ms").and_then(|wait| u32::try_from(wait).ok());
            Error::RateLimited(milliseconds.or_else(|| seconds.and_then(seconds_to_ms)))
        }
        (500.., _) => Error::Unavailable(said),
        (_, "M_UNKNOWN_TOKEN" | "M_MISSING_TOKEN" | "M_USER_DEACTIVATED") | (401, _) => Error::Unauthorized,
        (413, _) | (_, "M_TOO_LARGE") => Error::TooLarge,
        (403, _) => Error::Denied(said),
        (404, "" | "M_UNRECOGNIZED") => {
            Error::Other(Some(format!("status 404 for a path of Matrix; is {HOMESERVER} right?")))
        }
        (404, _) => Error::NotFound,
        _ => Error::Rejected(said),
    };
    Refusal { error, code }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self { error, code: String::new() }
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        refusal.error
    }
}
