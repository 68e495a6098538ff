//! The error of JSON-RPC for each of the gateway's errors: what is refused ([`Refusal`]), or a code ([`Code`]) and a message.

use dmplz_core::chain;
use dmplz_protocol::{Code, Refusal, RpcError};
use serde_json::Value;

use crate::approvals::AnswerError;
use crate::bus::AskError;
use crate::disk::DiskError;
use crate::grants::GrantError;
use crate::listing::ListError;
use crate::notices::NoticeError;
use crate::tools::{InvokeError, NotRecorded};

impl From<AskError> for RpcError {
    fn from(error: AskError) -> Self {
        let code = match &error {
            AskError::NobodyListens => return Refusal::NobodyListens.into(),
            AskError::IdTaken(_) | AskError::Malformed(_) => Code::PARAMS,
            AskError::TooMany(_) => Code::TOO_MANY,
            AskError::NotRecorded(..) => Code::NOT_RECORDED,
        };
        Self::new(code, error.to_string())
    }
}

impl From<AnswerError> for RpcError {
    /// Puts the members of the approval beside what is refused.
    fn from(error: AnswerError) -> Self {
        let mut refused = Self::from(error.refusal());
        let approval = error.approval().map(serde_json::to_value);
        if let (Some(Value::Object(data)), Some(Ok(Value::Object(approval)))) = (&mut refused.data, approval) {
            data.extend(approval);
        }
        refused
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

impl From<NoticeError> for RpcError {
    fn from(error: NoticeError) -> Self {
        match error {
            NoticeError::NoChannel(_) | NoticeError::Text => Self::params(error),
            NoticeError::Disk(error) => Self::internal(error),
        }
    }
}

impl From<GrantError> for RpcError {
    fn from(error: GrantError) -> Self {
        let code = match &error {
            GrantError::Unknown => return Refusal::NoGrant.into(),
            GrantError::Kept(_) => Code::NOT_RECORDED,
            GrantError::Ending => Code::INTERNAL,
        };
        Self::new(code, error.to_string())
    }
}

impl From<DiskError> for RpcError {
    fn from(error: DiskError) -> Self {
        Self::new(Code::NOT_RECORDED, error.to_string())
    }
}

impl From<InvokeError> for RpcError {
    fn from(error: InvokeError) -> Self {
        let code = match error {
            InvokeError::Ask(error) => return error.into(),
            InvokeError::Invalid(_) | InvokeError::Resolve(_) => Code::PARAMS,
            InvokeError::TooMany(_) => Code::TOO_MANY,
            InvokeError::NotRecorded(_) => Code::NOT_RECORDED,
            InvokeError::Closing => Code::INTERNAL,
        };
        Self::new(code, chain(&error))
    }
}

impl From<NotRecorded> for RpcError {
    fn from(error: NotRecorded) -> Self {
        Self::new(Code::NOT_RECORDED, error.to_string())
    }
}
