//! What is kept of an invocation. While it waits that is all it takes to run it, but for the values of its variables; once it
//! has ended, secrets are masked in it.

use dmplz_core::redact::{mask, mask_json};
use dmplz_protocol::tool::{Report, State};
use dmplz_protocol::{Request, RequestId};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::binding::Binding;
use super::call::Invocation;
use crate::disk::{Disk, DiskError};

/// An invocation in the store.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Record {
    pub(super) report: Report,
    pub(super) request_id: RequestId,
    /// When an approval of it counts no more, Unix milliseconds.
    pub(super) until_ms: u64,
    /// Whether somebody follows it, who alone can take what it writes: it ends with them.
    pub(super) followed: bool,
    /// What was shown; none once it has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) binding: Option<Binding>,
}

/// The disk took no record, or gave none.
#[derive(Debug, thiserror::Error)]
#[error("the invocation cannot be recorded")]
pub struct NotRecorded(#[from] DiskError);

#[derive(Debug)]
pub(super) struct Records {
    disk: Disk,
}

impl Record {
    pub(super) fn new(id: Uuid, request: &Request, binding: Binding, invocation: &Invocation, followed: bool) -> Self {
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

    /// As it is kept once nothing will be run any more.
    pub(super) fn masked(&self) -> Self {
        let mut report = self.report.clone();
        report.masked = true;
        // A secret may be told by the word before it, so that the arguments are masked as a whole.
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

impl Records {
    pub(super) fn new(disk: Disk) -> Self {
        Self { disk }
    }

    /// Keeps it as it is now. When this returns it is on the disk.
    pub(super) async fn put(&self, record: &Record) -> Result<(), NotRecorded> {
        let masked = record.report.state.is_final().then(|| record.masked());
        let record = masked.as_ref().unwrap_or(record);
        Ok(self.disk.keep_invocation(record.report.invocation_id, record.report.ended_ms, record).await?)
    }

    /// Nobody could be asked about it.
    pub(super) async fn forget(&self, id: Uuid) -> Result<(), NotRecorded> {
        Ok(self.disk.drop_invocation(id).await?)
    }

    pub(super) async fn get(&self, id: Uuid) -> Result<Option<Record>, NotRecorded> {
        Ok(self.disk.invocation(id).await?)
    }

    /// What an earlier gateway left.
    pub(super) async fn unfinished(&self) -> Result<Vec<Record>, NotRecorded> {
        Ok(self.disk.unfinished_invocations().await?.into_iter().map(|(_, record)| record).collect())
    }
}
