//! What a server says when it refuses a request.

use serde_json::Value;

use super::Response;
use crate::Error;
use crate::json::Fields;

/// Why a server refused a request.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    /// The error for the host.
    pub error: Error,
    /// The server's own name for it, by which a provider tells apart what is one to the host; empty if it sent none.
    pub code: String,
}

impl Refusal {
    /// Reads a refusal by the fields of its body: `code` holds the server's own name for it, and `said` what the server says of it.
    /// Where that is missing, as where a proxy replied, the status and the name are said. The error is that of the status.
    ///
    /// ```
    /// use dmplz_provider_sdk::Error;
    /// use dmplz_provider_sdk::http::{Refusal, Response};
    /// use dmplz_provider_sdk::serde_json::{Value, json};
    ///
    /// let response = Response { status: 400, headers: Vec::new(), body: Vec::new() };
    /// let refused = |body: Value| Refusal::read(&response, &body, "id", "message").error;
    /// assert_eq!(refused(json!({ "id": "no_room", "message": "no such room" })), Error::rejected("no such room"));
    /// assert_eq!(refused(json!({ "id": "no_room" })), Error::rejected("status 400 no_room"));
    /// ```
    pub fn read(response: &Response, body: &Value, code: &str, said: &str) -> Self {
        let code = body.text(code).unwrap_or_default();
        let said = match body.text(said).filter(|said| !said.is_empty()) {
            Some(said) => said.to_owned(),
            None => format!("status {} {code}", response.status).trim_end().to_owned(),
        };
        Self { error: response.error(said), code: code.to_owned() }
    }
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
