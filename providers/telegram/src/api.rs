//! A call of the Bot API, and the mapping of its errors to those of the host.

use dmplz_provider_sdk::prelude::*;
use dmplz_provider_sdk::serde_json::{Error as NotJson, from_slice};

use crate::manifest::{API_BASE, PATH};

pub(crate) mod refusal;

/// Reads the server's URL from the settings.
pub(crate) fn server(settings: &[Setting]) -> Result<Server> {
    Server::of(settings, API_BASE, "https://api.telegram.org", refusal::read)
}

/// Calls a method with JSON and returns its result.
pub(crate) fn call(api: Api<'_>, method: &str, body: &Value) -> Result<Value, Refusal> {
    send(api, request(api, method).json(body))
}

/// Returns the request of a method, without its parameters.
pub(crate) fn request(api: Api<'_>, method: &str) -> Request {
    api.request(Method::Post, &format!("{PATH}{method}"))
}

/// Sends the request of a method and returns its result.
pub(crate) fn send(api: Api<'_>, request: Request) -> Result<Value, Refusal> {
    result_of(&api.send(request).map_err(Error::from)?)
}

/// Returns the error for a result that lacks a field that the method's documentation promises.
pub(crate) fn incomplete(method: &str) -> Error {
    Error::unavailable(format!("a result of {method} that makes no sense"))
}

/// Parses the envelope that every reply has (<https://core.telegram.org/bots/api#making-requests>).
fn result_of(response: &Response) -> Result<Value, Refusal> {
    let mut reply = from_slice::<Value>(&response.body).map_err(|error| not_telegram(response, &error))?;
    if reply.get("ok").is_none() {
        return Err(response.nonsense(&"no reply of the Bot API").into());
    }
    if !reply.flag("ok") {
        return Err(refusal::read(response, &reply));
    }
    reply.get_mut("result").map(Value::take).ok_or_else(|| response.nonsense(&"no result").into())
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
