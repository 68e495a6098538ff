//! The stored form of an invocation. While it waits, the record holds everything needed to run it except the values of
//! its variables. Once it has ended, secrets in it are masked.

use dmplz_core::redact::{mask, mask_json};
use dmplz_protocol::tool::{InvokeTool, Report, State};
use dmplz_protocol::{Refusal, Request, RequestId};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::binding::Binding;
use crate::disk::{Disk, DiskError};

/// An invocation in the store.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Record {
    pub(super) report: Report,
    pub(super) request_id: RequestId,
    /// When its approval expires, in Unix milliseconds.
    pub(super) until_ms: u64,
    /// Whether a client follows it, which alone receives all output. The invocation then ends with its client.
    pub(super) followed: bool,
    /// The binding that was shown; `None` once the invocation has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) binding: Option<Binding>,
}

/// The record cannot be written or read.
#[derive(Debug, thiserror::Error)]
#[error("{}", Refusal::InvocationNotRecorded)]
pub struct NotRecorded(#[from] DiskError);

impl Record {
    pub(super) fn new(id: Uuid, request: &Request, binding: Binding, invocation: &InvokeTool, followed: bool) -> Self {
        let report = Report {
            invocation_id: id,
            state: State::AwaitingApproval,
            argv: invocation.argv.clone(),
            cwd: binding.cwd.clone(),
            exit_code: None,
            signal: None,
            error: None,
            output: Vec::new(),
            truncated: false,
            masked: false,
            created_ms: request.created_ms,
            ended_ms: None,
        };
        Self { report, request_id: request.id, until_ms: request.expires_ms, followed, binding: Some(binding) }
    }

    /// Stores the record in its present state. It is on disk when this returns.
    pub(super) async fn keep(&self, disk: &Disk) -> Result<(), NotRecorded> {
        let masked = self.report.state.is_final().then(|| self.masked());
        let record = masked.as_ref().unwrap_or(self);
        Ok(disk.keep_invocation(record.report.invocation_id, record.report.ended_ms, record).await?)
    }

    /// Returns the record as it is stored after the end.
    pub(super) fn masked(&self) -> Self {
        let mut report = self.report.clone();
        report.masked = true;
        // A word may mark the next one as a secret, so the arguments are masked together.
        let argv = mask_json(&report.argv.iter().map(String::as_str).collect());
        report.argv = serde_json::from_value(argv).unwrap_or_default();
        for text in report.output.iter_mut().map(|piece| &mut piece.text) {
            *text = mask(text).as_str().to_owned();
        }
        if let Some(error) = &mut report.error {
            error.message = mask(&error.message).as_str().to_owned();
        }
        Self { report, binding: None, ..self.clone() }
    }
}
