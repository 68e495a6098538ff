//! The writes that add an event to the audit trail and report its number.
//!
//! `told` is called on the writer's thread once the event is durable, in the order of the numbers, so a caller that
//! publishes there publishes in order. It is not called if nothing was written, and must not block.

use dmplz_core::approvers::Answerer;
use dmplz_core::request::{End, Resolution};
use dmplz_protocol::{Message, Request, RequestId};
use dmplz_state::store::{Happened, Writes};

use super::{Disk, DiskError, blocking, rows};

impl Disk {
    /// Does the same as [`Disk::add`].
    pub(crate) async fn add_telling(
        &self,
        request: &Request,
        told: impl FnOnce(u64) + Send + 'static,
    ) -> Result<u64, DiskError> {
        let request = request.clone();
        let stamp = (self.uptime)();
        let (row, body) = blocking(move || rows::row(&request, stamp)).await??;
        self.writer.write_telling(move |writes| writes.add(&row, &body), |number| told(*number)).await
    }

    /// Does the same as [`Disk::settle`].
    pub(crate) async fn settle_telling(
        &self,
        request: &Request,
        end: &Resolution,
        at_ms: u64,
        told: impl FnOnce(u64) + Send + 'static,
    ) -> Result<u64, DiskError> {
        let kind = if end.outcome == End::DeniedByRule { "policy.rejection" } else { "policy.allowed" };
        let (request, end) = (request.clone(), rows::end(end, at_ms)?);
        let (row, _) = blocking(move || rows::row(&request, None)).await??;
        let work = move |writes: &Writes<'_>| writes.settle(&row, &end, kind);
        self.writer.write_telling(work, |number| told(*number)).await
    }

    /// Does the same as [`Disk::deny`].
    pub(crate) async fn deny_telling(
        &self,
        id: RequestId,
        by: &Answerer,
        until_ms: u64,
        instead: bool,
        at_ms: u64,
        told: impl FnOnce(u64) + Send + 'static,
    ) -> Result<Option<u64>, DiskError> {
        let denial = rows::Denial { by: by.clone(), until_ms, instead };
        let denial = serde_json::to_string(&denial).map_err(DiskError::json("a denial"))?;
        let (id, stamp) = (id.to_string(), (self.uptime)());
        let work = move |writes: &Writes<'_>| writes.deny(&id, &denial, at_ms, stamp.as_ref());
        self.writer.write_telling(work, written(told)).await
    }

    /// Does the same as [`Disk::resolve`].
    pub(crate) async fn resolve_telling(
        &self,
        id: RequestId,
        end: &Resolution,
        at_ms: u64,
        told: impl FnOnce(u64) + Send + 'static,
    ) -> Result<Option<u64>, DiskError> {
        end.outcome()?;
        let (id, end) = (id.to_string(), rows::end(end, at_ms)?);
        self.writer.write_telling(move |writes| writes.resolve(&id, &end), written(told)).await
    }

    /// Does the same as [`Disk::taken`].
    pub(crate) async fn taken_telling(
        &self,
        id: RequestId,
        taken: bool,
        at_ms: u64,
        told: impl FnOnce(u64) + Send + 'static,
    ) -> Result<Option<u64>, DiskError> {
        let id = id.to_string();
        self.writer.write_telling(move |writes| writes.take(&id, taken, at_ms), written(told)).await
    }

    /// Does the same as [`Disk::record`].
    pub(crate) async fn record_telling(
        &self,
        message: &Message,
        at_ms: u64,
        told: impl FnOnce(u64) + Send + 'static,
    ) -> Result<u64, DiskError> {
        let kind = rows::word(&message.kind())?;
        let body = serde_json::to_string(message).map_err(DiskError::json("an event"))?;
        let request = message.filed_under().map(str::to_owned);
        let work = move |writes: &Writes<'_>| {
            writes.record(&Happened { at_ms, kind: &kind, request_id: request.as_deref(), body: &body })
        };
        self.writer.write_telling(work, |number| told(*number)).await
    }
}

/// Calls `told` if something was written.
fn written(told: impl FnOnce(u64) + Send + 'static) -> impl FnOnce(&Option<u64>) + Send + 'static {
    move |number| {
        if let Some(number) = number {
            told(*number);
        }
    }
}
