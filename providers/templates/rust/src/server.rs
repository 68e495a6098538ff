//! Sends requests to the server, and converts its errors to errors for the host.

use dmplz_provider_sdk::http::{Method, Request, Response, seconds_to_ms};
use dmplz_provider_sdk::serde_json::Value;
use dmplz_provider_sdk::{Error, Host, Setting};

/// The server, by its URL.
#[derive(Debug)]
pub(crate) struct Server {
    url: String,
}

impl Server {
    pub(crate) fn new(settings: &[Setting]) -> Result<Self, Error> {
        let url = settings.iter().find(|setting| setting.name == "server").map(|setting| setting.value.trim());
        match url.map(|url| url.trim_end_matches('/')) {
            Some(url) if url.starts_with("https://") || url.starts_with("http://") => Ok(Self { url: url.to_owned() }),
            _ => Err(Error::bad_setting("server", "a URL, such as https://chat.acme.example")),
        }
    }

    /// Sends a request, and reads its reply as JSON.
    pub(crate) fn call(
        &self,
        host: &dyn Host,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Result<Value, Error> {
        let request = Request::new(method, format!("{}{path}", self.url));
        let request = body.iter().fold(request, Request::json);
        // The host fills in the token; this code never sees it.
        let reply = host.send(request.header("authorization", "Bearer {secret:token}"))?;
        if reply.is_success() { reply.json() } else { Err(refusal(&reply)) }
    }
}

/// Converts a status to an error, by which the host waits, tells the operator, or tries less text.
fn refusal(reply: &Response) -> Error {
    match reply.status {
        401 => Error::Unauthorized,
        403 => Error::Denied(None),
        404 => Error::NotFound,
        413 => Error::TooLarge,
        429 => {
            let seconds = reply.header("retry-after").and_then(|seconds| seconds.parse().ok());
            Error::RateLimited(seconds.and_then(seconds_to_ms))
        }
        400 | 422 => Error::Rejected(Some(String::from_utf8_lossy(&reply.body).chars().take(200).collect())),
        status => Error::unavailable(format!("status {status}")),
    }
}
