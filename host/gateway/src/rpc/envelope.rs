//! What is around a call and its reply. Read strictly: what is no request gets -32600, and what is no JSON -32700.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Number;
use serde_json::value::RawValue;

use super::RpcError;

/// The most members of a batch.
const MAX_BATCH: usize = 100;
/// The longest id, in bytes. It comes back with the reply.
const MAX_ID: usize = 256;

/// A method's result, or why there is none.
pub(super) type Reply = Result<Box<RawValue>, RpcError>;

/// A text that came in.
#[derive(Debug)]
pub(super) enum Incoming {
    One(Member),
    Batch(Vec<Member>),
}

/// A call, or what its place in the text is answered with.
pub(super) type Member = Result<Call, Box<Refusal>>;

/// A call. Without an id it is a notification, which is never answered.
#[derive(Debug, Deserialize)]
pub(super) struct Call {
    #[serde(rename = "jsonrpc")]
    _version: Version,
    #[serde(default, deserialize_with = "present")]
    pub(super) id: Option<Id>,
    pub(super) method: String,
    #[serde(default)]
    pub(super) params: Option<Box<RawValue>>,
}

/// What is refused before it is a call.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) id: Id,
    pub(super) error: RpcError,
}

/// A call's id, which comes back with its reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Id {
    Null,
    Number(Number),
    Text(String),
}

#[derive(Debug, Serialize, Deserialize)]
enum Version {
    #[serde(rename = "2.0")]
    Two,
}

impl Incoming {
    /// Reads a text. `max` is the longest that is no hook input, in bytes.
    pub(super) fn read(text: &str, max: usize) -> Result<Self, RpcError> {
        let text = text.trim_ascii();
        if !text.starts_with('[') {
            return Ok(Self::One(one(text, max)));
        }
        if text.len() > max {
            return Err(too_long(max));
        }
        let members: Vec<&RawValue> = serde_json::from_str(text).map_err(|_| RpcError::parse())?;
        match members.len() {
            0 => Err(RpcError::invalid("the batch is empty")),
            1..=MAX_BATCH => Ok(Self::Batch(members.into_iter().map(|member| one(member.get(), max)).collect())),
            _ => Err(RpcError::invalid(format!("a batch takes {MAX_BATCH} calls"))),
        }
    }
}

fn one(text: &str, max: usize) -> Member {
    let call = match serde_json::from_str::<Call>(text) {
        Ok(call) => call,
        Err(error) => return Err(refusal(text, &error)),
    };
    let long_id = matches!(&call.id, Some(Id::Text(id)) if id.len() > MAX_ID);
    if long_id {
        return Err(Box::new(Refusal {
            id: Id::Null,
            error: RpcError::invalid(format!("an id takes {MAX_ID} bytes")),
        }));
    }
    // Only what a hook hands on may be as long as the client makes it.
    if text.len() > max && !matches!(call.method.as_str(), "hook.ask" | "hook.event") {
        return Err(Box::new(Refusal { id: call.id.unwrap_or(Id::Null), error: too_long(max) }));
    }
    Ok(call)
}

fn refusal(text: &str, error: &serde_json::Error) -> Box<Refusal> {
    #[derive(Deserialize)]
    struct Named {
        #[serde(default)]
        id: Option<Id>,
    }
    let is_json = serde_json::from_str::<&RawValue>(text).is_ok();
    let id = serde_json::from_str::<Named>(text).ok().and_then(|named| named.id);
    let id = id.filter(|id| !matches!(id, Id::Text(id) if id.len() > MAX_ID));
    let error = if is_json { RpcError::invalid(error) } else { RpcError::parse() };
    Box::new(Refusal { id: id.filter(|_| is_json).unwrap_or(Id::Null), error })
}

fn too_long(max: usize) -> RpcError {
    RpcError::invalid(format!("it is longer than {max} bytes"))
}

/// An id that is there, even as null, makes a call.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Id>, D::Error> {
    Id::deserialize(deserializer).map(Some)
}

/// The reply to a call.
pub(super) fn reply(id: &Id, reply: Reply) -> String {
    #[derive(Serialize)]
    struct Response<'a> {
        jsonrpc: Version,
        id: &'a Id,
        #[serde(skip_serializing_if = "Option::is_none")]
        result: Option<Box<RawValue>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<RpcError>,
    }
    let (result, error) = match reply {
        Ok(result) => (Some(result), None),
        Err(error) => (None, Some(error)),
    };
    text(&Response { jsonrpc: Version::Two, id, result, error })
}

/// A notification.
pub(super) fn notification<T: Serialize>(method: &str, params: &T) -> String {
    #[derive(Serialize)]
    struct Notification<'a, T> {
        jsonrpc: Version,
        method: Cow<'a, str>,
        params: &'a T,
    }
    text(&Notification { jsonrpc: Version::Two, method: method.into(), params })
}

/// A batch of replies.
pub(super) fn batch(replies: &[String]) -> String {
    format!("[{}]", replies.join(","))
}

/// What we write has only keys that are texts, so that it always becomes JSON.
fn text<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
