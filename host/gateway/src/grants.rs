//! Grants of our own, as surfaces see them: which hold, and taking one back.
//!
//! Hooks make them and use them without the gateway, in a file that is read anew each time. What becomes of one is a line
//! of `grants.jsonl`, and here an entry of the audit trail: `grant.made`, `grant.revoked`, `grant.ended`. Whoever else
//! changes the file tells the gateway afterwards (`hook.grants`).
//!
//! **Invariant:** a grant counts no more before whoever takes it back is told, and before that is recorded: what cannot be
//! recorded counts no more all the same.

use std::fmt;
use std::sync::Arc;

use dmplz_core::approvers::Answerer;
use dmplz_core::grant::change::Line;
use dmplz_core::grant::{Change, Grant, Moment};
use dmplz_state::{Dropped, GrantsError, Journal, JournalError, StateDir};
use jiff::Timestamp;

use crate::approvals::Approvals;
use crate::disk::DiskError;

/// Both clocks of a grant: given by the caller.
pub type Clocks = Arc<dyn Fn() -> Moment + Send + Sync>;

/// The grants of a state directory. Cheap to clone.
#[derive(Clone)]
pub struct Grants {
    state: StateDir,
    log: Journal,
    clocks: Clocks,
    approvals: Approvals,
}

/// What was taken back.
#[derive(Debug)]
pub struct Revoked {
    /// Those that held until then.
    pub grants: Vec<Grant>,
    /// Why that is not recorded everywhere, where it is not.
    pub unrecorded: Option<Unrecorded>,
}

/// Why a change is not recorded. It has happened all the same.
#[derive(Debug, thiserror::Error)]
pub enum Unrecorded {
    /// In `grants.jsonl`.
    #[error(transparent)]
    Log(#[from] JournalError),
    /// In the audit trail.
    #[error(transparent)]
    Trail(#[from] DiskError),
}

/// Why grants cannot be listed, or taken back.
#[derive(Debug, thiserror::Error)]
pub enum GrantError {
    /// The list cannot be used. What is in it may still count where it cannot be written.
    #[error(transparent)]
    Kept(#[from] GrantsError),
    /// None that holds has this id.
    #[error("no grant that holds has this id; an id is given whole, as the list of grants shows it")]
    Unknown,
    /// The gateway is about to end.
    #[error("the grants cannot be looked at: the gateway is about to end")]
    Ending,
}

impl Grants {
    /// Those of a state directory. What becomes of one is written to `log`, and to the trail of `approvals`.
    pub fn new(state: StateDir, log: Journal, clocks: Clocks, approvals: Approvals) -> Self {
        Self { state, log, clocks, approvals }
    }

    /// Those that hold now, the oldest first.
    pub async fn held(&self) -> Result<Vec<Grant>, GrantError> {
        let (state, now) = (self.state.clone(), (self.clocks)());
        let all = blocking(move || dmplz_state::Grants::read(state.path())).await??;
        Ok(all.into_iter().filter(|grant| grant.holds(now)).collect())
    }

    /// Takes back those that are meant.
    pub async fn revoke(
        &self,
        is_meant: impl Fn(&Grant) -> bool + Send + 'static,
        by: &Answerer,
    ) -> Result<Revoked, GrantError> {
        let (this, by) = (self.clone(), by.clone());
        // It goes on where whoever pressed is gone by now.
        let revoking = tokio::spawn(async move {
            let (kept, now) = (dmplz_state::Grants::of(&this.state), (this.clocks)());
            // It may have to wait for a lock, and others are served meanwhile.
            let dropped = blocking(move || kept.revoke(is_meant, now)).await??;
            let unrecorded = this.record(&dropped, &by, now).await.err();
            Ok(Revoked { grants: dropped.meant, unrecorded })
        });
        revoking.await.unwrap_or(Err(GrantError::Ending))
    }

    /// Takes back the one that has this id.
    pub async fn revoke_one(&self, id: &str, by: &Answerer) -> Result<(Grant, Option<Unrecorded>), GrantError> {
        let id = id.to_owned();
        // One that does not hold any more is none, also where it still stands in the list.
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
    /// Keeps what became of grants in the audit trail, and tells it.
    pub async fn record_grants(&self, changes: Vec<Change>) -> Result<(), DiskError> {
        for change in changes {
            self.record(change.into()).await?;
        }
        Ok(())
    }
}

/// Does what takes long elsewhere than on the runtime's one thread.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, GrantError> {
    tokio::task::spawn_blocking(work).await.map_err(|_| GrantError::Ending)
}

impl fmt::Debug for Grants {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Grants").field("state", &self.state).finish_non_exhaustive()
    }
}

#[cfg(test)]
pub(crate) mod tests;
