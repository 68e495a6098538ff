//! Parses the envelope of a call strictly: an invalid request gets -32600, invalid JSON -32700.

use dmplz_protocol::RpcError;
use dmplz_protocol::framing::{self, Call, Id, MAX_BATCH, MAX_ID};
use dmplz_protocol::hook::{Ask, Happened};
use dmplz_protocol::method::Method;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// A method's result or its error.
pub(super) type Reply = Result<Box<RawValue>, RpcError>;

/// A received text.
#[derive(Debug)]
pub(super) enum Incoming {
    One(Member),
    Batch(Vec<Member>),
}

/// A call, or the refusal that answers it.
pub(super) type Member = Result<Call, Box<Refusal>>;

/// A call that is refused before it is dispatched.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) id: Id,
    pub(super) error: RpcError,
}

impl Incoming {
    /// Parses a text. `max` is the longest text in bytes, except for hook input.
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
    // Only hook input may be longer, because the client decides its length.
    if text.len() > max && !matches!(call.method.as_ref(), Ask::NAME | Happened::NAME) {
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

/// Returns the reply to a call.
pub(super) fn reply(id: &Id, reply: Reply) -> String {
    text(&framing::Reply::new(id, reply))
}

/// Returns a batch of replies.
pub(super) fn batch(replies: &[String]) -> String {
    format!("[{}]", replies.join(","))
}

/// Serialises a value. All our map keys are strings, so this cannot fail.
pub(super) fn text<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
