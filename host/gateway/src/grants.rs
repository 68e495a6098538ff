//! dmplz grants, as surfaces see them: listing those that hold, and revoking.
//!
//! Hooks make and use grants without the gateway, in a file that is read anew each time. Each change of a grant is a
//! line of `grants.jsonl` and an entry of the audit trail: `grant.made`, `grant.revoked`, `grant.ended`. Another
//! process that changes the file reports it to the gateway afterwards (`hook.grants`).
//!
//! **Invariant:** a revoked grant stops counting before the revocation is recorded, and before the revoker is told. It
//! stops counting even if the revocation cannot be recorded.

use std::sync::Arc;

use dmplz_core::approvers::Answerer;
use dmplz_core::grant::change::Line;
use dmplz_core::grant::{Change, Grant, Moment};
use dmplz_protocol::Refusal;
use dmplz_state::{Dropped, GrantsError, Journal, JournalError, StateDir};
use jiff::Timestamp;

use crate::approvals::Approvals;
use crate::disk::DiskError;

/// Returns the present moment on both clocks of a grant. The caller supplies it.
pub type Clocks = Arc<dyn Fn() -> Moment + Send + Sync>;

/// The grants of a state directory. Cheap to clone.
#[derive(Clone)]
pub struct Grants {
    state: StateDir,
    log: Journal,
    clocks: Clocks,
    approvals: Approvals,
}

/// The result of revoking grants.
#[derive(Debug)]
pub struct Revoked {
    /// The revoked grants, which held until then.
    pub grants: Vec<Grant>,
    /// Why the revocation is not recorded everywhere; `None` if it is.
    pub unrecorded: Option<Unrecorded>,
}

/// Why a change is not recorded. The change has taken effect nevertheless.
#[derive(Debug, thiserror::Error)]
pub enum Unrecorded {
    /// It could not be written to `grants.jsonl`.
    #[error(transparent)]
    Log(#[from] JournalError),
    /// It could not be written to the audit trail.
    #[error(transparent)]
    Trail(#[from] DiskError),
}

/// Why grants cannot be listed or revoked.
#[derive(Debug, thiserror::Error)]
pub enum GrantError {
    /// The list of grants cannot be read or written. If it cannot be written, its grants may still count.
    #[error(transparent)]
    Kept(#[from] GrantsError),
    /// No grant that holds has this id.
    #[error("{}", Refusal::NoGrant)]
    Unknown,
    /// The gateway is stopping.
    #[error("{}", Refusal::GatewayEnding)]
    Ending,
}

impl Grants {
    /// Opens the grants of a state directory. Changes are written to `log`, and to the audit trail of `approvals`.
    pub fn new(state: StateDir, log: Journal, clocks: Clocks, approvals: Approvals) -> Self {
        Self { state, log, clocks, approvals }
    }

    /// Returns the grants that hold now, the oldest first.
    pub async fn held(&self) -> Result<Vec<Grant>, GrantError> {
        let (state, now) = (self.state.clone(), (self.clocks)());
        let all = blocking(move || dmplz_state::Grants::read(state.path())).await??;
        Ok(all.into_iter().filter(|grant| grant.holds(now)).collect())
    }

    /// Revokes the grants for which `is_meant` is true.
    pub async fn revoke(
        &self,
        is_meant: impl Fn(&Grant) -> bool + Send + 'static,
        by: &Answerer,
    ) -> Result<Revoked, GrantError> {
        let (this, by) = (self.clone(), by.clone());
        // Spawned, so that it continues even if the caller goes away.
        let revoking = tokio::spawn(async move {
            let (kept, now) = (dmplz_state::Grants::of(&this.state), (this.clocks)());
            // This may wait for a lock, so it runs on a blocking thread.
            let dropped = blocking(move || kept.revoke(is_meant, now)).await??;
            let unrecorded = this.record(&dropped, &by, now).await.err();
            Ok(Revoked { grants: dropped.meant, unrecorded })
        });
        revoking.await.unwrap_or(Err(GrantError::Ending))
    }

    /// Revokes the grant with this id.
    pub async fn revoke_one(&self, id: &str, by: &Answerer) -> Result<(Grant, Option<Unrecorded>), GrantError> {
        let id = id.to_owned();
        // A grant that no longer holds is unknown, even if it is still in the list.
        if !self.held().await?.iter().any(|grant| grant.id == id) {
            return Err(GrantError::Unknown);
        }
        let revoked = self.revoke(move |grant| grant.id == id, by).await?;
        let grant = revoked.grants.into_iter().next().ok_or(GrantError::Unknown)?;
        Ok((grant, revoked.unrecorded))
    }

    async fn record(&self, dropped: &Dropped, by: &Answerer, now: Moment) -> Result<(), Unrecorded> {
        let changes = dropped.changes(|grant| Change::revoked(grant, by));
        if changes.is_empty() {
            return Ok(());
        }
        let timestamp = i64::try_from(now.wall_ms).ok().and_then(|now| Timestamp::from_millisecond(now).ok());
        let (log, timestamp) = (self.log.clone(), timestamp.unwrap_or_default());
        let lines: Vec<Line> = changes.iter().cloned().map(|change| Line { timestamp, change }).collect();
        let logged = blocking(move || lines.iter().try_for_each(|line| log.append(line))).await;
        self.approvals.record_grants(changes).await?;
        Ok(logged.unwrap_or(Ok(()))?)
    }
}

impl Approvals {
    /// Records changes of grants in the audit trail, and publishes them.
    pub async fn record_grants(&self, changes: Vec<Change>) -> Result<(), DiskError> {
        for change in changes {
            self.record(change.into()).await?;
        }
        Ok(())
    }
}

/// Runs slow work on a blocking thread, away from the runtime's one thread.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, GrantError> {
    tokio::task::spawn_blocking(work).await.map_err(|_| GrantError::Ending)
}

#[cfg(test)]
pub(crate) mod tests;
