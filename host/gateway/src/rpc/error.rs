//! The JSON-RPC code ([`Code`]) of each of the gateway's errors.

use dmplz_core::chain;
use dmplz_protocol::{Approval, Code, RpcError, Standing};

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
            AskError::NobodyListens => Code::NOBODY_LISTENS,
            AskError::IdTaken(_) | AskError::Malformed(_) => Code::PARAMS,
            AskError::TooMany(_) => Code::TOO_MANY,
            AskError::NotRecorded(..) => Code::NOT_RECORDED,
        };
        Self::new(code, error.to_string())
    }
}

impl From<AnswerError> for RpcError {
    fn from(error: AnswerError) -> Self {
        let message = error.to_string();
        let stands = |standing: Box<Standing>| serde_json::to_value(Approval::from(*standing)).ok();
        let (code, data) = match error {
            AnswerError::Unknown(_) => (Code::UNKNOWN, None),
            AnswerError::Ended(standing) | AnswerError::Denied(standing) => (Code::ANSWERED, stands(standing)),
            AnswerError::NotOffered { standing, .. } => (Code::NOT_OFFERED, stands(standing)),
            AnswerError::NotRecorded(..) => (Code::NOT_RECORDED, None),
            AnswerError::Closing(_) => (Code::INTERNAL, None),
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
            GrantError::Unknown => Code::UNKNOWN,
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
