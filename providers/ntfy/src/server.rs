//! Sends requests to the server, and maps its errors to those of the contract.

use dmplz_provider_sdk::prelude::*;
use dmplz_provider_sdk::serde_json::from_slice;

use crate::manifest::{SERVER, TOKEN};

/// Codes of ntfy's errors that the status alone does not distinguish (`server/errors.go`).
const NO_ATTACHMENTS: i64 = 40014;
const NO_ROOM_FOR_FILES: i64 = 41301;
const DAILY_LIMIT: i64 = 42908;
const WRONG_TOKENS: i64 = 42909;

/// The address of the server.
#[derive(Debug)]
pub(crate) struct Server {
    base: String,
    has_token: bool,
    /// Whether phones get messages over Google's and Apple's services.
    pub(crate) pushes: bool,
}

/// The server whose app does that unless people turn on instant delivery, which no server is told of. Other servers deliver themselves:
/// for Google's service they would need an app of their own (<https://docs.ntfy.sh/config/#firebase-fcm>).
const PUSHING: &str = "https://ntfy.sh";

impl Server {
    /// Reads the server's URL from the settings, and whether there is a token.
    pub(crate) fn new(settings: &[Setting]) -> Result<Self, Error> {
        let base = settings::server(settings, SERVER, "https://ntfy.sh")?;
        let has_token = settings.iter().any(|setting| setting.name == TOKEN);
        Ok(Self { pushes: base == PUSHING, base, has_token })
    }

    /// Returns the URL of a path, as the person's phone needs it too.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}/{path}", self.base)
    }

    /// Publishes a message. As JSON, because header values would be interpreted.
    pub(crate) fn publish(&self, host: &dyn Host, message: &Value) -> Result<Value, Error> {
        self.send(host, Request::new(Method::Post, self.url("")).json(message))?.json()
    }

    /// Requests a path.
    pub(crate) fn get(&self, host: &dyn Host, path: &str) -> Result<Response, Error> {
        self.send(host, Request::new(Method::Get, self.url(path)))
    }

    /// Sends a request, with the token if there is one.
    pub(crate) fn send(&self, host: &dyn Host, request: Request) -> Result<Response, Error> {
        let request = if self.has_token { request.bearer(TOKEN) } else { request };
        let reply = host.send(request)?;
        if reply.is_success() { Ok(reply) } else { Err(refusal(&reply)) }
    }
}

/// Parses an error (`{"code":40301,"http":403,"error":"forbidden"}`), or the status if a proxy replied.
fn refusal(reply: &Response) -> Error {
    let body = from_slice::<Value>(&reply.body).unwrap_or_default();
    let said = body.text("error").map_or_else(|| format!("status {}", reply.status), str::to_owned);
    match (reply.status, body.int("code")) {
        (_, Some(NO_ATTACHMENTS)) => Error::denied("the server takes no attachments, and the text is long"),
        (_, Some(WRONG_TOKENS)) => Error::Unauthorized,
        (403, _) => Error::denied(format!("the server protects the topic: {said}")),
        // Less text would not help.
        (_, Some(NO_ROOM_FOR_FILES)) => Error::denied(format!("the server takes no such file now: {said}")),
        // Without a time the host backs off: a server bans who is refused again and again.
        (_, Some(DAILY_LIMIT)) => Error::Unavailable(Some(said)),
        _ => reply.error(said),
    }
}
