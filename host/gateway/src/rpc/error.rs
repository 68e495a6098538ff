//! What a call is refused with.
//!
//! | code | means |
//! |---|---|
//! | -32700, -32600, -32601, -32602 | as the specification says: not JSON, no request, no such method, other params |
//! | -32603 | the gateway cannot |
//! | -32001 | no request, invocation or grant has this id |
//! | -32002 | it was answered already; `data` is the approval, so who won |
//! | -32003 | it offers less than that; `data` is the approval, so what it offers |
//! | -32005 | the disk could not record it |
//! | -32006 | nobody listens |
//! | -32007 | forbidden (`ERR_FORBIDDEN`) |
//! | -32008 | too many requests |

use serde::Serialize;
use serde_json::Value;

use crate::approvals::{AnswerError, AskError};
use crate::disk::DiskError;
use crate::grants::GrantError;
use crate::listing::ListError;
use crate::request::Standing;
use crate::view::Approval;

/// An error of JSON-RPC 2.0.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RpcError {
    /// See the table.
    pub code: i32,
    /// For people; reads after "failed to".
    pub message: String,
    /// What a program acts on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
}

impl RpcError {
    /// An error without data.
    pub fn new(code: i32, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }

    pub(super) fn parse() -> Self {
        Self::new(-32700, "read the text: it is not JSON")
    }

    pub(super) fn invalid(what: impl std::fmt::Display) -> Self {
        Self::new(-32600, format!("read the request: {what}"))
    }

    pub(super) fn no_method() -> Self {
        Self::new(-32601, "call the method: there is none of that name")
    }

    pub(super) fn params(what: impl std::fmt::Display) -> Self {
        Self::new(-32602, format!("read the params: {what}"))
    }

    pub(super) fn internal(error: impl std::fmt::Display) -> Self {
        Self::new(-32603, error.to_string())
    }

    pub(super) fn forbidden(why: &str) -> Self {
        Self::new(-32007, format!("call the method: ERR_FORBIDDEN: {why}"))
    }

    pub(super) fn too_many() -> Self {
        Self::new(-32008, "take the call: there are too many")
    }
}

impl From<AskError> for RpcError {
    fn from(error: AskError) -> Self {
        let code = match &error {
            AskError::NobodyListens => -32006,
            AskError::IdTaken(_) | AskError::Malformed(_) => -32602,
            AskError::TooMany(_) => -32008,
            AskError::NotRecorded(..) => -32005,
        };
        Self::new(code, error.to_string())
    }
}

impl From<AnswerError> for RpcError {
    fn from(error: AnswerError) -> Self {
        let message = error.to_string();
        let stands = |standing: Box<Standing>| serde_json::to_value(Approval::from(*standing)).ok();
        let (code, data) = match error {
            AnswerError::Unknown(_) => (-32001, None),
            AnswerError::Ended(standing) | AnswerError::Denied(standing) => (-32002, stands(standing)),
            AnswerError::NotOffered { standing, .. } => (-32003, stands(standing)),
            AnswerError::NotRecorded(..) => (-32005, None),
        };
        Self { code, message, data }
    }
}

impl From<ListError> for RpcError {
    fn from(error: ListError) -> Self {
        match error {
            ListError::Limit | ListError::Text => Self::params(error),
            ListError::Disk(error) => Self::internal(error),
        }
    }
}

impl From<GrantError> for RpcError {
    fn from(error: GrantError) -> Self {
        let code = match &error {
            GrantError::Unknown => -32001,
            GrantError::Kept(_) => -32005,
            GrantError::Ending => -32603,
        };
        Self::new(code, error.to_string())
    }
}

impl From<DiskError> for RpcError {
    fn from(error: DiskError) -> Self {
        Self::new(-32005, error.to_string())
    }
}
