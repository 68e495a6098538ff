//! The error of JSON-RPC for each of the gateway's errors: what is refused ([`Refusal`]), or a code ([`Code`]) and a message.

use dmplz_protocol::refusal::NotRunnable;
use dmplz_protocol::{Code, Refusal, RpcError};
use serde_json::Value;

use crate::approvals::AnswerError;
use crate::bus::AskError;
use crate::disk::DiskError;
use crate::grants::GrantError;
use crate::listing::ListError;
use crate::notices::NoticeError;
use crate::tools::{InvokeError, MAX_EXECUTABLE, NotRecorded, ResolveError};

impl From<AskError> for RpcError {
    fn from(error: AskError) -> Self {
        match error {
            AskError::NobodyListens => Refusal::NobodyListens.into(),
            AskError::IdTaken(_) | AskError::Malformed(_) => Self::new(Code::PARAMS, error.to_string()),
            AskError::TooMany(open) => Refusal::TooManyRequests { open }.into(),
            AskError::NotRecorded(request, _) => Refusal::RequestNotRecorded { request }.into(),
        }
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
            ListError::Limit | ListError::Text | ListError::Period(_) => Self::params(error),
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
        match error {
            GrantError::Unknown => Refusal::NoGrant.into(),
            GrantError::Kept(error) => Self::new(Code::NOT_RECORDED, error.to_string()),
            GrantError::Ending => Refusal::GatewayEnding.into(),
        }
    }
}

impl From<DiskError> for RpcError {
    fn from(error: DiskError) -> Self {
        Self::new(Code::NOT_RECORDED, error.to_string())
    }
}

impl From<InvokeError> for RpcError {
    fn from(error: InvokeError) -> Self {
        match error {
            InvokeError::Ask(error) => error.into(),
            InvokeError::Invalid(error) => Self::new(Code::PARAMS, error.to_string()),
            InvokeError::Resolve(error) => error.into(),
            InvokeError::TooMany(running) => Refusal::TooManyInvocations { running }.into(),
            InvokeError::NotRecorded(error) => error.into(),
            InvokeError::Closing => Refusal::GatewayEnding.into(),
        }
    }
}

impl From<ResolveError> for RpcError {
    fn from(error: ResolveError) -> Self {
        let why = match error {
            ResolveError::Folder(folder, error) => NotRunnable::Folder { folder, error: error.to_string() },
            ResolveError::NotFound(program) => NotRunnable::NotFound { program },
            ResolveError::Unreadable(file, error) => NotRunnable::Unreadable { file, error: error.to_string() },
            ResolveError::NotExecutable(file) => NotRunnable::NotExecutable { file },
            ResolveError::UnknownFormat(file) => NotRunnable::UnknownFormat { file },
            ResolveError::TooLarge(file) => NotRunnable::TooLarge { file, most: MAX_EXECUTABLE },
            ResolveError::NoText(_) => return Self::new(Code::PARAMS, error.to_string()),
        };
        Refusal::NotRunnable { why: why.into() }.into()
    }
}

impl From<NotRecorded> for RpcError {
    fn from(_: NotRecorded) -> Self {
        Refusal::InvocationNotRecorded.into()
    }
}
