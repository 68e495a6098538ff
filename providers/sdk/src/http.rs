//! HTTP requests and replies.

use crate::{Download, Error, bindings::dmplz::messenger::http};

pub use crate::http::multipart::Multipart;
pub use crate::http::refusal::Refusal;
pub use crate::http::server::{Api, Server};
pub use crate::json::incomplete;
pub use http::{Error as HttpError, Header, Method, Request, Response};

/// What [`Error::Unavailable`] says where a reply is larger than the host takes, so that a provider can ask for less.
pub const LARGE_REPLY: &str = "the reply is larger than the host takes";

/// The time limit for sending a file, in milliseconds, for [`Request::timeout`]; our choice.
pub const UPLOAD: u32 = 60_000;

mod multipart;
mod refusal;
mod server;

/// Builds a request.
impl Request {
    /// Returns a request without body or headers, with the host's default time-out of 10 seconds.
    pub fn new(method: Method, url: impl Into<String>) -> Self {
        Self { method, url: url.into(), headers: Vec::new(), body: Vec::new(), timeout: None }
    }

    /// Adds a header to the request.
    #[must_use]
    pub fn header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push(Header { name: name.to_owned(), value: value.into() });
        self
    }

    /// Adds the header of a bearer token, by the name of its secret: `authorization: Bearer {secret:NAME}`. In the manifest it is a
    /// [`SecretSpec::bearer`](crate::SecretSpec::bearer).
    #[must_use]
    pub fn bearer(self, secret: &str) -> Self {
        self.header("authorization", format!("Bearer {{secret:{secret}}}"))
    }

    /// Sets the body to bytes of a media type. A type of two lines, which would be another header, becomes one line.
    #[must_use]
    pub fn bytes(mut self, media_type: &str, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self.header("content-type", media_type.replace(['\r', '\n'], " "))
    }

    /// Sets the body to a form without files (`application/x-www-form-urlencoded`).
    #[must_use]
    pub fn form(self, fields: &[(&str, &str)]) -> Self {
        let fields = fields.iter().map(|(name, value)| format!("{}={}", percent_encode(name), percent_encode(value)));
        self.bytes("application/x-www-form-urlencoded", fields.collect::<Vec<_>>().join("&"))
    }

    /// Sets the body to JSON.
    #[must_use]
    pub fn json(self, body: &serde_json::Value) -> Self {
        self.bytes("application/json", body.to_string())
    }

    /// Sets the body to a form with files.
    #[must_use]
    pub fn multipart(mut self, form: &Multipart<'_>) -> Self {
        let (content_type, body) = form.encode();
        self.body = body;
        self.header("content-type", content_type)
    }

    /// Limits the whole exchange to the given number of milliseconds.
    #[must_use]
    pub fn timeout(mut self, milliseconds: u32) -> Self {
        self.timeout = Some(milliseconds);
        self
    }
}

/// Builds the request for a file, which the host sends.
impl Download {
    /// Returns a GET of a URL.
    pub fn new(url: impl Into<String>) -> Self {
        Self { url: url.into(), headers: Vec::new() }
    }

    /// Adds a header to the request.
    #[must_use]
    pub fn header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push(Header { name: name.to_owned(), value: value.into() });
        self
    }
}

/// Reads a reply.
impl Response {
    /// Returns whether the status is 2xx.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// Returns the value of a header, by its lower-case name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|header| header.name == name).map(|header| header.value.as_str())
    }

    /// Parses the body as JSON.
    ///
    /// # Errors
    /// Returns [`Error::Unavailable`] if the body is not JSON, so that the host asks the server again.
    pub fn json(&self) -> Result<serde_json::Value, Error> {
        serde_json::from_slice(&self.body).map_err(|error| self.nonsense(&error))
    }

    /// Returns the milliseconds to wait before the next request, by the header `retry-after` in seconds.
    pub fn retry_after(&self) -> Option<u32> {
        seconds_to_ms(self.header("retry-after")?.trim().parse().ok()?)
    }

    /// Returns the error that a status of 400 or more says by itself; `said` is what the server says of it. A provider handles
    /// first what its messenger says in another way.
    ///
    /// ```
    /// use dmplz_provider_sdk::Error;
    /// use dmplz_provider_sdk::http::Response;
    ///
    /// let refused = |status| Response { status, headers: Vec::new(), body: Vec::new() }.error("no such field".to_owned());
    /// assert_eq!(refused(401), Error::Unauthorized);
    /// assert_eq!(refused(503), Error::unavailable("no such field"));
    /// assert_eq!(refused(400), Error::rejected("no such field"));
    /// ```
    pub fn error(&self, said: String) -> Error {
        match self.status {
            401 => Error::Unauthorized,
            403 => Error::Denied(Some(said)),
            404 => Error::NotFound,
            413 => Error::TooLarge,
            429 => Error::RateLimited(self.retry_after()),
            500.. => Error::Unavailable(Some(said)),
            _ => Error::Rejected(Some(said)),
        }
    }

    /// Returns the error for a reply that does not follow the API's documentation.
    pub fn nonsense(&self, what: &dyn std::fmt::Display) -> Error {
        Error::unavailable(format!("a reply with status {} that makes no sense: {what}", self.status))
    }
}

impl From<HttpError> for Error {
    /// Returns the error of the contract for a request without a reply, so that the host reacts correctly.
    fn from(error: HttpError) -> Self {
        match error {
            HttpError::Refused(what) => Error::Refused(what),
            HttpError::Timeout => Error::unavailable("no reply in time"),
            HttpError::Deadline => Error::Deadline,
            HttpError::TooLarge => Error::unavailable(LARGE_REPLY),
            HttpError::Unreachable(what) => Error::Unavailable(Some(what)),
            HttpError::Other(what) => Error::Other(what),
        }
    }
}

/// Returns what was asked for; `None` where it is gone, or where the bot may not see it, as in a chat that it is not in any more.
///
/// ```
/// use dmplz_provider_sdk::Error;
/// use dmplz_provider_sdk::http::visible;
///
/// assert_eq!(visible(Ok::<_, Error>(1)), Ok(Some(1)));
/// assert_eq!(visible(Err::<(), _>(Error::NotFound)), Ok(None));
/// assert_eq!(visible(Err::<(), _>(Error::Denied(None))), Ok(None));
/// assert_eq!(visible(Err::<(), _>(Error::Deadline)), Err(Error::Deadline));
/// ```
///
/// # Errors
/// Returns any other error.
pub fn visible<T>(found: Result<T, impl Into<Error>>) -> Result<Option<T>, Error> {
    match found.map_err(Into::<Error>::into) {
        Err(Error::Denied(_) | Error::NotFound) => Ok(None),
        found => found.map(Some),
    }
}

/// Returns what was asked for; `None` where the server refused it by one of these names of its own, which are no errors here.
///
/// ```
/// use dmplz_provider_sdk::Error;
/// use dmplz_provider_sdk::http::{Refusal, unless};
///
/// let refused = |code: &str| Err::<(), _>(Refusal { error: Error::NotFound, code: code.to_owned() });
/// assert_eq!(unless(Ok(1), &["no_room"]), Ok(Some(1)));
/// assert_eq!(unless(refused("no_room"), &["no_room"]), Ok(None));
/// assert!(unless(refused("no_name"), &["no_room"]).is_err());
/// ```
///
/// # Errors
/// Returns any other refusal.
pub fn unless<T>(found: Result<T, Refusal>, codes: &[&str]) -> Result<Option<T>, Refusal> {
    match found {
        Err(refusal) if codes.contains(&refusal.code.as_str()) => Ok(None),
        found => found.map(Some),
    }
}

/// Percent-encodes everything but unreserved characters, for one path segment or one query value.
pub fn percent_encode(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len() * 3);
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

/// Converts a server's delay from seconds to whole milliseconds, rounded up. `None` if the number makes no sense.
pub fn seconds_to_ms(seconds: f64) -> Option<u32> {
    let milliseconds = (seconds * 1000.0).ceil();
    (0.0..=f64::from(u32::MAX)).contains(&milliseconds).then_some(milliseconds as u32)
}
