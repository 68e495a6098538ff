//! The messages between a hook and the gateway about one request.

use dmplz_core::card::Remark;
use dmplz_core::grant::{Change, Covers};
use dmplz_core::request::{Resolution, Resolver};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::request::RequestId;

/// Asks a person, and waits for the end. After a lost connection the hook may ask again with the same id.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Ask {
    /// The request's id, which the hook chooses.
    pub request_id: RequestId,
    /// The JSON that the client wrote to the hook's stdin.
    pub input: Box<RawValue>,
    /// The policy's remarks on the call.
    #[serde(default)]
    pub remarks: Vec<Remark>,
    /// What a grant would cover, if the hook's policy lets the call be granted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grantable: Option<Covers>,
    /// In how many milliseconds from now the gateway ends the request.
    pub expires_in_ms: u64,
    /// The hook's [`PROTOCOL`](crate::PROTOCOL); 0 if the hook sends none.
    #[serde(default)]
    pub protocol: u32,
}

/// How a request ended.
#[derive(Debug, Serialize, Deserialize)]
pub struct Ended {
    /// How the request ended.
    pub resolution: Resolution,
}

/// Notifies the hook that the request is on disk.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Accepted {
    /// The id of the request that was accepted.
    pub request_id: RequestId,
    /// The gateway's [`PROTOCOL`](crate::PROTOCOL); 0 if the gateway sends none.
    #[serde(default)]
    pub protocol: u32,
}

/// Notifies the hook that a person denied the request, and may still give a reason.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Denied {
    /// The id of the request that was denied.
    pub request_id: RequestId,
    /// How it ends if no reason comes.
    pub resolution: Resolution,
    /// The time left for a reason, in milliseconds.
    #[serde(default)]
    pub left_ms: u64,
}

/// Acknowledges the denial. From then on it stands, even if the gateway is lost.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Heard {
    /// The id of the request that was denied.
    pub request_id: RequestId,
}

/// Reports whether the client took the decision.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Taken {
    /// The id of the request whose decision was handed over.
    pub request_id: RequestId,
    /// Whether the client took it.
    pub taken: bool,
}

/// Withdraws a request that the hook has asked.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Withdraw {
    /// The id of the request that is withdrawn.
    pub request_id: RequestId,
    /// What settled the request elsewhere.
    pub resolver: Resolver,
}

/// Reports an event of a session, which may show that some of its requests are over.
#[derive(Debug, Serialize, Deserialize)]
pub struct Happened {
    /// The JSON that the client wrote to the hook's stdin.
    pub input: Box<RawValue>,
}

/// Reports the changes that a hook or a command made to the list of grants.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GrantChanges {
    /// The changes, in order.
    pub changes: Vec<Change>,
}
