//! Errors of JSON-RPC calls.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// An error of JSON-RPC 2.0.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct RpcError {
    /// The kind of the error, for programs.
    pub code: Code,
    /// What is wrong, for people, as a whole clause.
    pub message: String,
    /// What is refused ([`Refusal`](crate::Refusal)); of a request that was answered or does not take the answer, also the
    /// members of the approval; where settings are not changed, the field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
}

/// The kind of an error. A client must accept codes of later gateways that it does not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Code(pub i64);

impl Code {
    /// JSON-RPC 2.0: the text is not JSON.
    pub const PARSE: Self = Self(-32_700);
    /// JSON-RPC 2.0: the JSON is no call.
    pub const INVALID: Self = Self(-32_600);
    /// JSON-RPC 2.0: the method does not exist.
    pub const NO_METHOD: Self = Self(-32_601);
    /// JSON-RPC 2.0: the method does not take these params.
    pub const PARAMS: Self = Self(-32_602);
    /// JSON-RPC 2.0: the gateway failed.
    pub const INTERNAL: Self = Self(-32_603);
    /// No request, invocation, grant or browser has this id.
    pub const UNKNOWN: Self = Self(-32_001);
    /// The request was answered already; the data is the approval, which holds the winner.
    pub const ANSWERED: Self = Self(-32_002);
    /// The request does not offer this answer; the data is the approval, which holds the offer.
    pub const NOT_OFFERED: Self = Self(-32_003);
    /// The disk could not record the change.
    pub const NOT_RECORDED: Self = Self(-32_005);
    /// No surface shows requests.
    pub const NOBODY_LISTENS: Self = Self(-32_006);
    /// The peer may not call the method.
    pub const FORBIDDEN: Self = Self(-32_007);
    /// There are too many calls or requests.
    pub const TOO_MANY: Self = Self(-32_008);
}

impl RpcError {
    /// Creates an error without data.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }

    /// Refuses a text that is not JSON.
    pub fn parse() -> Self {
        Self::new(Code::PARSE, "the text is not JSON")
    }

    /// Refuses a text that is no call.
    pub fn invalid(what: impl std::fmt::Display) -> Self {
        Self::new(Code::INVALID, format!("the request cannot be read: {what}"))
    }

    /// Refuses a method that does not exist, or that this gateway does not offer.
    pub fn no_method() -> Self {
        Self::new(Code::NO_METHOD, "there is no method of that name")
    }

    /// Refuses params that the method does not take.
    pub fn params(what: impl std::fmt::Display) -> Self {
        Self::new(Code::PARAMS, format!("the params cannot be read: {what}"))
    }

    /// Reports a failure of the gateway.
    pub fn internal(error: impl std::fmt::Display) -> Self {
        Self::new(Code::INTERNAL, error.to_string())
    }

    /// Refuses a method that the peer may not call.
    pub fn forbidden(why: &str) -> Self {
        Self::new(Code::FORBIDDEN, format!("ERR_FORBIDDEN: the method may not be called: {why}"))
    }

    /// Refuses a call beyond the limit.
    pub fn too_many() -> Self {
        Self::new(Code::TOO_MANY, "there are too many calls")
    }
}
