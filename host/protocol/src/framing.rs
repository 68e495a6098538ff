//! The framing of JSON-RPC 2.0: calls, notifications, replies, and the lines that a client reads.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::Number;
use serde_json::value::RawValue;

use crate::answer::present;
use crate::error::RpcError;
use crate::method::{Method, Notification};

/// The longest line that the gateway's socket accepts, in bytes: the longest hook input (2 MiB) and 1 MiB around it.
pub const MAX_LINE: usize = (2 << 20) + (1 << 20);
/// An upper bound on the gateway's lines to a hook, in bytes.
pub const MAX_LINE_TO_HOOK: usize = 1 << 20;
/// The longest line of the gateway to a command, in bytes: a whole page of the largest requests.
pub const MAX_LINE_TO_COMMAND: usize = 512 << 20;
/// The most members of a batch.
pub const MAX_BATCH: usize = 100;
/// The longest id of a call, in bytes. The reply repeats it.
pub const MAX_ID: usize = 256;

/// A call. Without an id it is a notification, which gets no reply.
#[derive(Debug, Serialize, Deserialize)]
pub struct Call<P = Box<RawValue>> {
    jsonrpc: Version,
    /// Pairs the call with its reply. `null` is an id; only without one the call is a notification.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub id: Option<Id>,
    /// The name of the method.
    pub method: Cow<'static, str>,
    /// The params, by name.
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
    /// `null`; also the id in the reply to an invalid call.
    Null,
    /// A number.
    Number(Number),
    /// A text.
    Text(String),
}

/// A line that a client reads from the gateway: a [`Reply`] or a notification.
#[derive(Debug, Deserialize)]
pub struct Line {
    /// For a reply: the number of the call, from [`Call::new`].
    pub id: Option<u64>,
    /// For a notification: its name.
    pub method: Option<String>,
    /// For a notification: its params.
    pub params: Option<Box<RawValue>>,
    /// For a reply: the method's result.
    pub result: Option<Box<RawValue>>,
    /// For a reply: the error.
    pub error: Option<RpcError>,
}

#[derive(Debug, Serialize, Deserialize)]
enum Version {
    #[serde(rename = "2.0")]
    Two,
}

impl<'a, M: Method> Call<&'a M> {
    /// Creates a call. Its reply has the same number.
    pub fn new(id: u64, params: &'a M) -> Self {
        let id = Some(Id::Number(id.into()));
        Self { jsonrpc: Version::Two, id, method: M::NAME.into(), params: Some(params) }
    }

    /// Creates a call that gets no reply.
    pub fn unanswered(params: &'a M) -> Self {
        Self { jsonrpc: Version::Two, id: None, method: M::NAME.into(), params: Some(params) }
    }
}

impl<P: Serialize> Call<P> {
    /// Creates a notification of the gateway under a name, such as an event under the name of its kind.
    pub fn notification(name: String, params: P) -> Self {
        Self { jsonrpc: Version::Two, id: None, method: name.into(), params: Some(params) }
    }

    /// Serialises the call as a line for the socket.
    pub fn line(&self) -> serde_json::Result<Vec<u8>> {
        let mut line = serde_json::to_vec(self)?;
        line.push(b'\n');
        Ok(line)
    }
}

impl<'a, N: Notification> Call<&'a N> {
    /// Creates a notification of the gateway.
    pub fn notify(params: &'a N) -> Self {
        Self { jsonrpc: Version::Two, id: None, method: N::NAME.into(), params: Some(params) }
    }
}

impl<'a> Reply<'a> {
    /// Creates the reply to the call with this id.
    pub fn new(id: &'a Id, result: Result<Box<RawValue>, RpcError>) -> Self {
        let (result, error) = match result {
            Ok(result) => (Some(result), None),
            Err(error) => (None, Some(error)),
        };
        Self { jsonrpc: Version::Two, id, result, error }
    }
}
