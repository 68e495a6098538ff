//! JSON-RPC 2.0 as it is framed: a call, a notification and what a client reads.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Number;
use serde_json::value::RawValue;

use crate::error::RpcError;
use crate::method::{Method, Notification};

/// The longest line that the gateway's socket takes, in bytes: the longest hook input (2 MiB), and what is around it.
pub const MAX_LINE: usize = (2 << 20) + (1 << 20);
/// More than any line of the gateway to a hook is long, in bytes.
pub const MAX_LINE_TO_HOOK: usize = 1 << 20;
/// The longest line of the gateway to a command, in bytes: a whole page of the largest requests.
pub const MAX_LINE_TO_COMMAND: usize = 512 << 20;
/// The most members of a batch.
pub const MAX_BATCH: usize = 100;
/// The longest id of a call, in bytes. It comes back with the reply.
pub const MAX_ID: usize = 256;

/// A call. Without an id it is a notification, which is never answered.
#[derive(Debug, Serialize, Deserialize)]
pub struct Call<P = Box<RawValue>> {
    jsonrpc: Version,
    /// Pairs it with its reply.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub id: Option<Id>,
    /// The name of the method.
    pub method: Cow<'static, str>,
    /// Its params by name.
    pub params: Option<P>,
}

/// The reply to a call.
#[derive(Debug, Serialize)]
pub struct Reply<'a> {
    jsonrpc: Version,
    id: &'a Id,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<RpcError>,
}

/// A call's id, which comes back with its reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Id {
    /// `null`; also of a reply to what is no call.
    Null,
    /// A number.
    Number(Number),
    /// A text.
    Text(String),
}

/// What a client reads in a line of the gateway: a [`Reply`] or a notification, whichever members it has.
#[derive(Debug, Deserialize)]
pub struct Line {
    /// Of a reply: the number of the call, as [`Call::new`] gives it.
    pub id: Option<u64>,
    /// Of a notification: its name.
    pub method: Option<String>,
    /// Of a notification: its params.
    pub params: Option<Box<RawValue>>,
    /// Of a reply: the method's result.
    pub result: Option<Box<RawValue>>,
    /// Of a reply: why there is no result.
    pub error: Option<RpcError>,
}

#[derive(Debug, Serialize, Deserialize)]
enum Version {
    #[serde(rename = "2.0")]
    Two,
}

impl<'a, M: Method> Call<&'a M> {
    /// A call of a method, under a number that its reply comes back with.
    pub fn new(id: u64, params: &'a M) -> Self {
        let id = Some(Id::Number(id.into()));
        Self { jsonrpc: Version::Two, id, method: M::NAME.into(), params: Some(params) }
    }

    /// A call that is not answered.
    pub fn unanswered(params: &'a M) -> Self {
        Self { jsonrpc: Version::Two, id: None, method: M::NAME.into(), params: Some(params) }
    }
}

impl<P: Serialize> Call<P> {
    /// A notification of the gateway under a name, such as an event under the name of its kind.
    pub fn notification(name: String, params: P) -> Self {
        Self { jsonrpc: Version::Two, id: None, method: name.into(), params: Some(params) }
    }

    /// The call as a line for the socket.
    pub fn line(&self) -> serde_json::Result<Vec<u8>> {
        let mut line = serde_json::to_vec(self)?;
        line.push(b'\n');
        Ok(line)
    }
}

impl<'a, N: Notification> Call<&'a N> {
    /// A notification of the gateway.
    pub fn notify(params: &'a N) -> Self {
        Self { jsonrpc: Version::Two, id: None, method: N::NAME.into(), params: Some(params) }
    }
}

impl<'a> Reply<'a> {
    /// The reply to the call of an id.
    pub fn new(id: &'a Id, result: Result<Box<RawValue>, RpcError>) -> Self {
        let (result, error) = match result {
            Ok(result) => (Some(result), None),
            Err(error) => (None, Some(error)),
        };
        Self { jsonrpc: Version::Two, id, result, error }
    }
}

/// An id that is there, even as null, makes a call.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Id>, D::Error> {
    Id::deserialize(deserializer).map(Some)
}
