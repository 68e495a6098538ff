//! A line of the client, read.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::message::Message;
use super::request::Request;

/// A line of the client.
#[derive(Debug, Clone, PartialEq)]
pub enum Incoming {
    /// It asks.
    Request {
        /// Its id, chosen by the client.
        id: String,
        /// The request.
        request: Request,
    },
    /// The client needs no answer to a request any more.
    Cancel {
        /// The request's id.
        id: String,
    },
    /// It answers a request of ours.
    Response(Response),
    /// A report of what the session does.
    Message(Box<Message>),
}

/// The answer to a request of ours.
#[derive(Debug, Clone, PartialEq)]
pub struct Response {
    /// The id of the request that is answered.
    pub id: String,
    /// The result as JSON, `{}` if there is none; or the client's refusal.
    pub result: Result<String, Refusal>,
    /// The requests that it waits for, which are part of the answer to `initialize`.
    pub pending: Vec<(String, Request)>,
}

/// Why the client did not do what we asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// The reason, in English.
    pub message: String,
    /// The reason in one word, such as `unsupported_request`; not always present.
    pub code: Option<String>,
}

#[derive(Deserialize)]
struct Head<'a> {
    #[serde(rename = "type", borrow, default)]
    kind: Cow<'a, str>,
    #[serde(default)]
    request_id: Option<String>,
    #[serde(borrow, default)]
    request: Option<&'a RawValue>,
    #[serde(borrow, default)]
    response: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Answered<'a> {
    #[serde(borrow, default)]
    subtype: Cow<'a, str>,
    request_id: String,
    #[serde(borrow, default)]
    response: Option<&'a RawValue>,
    #[serde(default)]
    error: Option<String>,
    #[serde(default)]
    error_code: Option<String>,
    #[serde(borrow, default)]
    pending_permission_requests: Vec<&'a RawValue>,
    #[serde(borrow, default)]
    pending_user_dialog_requests: Vec<&'a RawValue>,
    #[serde(borrow, default)]
    pending_elicitation_requests: Vec<&'a RawValue>,
}

/// Reads a line. What cannot be read is a [`Message::Other`].
pub fn read(line: &[u8]) -> Incoming {
    let text = String::from_utf8_lossy(line);
    control(&text).unwrap_or_else(|| Incoming::Message(Box::new(Message::read(&text))))
}

fn control(text: &str) -> Option<Incoming> {
    let head: Head<'_> = serde_json::from_str(text).ok()?;
    match head.kind.as_ref() {
        "control_request" => {
            let request = head.request.map_or_else(|| Request::Unknown { subtype: String::new() }, Request::read);
            Some(Incoming::Request { id: head.request_id?, request })
        }
        "control_cancel_request" => Some(Incoming::Cancel { id: head.request_id? }),
        "control_response" => response(head.response?).map(Incoming::Response),
        _ => None,
    }
}

fn response(response: &RawValue) -> Option<Response> {
    let answered: Answered<'_> = serde_json::from_str(response.get()).ok()?;
    let result = match answered.subtype.as_ref() {
        "success" => Ok(answered.response.map_or("{}", RawValue::get).to_owned()),
        _ => Err(Refusal { message: answered.error.unwrap_or_default(), code: answered.error_code }),
    };
    let pending = answered.pending_permission_requests.into_iter().chain(answered.pending_user_dialog_requests);
    let pending = pending.chain(answered.pending_elicitation_requests).filter_map(|it| match control(it.get())? {
        Incoming::Request { id, request } => Some((id, request)),
        _ => None,
    });
    Some(Response { id: answered.request_id, result, pending: pending.collect() })
}
