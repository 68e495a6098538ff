//! Decides about held notices when their time comes, or when the request that they are about is answered.
//!
//! | a held notice | when |
//! |---|---|
//! | is put into the queue | nobody answered in time, or the quiet hours are over |
//! | is held again | nobody answered in time, and it is quiet |
//! | is skipped | the request ended, or the notice is in front of somebody |
//!
//! What is decided depends on the routes of this gateway, which may be others than when the notice was stored. A channel to
//! which no route leads any more gets it. That nobody answered is an entry of the audit trail, `notice.escalated`, which
//! is written together with the decision.

use std::time::Duration;

use dmplz_core::notify::plan::can_end;
use dmplz_core::notify::{Decision, EventKind, LONGEST_HOLD_MS, Occurrence, Plan, Skipped};
use dmplz_protocol::{RequestId, Status};
use dmplz_state::store::{NoticeRow, Writes};
use serde_json::json;
use tokio::time::{sleep, timeout};

use super::{Body, Notices, Receipt};
use crate::approvals::Approvals;
use crate::disk::DiskError;

/// The longest pause between two looks, because the wall clock may be set.
const LOOK: Duration = Duration::from_secs(30);
/// The pause after the database could not be used.
const DISK_AGAIN: Duration = Duration::from_secs(5);
/// The number of notices that are decided about at once.
const SOME: u32 = 100;

impl Notices {
    /// Decides about held notices when they are due. Never returns. `warn` is called with errors, in English.
    pub async fn watch_held(&self, approvals: &Approvals, warn: impl Fn(&str)) {
        loop {
            match self.decide_due(approvals).await {
                Ok(wait) => {
                    let _ = timeout(wait, self.shared.held.notified()).await;
                }
                Err(DiskError::Gone) => return std::future::pending().await,
                Err(error) => {
                    warn(&format!("notices that wait cannot be decided about: {error}"));
                    sleep(DISK_AGAIN).await;
                }
            }
        }
    }

    /// Decides about the notices that are due. Returns how long to wait for the next ones.
    async fn decide_due(&self, approvals: &Approvals) -> Result<Duration, DiskError> {
        let now_ms = self.now_ms();
        let held = self.shared.disk.reader.ask(move |reads| reads.held_notices(now_ms, LONGEST_HOLD_MS, SOME));
        let (due, next_ms) = held.await?;
        for row in &due {
            let (decision, receipt) = match serde_json::from_str::<Body>(&row.body) {
                Ok(body) => self.settled(&row.channel, &body.occurrence, approvals).await,
                // The channel's line names the error.
                Err(_) => (Decision::Send, None),
            };
            self.settle(row, decision, receipt).await?;
        }
        let wait = Duration::from_millis(next_ms.map_or(u64::MAX, |next| next.saturating_sub(now_ms).max(1)));
        Ok(if due.is_empty() { wait.min(LOOK) } else { Duration::ZERO })
    }

    async fn settled(
        &self,
        channel: &str,
        occurrence: &Occurrence,
        approvals: &Approvals,
    ) -> (Decision, Option<Receipt>) {
        let id = request_id(occurrence);
        let has_ended = match id {
            // Where the disk cannot tell, it is sent.
            Some(id) => approvals.get(id).await.is_some_and(|standing| standing.status != Status::Open),
            None => false,
        };
        let routes = self.shared.setup.routing.channels(occurrence);
        let plan = routes.into_iter().find(|(name, _)| *name == channel).map(|(_, plan)| plan);
        let plan = plan.unwrap_or_else(|| Plan::at_once(Default::default()));
        let fronts = self.shared.presence.fronts();
        let decision = plan.decide(occurrence, &self.facts(&fronts, has_ended));
        let is_late = matches!(decision, Decision::Send) && !plan.after.is_zero();
        let receipt = id.filter(|_| is_late).map(|id| {
            let body = json!({ "channel": channel, "afterMs": plan.after.as_millis() });
            Receipt { kind: "notice.escalated", request_id: id.to_string(), body: body.to_string() }
        });
        (decision, receipt)
    }

    async fn settle(&self, row: &NoticeRow, decision: Decision, receipt: Option<Receipt>) -> Result<(), DiskError> {
        let (number, now_ms) = (row.number, self.now_ms());
        let settle = move |writes: &Writes<'_>| {
            let entry = receipt.as_ref().map(|receipt| receipt.entry(now_ms));
            writes.settle_notice(number, decision, entry.as_ref(), now_ms)
        };
        self.shared.disk.writer.write(settle).await?;
        if decision == Decision::Send {
            self.wake(&row.channel);
        }
        Ok(())
    }

    /// Decides about the notices that wait whether this request is answered: it was.
    pub(super) async fn answered(&self, id: RequestId) -> Result<(), DiskError> {
        if !self.wants(EventKind::RequestAsked) {
            return Ok(());
        }
        let key = key(&format!("{}:{id}", EventKind::RequestAsked));
        for row in self.shared.disk.reader.ask(move |reads| reads.held_under(&key)).await? {
            self.settle(&row, Decision::Skip(Skipped::Ended), None).await?;
        }
        Ok(())
    }
}

/// Returns the key of a notice that is found by its request, and therefore not merged with others; `None` if it is about no
/// request that can be answered.
pub(super) fn own_key(occurrence: &Occurrence) -> Option<String> {
    can_end(occurrence.event).then(|| key(&occurrence.id))
}

fn key(id: &str) -> String {
    format!("held\n{id}")
}

/// Returns the request that an occurrence is about, and that can be answered.
pub(super) fn request_id(occurrence: &Occurrence) -> Option<RequestId> {
    let id = occurrence.id.strip_prefix(occurrence.event.name())?.strip_prefix(':')?;
    can_end(occurrence.event).then(|| id.parse().ok()).flatten()
}
