//! What a hook and the gateway say to each other about one request.

use dmplz_core::card::Remark;
use dmplz_core::grant::{Change, Covers};
use dmplz_core::request::{Resolution, Resolver};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::request::RequestId;

/// Asks a person, and waits for the end. The same id may ask again over another connection, where the first was lost.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Ask {
    /// The request's id, which the hook chooses.
    pub request_id: RequestId,
    /// What the client wrote to the hook's stdin.
    pub input: Box<RawValue>,
    /// What the policy remarks on the call.
    #[serde(default)]
    pub remarks: Vec<Remark>,
    /// What may be granted: the hook has judged it by the policy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grantable: Option<Covers>,
    /// When the gateway ends the request, in milliseconds from now.
    pub expires_in_ms: u64,
    /// The hook's [`PROTOCOL`](crate::PROTOCOL); zero where it says none.
    #[serde(default)]
    pub protocol: u32,
}

/// How a request ended.
#[derive(Debug, Serialize, Deserialize)]
pub struct Ended {
    /// How the request ended.
    pub resolution: Resolution,
}

/// Says that the request is on disk.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Accepted {
    /// The id of the request that was accepted.
    pub request_id: RequestId,
    /// The gateway's [`PROTOCOL`](crate::PROTOCOL); zero where it says none.
    #[serde(default)]
    pub protocol: u32,
}

/// Says that somebody denied the request, and may still say why.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Denied {
    /// The id of the request that was denied.
    pub request_id: RequestId,
    /// How it ends if no reason comes.
    pub resolution: Resolution,
    /// How long a reason may still come, in milliseconds.
    #[serde(default)]
    pub left_ms: u64,
}

/// Says that the hook knows of the denial: from then on it stands, whatever becomes of the gateway.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Heard {
    /// The id of the request that was denied.
    pub request_id: RequestId,
}

/// Says whether the client took the decision.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Taken {
    /// The id of the request whose decision was handed over.
    pub request_id: RequestId,
    /// Whether it took it.
    pub taken: bool,
}

/// Takes the question back.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Withdraw {
    /// The id of the request that is withdrawn.
    pub request_id: RequestId,
    /// What settled the request elsewhere.
    pub resolver: Resolver,
}

/// Tells of an event of a session, which may show that some of its requests are over.
#[derive(Debug, Serialize, Deserialize)]
pub struct Happened {
    /// What the client wrote to the hook's stdin.
    pub input: Box<RawValue>,
}

/// Tells what a hook or a command changed in the list of grants.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GrantChanges {
    /// The changes, in order.
    pub changes: Vec<Change>,
}
