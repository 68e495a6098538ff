//! A call of the Bot API, and the mapping of its errors to those of the host.

use dmplz_provider_sdk::prelude::*;
use dmplz_provider_sdk::serde_json::Error as NotJson;

use crate::manifest::{API_BASE, PATH};
pub(crate) use refusal::Refusal;

mod refusal;

/// The origin and base path of the Bot API server.
#[derive(Debug)]
pub(crate) struct Api {
    base: String,
}

/// The reason why a call returned no result.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Telegram refused the call and gave a reason.
    Refused(Refusal),
    /// The call did not reach Telegram, or no valid reply arrived.
    Error(Error),
}

impl Api {
    /// Reads the server's URL from the settings.
    pub(crate) fn new(settings: &[Setting]) -> Result<Self, Error> {
        let base = settings::server(settings, API_BASE, "https://api.telegram.org")?;
        Ok(Self { base })
    }

    /// Returns the server's URL, without a slash at its end.
    pub(crate) fn base(&self) -> &str {
        &self.base
    }

    /// Calls a method with JSON and returns its result.
    pub(crate) fn call(&self, host: &dyn Host, method: &str, body: &Value) -> Result<Value, Failure> {
        self.send(host, self.request(method).json(body))
    }

    /// Calls a method with JSON. The whole exchange may take at most the given number of milliseconds.
    pub(crate) fn call_within(
        &self,
        host: &dyn Host,
        method: &str,
        body: &Value,
        milliseconds: u32,
    ) -> Result<Value, Failure> {
        self.send(host, self.request(method).json(body).timeout(milliseconds))
    }

    /// Calls a method with a form that contains a file.
    pub(crate) fn upload(&self, host: &dyn Host, method: &str, form: &Multipart<'_>) -> Result<Value, Failure> {
        self.send(host, self.request(method).multipart(form).timeout(UPLOAD))
    }

    fn request(&self, method: &str) -> Request {
        Request::new(Method::Post, format!("{}{PATH}{method}", self.base))
    }

    fn send(&self, host: &dyn Host, request: Request) -> Result<Value, Failure> {
        result_of(&host.send(request).map_err(Error::from)?)
    }
}

/// Returns the error for a result that lacks a field that the method's documentation promises.
pub(crate) fn incomplete(method: &str) -> Error {
    Error::unavailable(format!("a result of {method} that makes no sense"))
}

/// Parses the envelope that every reply has (<https://core.telegram.org/bots/api#making-requests>).
fn result_of(response: &Response) -> Result<Value, Failure> {
    let reply = match dmplz_provider_sdk::serde_json::from_slice::<Value>(&response.body) {
        Ok(reply) if reply.get("ok").is_some() => reply,
        Ok(_) => return Err(Failure::Error(response.nonsense(&"no reply of the Bot API"))),
        Err(error) => return Err(Failure::Error(not_telegram(response, &error))),
    };
    if !reply.flag("ok") {
        return Err(Failure::Refused(Refusal::read(response.status, &reply)));
    }
    match reply {
        Value::Object(mut reply) => reply.remove("result"),
        _ => None,
    }
    .ok_or_else(|| Failure::Error(response.nonsense(&"no result")))
}

/// Returns the error for a reply that no Bot API server wrote, for example one from a proxy or a wrong server.
fn not_telegram(response: &Response, error: &NotJson) -> Error {
    match response.status {
        413 => Error::TooLarge,
        429 => Error::RateLimited(response.retry_after()),
        200..300 | 500.. => response.nonsense(error),
        // The reply began as JSON and was truncated in transit.
        _ if error.is_eof() && !response.body.is_empty() => response.nonsense(error),
        status => Error::other(format!("status {status} without a Bot API reply; is api-base right?")),
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Error(error)
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Refused(refusal) => refusal.into(),
            Failure::Error(error) => error,
        }
    }
}
