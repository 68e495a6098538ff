//! Requests and replies.

use crate::{Error, bindings::dmplz::messenger::http};

pub use crate::http::multipart::Multipart;
pub use http::{Error as HttpError, Header, Method, Request, Response};

mod multipart;

/// Building one request.
impl Request {
    /// A request without body or headers, with the host's default time-out of 10 seconds.
    pub fn new(method: Method, url: impl Into<String>) -> Self {
        Self { method, url: url.into(), headers: Vec::new(), body: Vec::new(), timeout: None }
    }

    /// Adds a header to the request.
    #[must_use]
    pub fn header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push(Header { name: name.to_owned(), value: value.into() });
        self
    }

    /// Makes JSON the body.
    #[must_use]
    pub fn json(mut self, body: &serde_json::Value) -> Self {
        self.body = body.to_string().into_bytes();
        self.header("content-type", "application/json")
    }

    /// Makes a form with files the body.
    #[must_use]
    pub fn multipart(mut self, form: &Multipart<'_>) -> Self {
        let (content_type, body) = form.encode();
        self.body = body;
        self.header("content-type", content_type)
    }

    /// Limits the whole exchange to so many milliseconds.
    #[must_use]
    pub fn timeout(mut self, milliseconds: u32) -> Self {
        self.timeout = Some(milliseconds);
        self
    }
}

/// Reading one reply.
impl Response {
    /// Whether the status is 2xx.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// The value of a header, by its lower-case name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|header| header.name == name).map(|header| header.value.as_str())
    }

    /// The body as JSON.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when it is not: a server that answers nonsense is asked again.
    pub fn json(&self) -> Result<serde_json::Value, Error> {
        serde_json::from_slice(&self.body).map_err(|error| self.nonsense(&error))
    }

    /// The error for a reply that is not what its sender promises.
    pub fn nonsense(&self, what: &dyn std::fmt::Display) -> Error {
        Error::Unavailable(Some(format!("a reply with status {} that makes no sense: {what}", self.status)))
    }
}

/// Percent-encodes everything but unreserved characters, for one segment of a path or one value of a query.
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

/// Says in whole milliseconds, rounded up, what a server said in seconds; a nonsensical number is none.
pub fn seconds_to_ms(seconds: f64) -> Option<u32> {
    let milliseconds = (seconds * 1000.0).ceil();
    (0.0..=f64::from(u32::MAX)).contains(&milliseconds).then_some(milliseconds as u32)
}
